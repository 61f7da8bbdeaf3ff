// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "testbench/traffic/uniform.h"

namespace flitmend {

/// A share of all messages goes to the hot nodes, all alike, the rest is uniform (Pfister and Norton). A node
/// that is the only hot one sends uniformly, unless it may send to itself.
class HotspotPattern : public DestinationPattern {
 public:
  /// Throws ConfigurationError where a hot node is not in the network or named twice, or all are dead.
  explicit HotspotPattern(const PatternContext&);

  bool sends(NodeId source) const override { return uniform_.sends(source); }
  NodeId destination(NodeId source, RandomStream&) const override;
  const std::vector<NodeId>& hot_nodes() const { return hot_; }

 private:
  UniformPattern uniform_;
  double fraction_;
  bool include_self_;
  std::vector<NodeId> hot_;
  std::vector<NodeId> hot_place_;  ///< of each node in hot_; hot_.size(): none
};

}  // namespace flitmend
