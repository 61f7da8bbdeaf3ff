// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <memory>

#include "base/bits.h"
#include "protocols/routing/intermediate_nodes/chain.h"
#include "protocols/routing/intermediate_nodes/kns_shape.h"
#include "protocols/routing/intermediate_nodes/tables.h"
#include "protocols/routing/partitioned_routing.h"
#include "protocols/routing/subnetwork_routes.h"
#include "topologies/switched_grid.h"
#include "topologies/topology.h"

namespace flitmend {

/// The fields of a head with intermediate nodes [Penaranda17 Fig. 2], packed into h: from bit 0 on I, the
/// segment (intermediate nodes already passed), then the addresses of the I nodes ahead, the next one lowest.
/// h = 0 is the plain path. I = x + 1 says that there is no chain.
class IntermediateHead {
 public:
  /// Up to x intermediate nodes.
  IntermediateHead(const KnsShape& shape, unsigned max_intermediates)
      : most_(max_intermediates),
        left_bits_(static_cast<unsigned>(std::bit_width(max_intermediates + 1))),
        segment_bits_(static_cast<unsigned>(std::bit_width(max_intermediates))),
        address_bits_(static_cast<unsigned>(std::bit_width(shape.node_count() - 1))) {}

  /// Bits that the fields take; they must fit into 64.
  unsigned bits() const { return left_bits_ + segment_bits_ + most_ * address_bits_; }

  std::uint64_t encode(const IntermediateList& list) const {
    if (!list.reachable) return most_ + 1;
    std::uint64_t h = 0;
    for (unsigned i = list.count; i-- > 0;) h = h << address_bits_ | list.nodes[i];
    return h << (left_bits_ + segment_bits_) | list.count;
  }

  /// I: intermediate nodes ahead.
  unsigned left(std::uint64_t h) const { return static_cast<unsigned>(h & low_bits(left_bits_)); }
  /// There is no chain to the destination.
  bool unreachable(std::uint64_t h) const { return left(h) > most_; }
  unsigned segment(std::uint64_t h) const {
    return static_cast<unsigned>(h >> left_bits_ & low_bits(segment_bits_));
  }
  /// The next intermediate node; there is one.
  std::uint32_t next(std::uint64_t h) const {
    return static_cast<std::uint32_t>(h >> (left_bits_ + segment_bits_) & low_bits(address_bits_));
  }
  /// The head after the next intermediate node: its address is gone, I is one less, the segment one more.
  std::uint64_t passed(std::uint64_t h) const {
    const unsigned first = left_bits_ + segment_bits_;
    const std::uint64_t addresses = h >> first >> address_bits_;
    return addresses << first | std::uint64_t{segment(h) + 1} << left_bits_ | (left(h) - 1);
  }

 private:
  unsigned most_;
  unsigned left_bits_;
  unsigned segment_bits_;
  unsigned address_bits_;
};

struct IntermediateOptions {
  IntermediateSettings choice;
  IntermediateTableForm table = IntermediateTableForm::by_destination;
  bool adaptive = false;                   ///< within a segment
  std::uint64_t recomputation_cycles = 0;  ///< of a management step
};

/// Routing through intermediate nodes on KNS networks [Penaranda17]. The table of the source gives the
/// message a list of intermediate nodes, through which it goes without leaving the network. The route from
/// one to the next is a segment: it is Hybrid-DOR, on the segment's own virtual channels. No channel of a
/// segment depends on one of an earlier segment, and within a segment the dimensions rise, so the channel
/// dependency graph has no cycle.
///
/// Adaptive segments: any dimension that brings the message nearer to the next intermediate node, on adaptive
/// channels of all segments; Hybrid-DOR on the escape channels of the segment. A head that comes to the
/// switch of dimension i while a lower dimension is left to cross, m the lowest, must leave it by that
/// switch. It has a class of escape channels there for each m. While m is left, hops out of order are made in
/// rising dimensions only: so these channels depend on those of the same m and higher dimensions, on escape
/// channels in order of dimension m, and on channels after those. With faults, a dimension is offered only
/// if Hybrid-DOR has a route from the router after that hop.
///
/// Subnetworks of several stages, with deterministic segments: a message avoids a fault inside one by
/// another up port where there is one (SubnetworkRoutes); otherwise the tables count it as a fault of the
/// links that it cuts off.
///
/// h: IntermediateHead.
///
/// Classes: of deterministic segments one each. Of adaptive segments n escape classes each (in order; out of
/// order with m = 0 … n − 2), then the adaptive one.
class IntermediateNodes : public PartitionedRouting {
 public:
  /// Linear tables take N² entries in all.
  static constexpr NodeId kMostLinear = 2048;

  /// The topology is a switched grid with equal radices. `masks`: as many as there are classes. Throws
  /// ConfigurationError.
  IntermediateNodes(const Topology&, std::vector<VcMask> masks, const IntermediateOptions&);

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return options_.adaptive ? grid_.dimensions() + 1 : 1; }
  std::uint64_t initial_state(NodeId source, NodeId destination, RandomStream&) const override {
    return state_of(source, destination);
  }
  std::vector<std::uint64_t> initial_states(NodeId source, NodeId destination) const override {
    return {state_of(source, destination)};
  }
  bool looks_at_arrival() const override { return options_.adaptive; }
  bool has_escape_channels() const override { return options_.adaptive; }
  void update_faults(const FaultSet&) override;
  void set_seed(std::uint64_t seed) override { options_.choice.seed = seed; }
  bool needs_management() const override { return true; }
  std::uint64_t recomputation_cycles() const override { return options_.recomputation_cycles; }
  RouteTableSize table_size() const override;
  bool names_intermediates() const override { return true; }
  IntermediateFields intermediate_fields(std::uint64_t h) const override;

 private:
  std::uint64_t state_of(NodeId source, NodeId destination) const {
    return tables_ ? head_.encode(tables_->lookup(source, destination)) : 0;
  }
  /// The lowest dimension in which a router differs from the target; the number of dimensions if in none.
  unsigned lowest_left(NodeId router, NodeId target) const;
  void route_at_switch(const RouteRequest&, std::uint64_t h, NodeId target, CandidateList&) const;
  void route_at_node(const RouteRequest&, std::uint64_t h, NodeId target, CandidateList&) const;
  void route_adaptively(const RouteRequest&, std::uint64_t h, NodeId target, unsigned lowest,
                        CandidateList&) const;
  /// Whether a message that crosses that dimension next can reach the target from there by Hybrid-DOR.
  bool leads_on(NodeId here, NodeId target, unsigned dimension) const;
  std::uint8_t escape_class(std::uint64_t h, unsigned kind) const {
    return static_cast<std::uint8_t>(head_.segment(h) * grid_.dimensions() + kind);
  }

  const SwitchedGrid& grid_;
  SubnetworkRoutes routes_;
  KnsShape shape_;
  IntermediateOptions options_;
  IntermediateHead head_;
  std::unique_ptr<SourceTables> tables_;  ///< null: no faults are known, and all messages take plain paths
};

}  // namespace flitmend
