// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "base/random_stream.h"
#include "topologies/topology.h"

namespace flitmend {

/// The nodes that send and receive: all except those that are faulty from the start.
class Participants {
 public:
  explicit Participants(NodeId nodes, std::span<const NodeId> dead = {});

  NodeId count() const { return static_cast<NodeId>(live_.size()); }
  bool contains(NodeId node) const { return place_[node] != kDead; }
  /// One of them, with equal probability; count() ≥ 1.
  NodeId draw(RandomStream& random) const { return live_[random.below(count())]; }
  /// One of them except `self`, which must be one of them; count() ≥ 2.
  NodeId draw_other(NodeId self, RandomStream& random) const {
    const NodeId i = random.below(count() - 1);
    return live_[i + (i >= place_[self])];
  }

 private:
  static constexpr NodeId kDead = ~NodeId{0};
  std::vector<NodeId> live_;
  std::vector<NodeId> place_;  ///< index in live_
};

}  // namespace flitmend
