// SPDX-License-Identifier: Apache-2.0
#pragma once
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

}  // namespace flitmend
