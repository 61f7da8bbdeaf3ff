// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "testbench/traffic/pattern.h"

namespace flitmend {

/// Every other node with equal probability, 1/(N − 1); with include_self every node, 1/N.
class UniformPattern : public DestinationPattern {
 public:
  UniformPattern(const Participants& participants, bool include_self)
      : participants_(participants), include_self_(include_self) {}

  bool sends(NodeId source) const override {
    return participants_.contains(source) && (include_self_ || participants_.count() > 1);
  }
  NodeId destination(NodeId source, RandomStream& random) const override {
    return include_self_ ? participants_.draw(random) : participants_.draw_other(source, random);
  }

 private:
  const Participants& participants_;
  bool include_self_;
};

/// A share of all messages goes to the hot nodes with equal probability, the rest is uniform [Pfister85]. If
/// a node is the only hot node, it sends uniformly, unless it may send to itself.
class HotspotPattern : public DestinationPattern {
 public:
  /// Throws ConfigurationError if a hot node is not in the network or listed twice, or if all are faulty.
  explicit HotspotPattern(const PatternContext&);

  bool sends(NodeId source) const override { return uniform_.sends(source); }
  NodeId destination(NodeId source, RandomStream&) const override;
  const std::vector<NodeId>& hot_nodes() const { return hot_; }

 private:
  UniformPattern uniform_;
  double fraction_;
  bool include_self_;
  std::vector<NodeId> hot_;
  std::vector<NodeId> hot_place_;  ///< index of each node in hot_; hot_.size(): none
};

}  // namespace flitmend
