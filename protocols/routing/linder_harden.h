// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/port_class_routing.h"

namespace flitmend {

/// Linder and Harden's algorithm [Linder91]: a virtual network per combination of directions in the
/// dimensions above the lowest. A message goes in the network of its directions (drawn in dimensions without
/// hops), and takes any productive port. In one network no dimension but the lowest has channels in both
/// directions, and no message turns back in the lowest one, so the channel dependency graph has no cycle.
///
/// With rings every network has one more level per ring: a message rises by one level after every link that
/// wraps around. At a tie it goes in the + direction.
///
/// h: bits 0 to 31: the network; from bit 32 on: the level.
///
/// Classes: level · networks + network.
class LinderHarden : public PortClassRouting {
 public:
  /// Which networks and levels a grid needs.
  class Shape {
   public:
    explicit Shape(const Grid&);
    /// One bit of a network's number per dimension above the lowest that has two directions.
    unsigned networks() const { return 1u << directions_.size(); }
    unsigned levels() const { return levels_; }
    /// The networks of messages from a source to a destination: a bit per direction that is −, and the bits
    /// of dimensions in which there is no hop.
    struct Network {
      std::uint64_t fixed, drawn;
    };
    Network network(const Grid&, NodeId source, NodeId destination) const;
    bool exists(unsigned dimension, bool plus, unsigned vc_class) const;

   private:
    std::vector<unsigned> directions_;  ///< the dimensions that tell networks apart
    unsigned levels_ = 1;
  };

  /// The topology is a grid that needs at most 64 classes; as many virtual channels or more.
  LinderHarden(const Topology&, unsigned vcs);

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return grid_.dimensions(); }
  std::uint64_t initial_state(NodeId source, NodeId destination, RandomStream& random) const override;
  std::vector<std::uint64_t> initial_states(NodeId source, NodeId destination) const override;

 private:
  LinderHarden(const Topology&, unsigned vcs, const Shape&);

  Shape shape_;
};

}  // namespace flitmend
