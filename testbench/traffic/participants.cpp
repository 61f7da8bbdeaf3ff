// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/participants.h"

namespace flitmend {

Participants::Participants(NodeId nodes, std::span<const NodeId> dead) : place_(nodes, 0) {
  for (NodeId node : dead) place_[node] = kDead;
  for (NodeId node = 0; node < nodes; ++node) {
    if (place_[node] == kDead) continue;
    place_[node] = count();
    live_.push_back(node);
  }
}

}  // namespace flitmend
