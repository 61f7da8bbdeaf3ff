// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/mirrored_routing.h"

namespace flitmend {

/// What Duato's algorithm may be told.
struct DuatoOptions {
  RingTies ties = RingTies::plus;
  unsigned misroutes = 0;        ///< hops away from the destination that a message may make, at most 3
  bool terminal_escape = false;  ///< a message on an escape channel stays on escape channels
};

/// Duato's fully adaptive minimal routing [Duato93]: any productive port on the adaptive virtual channels,
/// else dimension order on the escape channels (on a torus with its dateline classes). A message may return
/// from an escape channel to an adaptive one. The extended channel dependency graph of the escape channels
/// has no cycle. The proof requires that a waiting head can take any free candidate, and that a virtual
/// channel is given to a new message only when it is empty.
///
/// With misroutes, a head at a router whose faults leave it no productive port may go another way: in a
/// dimension in which it has arrived, else back in one in which it has not; never to the router that it came
/// from. From there it does not return at once, except on an escape channel.
///
/// h: the ways drawn at ties, a bit per dimension; only the escape channels go by them, as both ways are
/// productive. Bits 60 and 61: misroutes so far. Bit 63: on a terminal escape channel.
///
/// Classes: the escape classes first (mesh, hypercube: 0; torus: 0 and 1; one virtual channel each), then the
/// adaptive class.
class Duato : public GridRouting, public MirroredRouting {
 public:
  /// The topology is a grid. `masks`: 2 classes without rings, 3 with.
  Duato(const Topology& topology, std::vector<VcMask> masks, const DuatoOptions& options = {})
      : GridRouting(topology, std::move(masks), options.ties),
        options_(options),
        adaptive_(grid_.wraps() ? 2 : 1) {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override {
    return 1 + (options_.misroutes > 0 ? 2 * grid_.dimensions() : most_productive());
  }
  bool looks_at_arrival() const override { return options_.misroutes > 0; }
  bool has_escape_channels() const override { return true; }
  std::uint64_t initial_state(NodeId source, NodeId destination, RandomStream& random) const override;
  std::vector<std::uint64_t> initial_states(NodeId source, NodeId destination) const override;
  std::uint32_t mirrored_dimensions() const override { return dimensions_without_ties(); }

 private:
  void push_adaptive(const RouteRequest&, CandidateList&) const;
  void push_misroutes(const RouteRequest&, CandidateList&) const;
  void push_escape(const RouteRequest&, CandidateList&) const;

  DuatoOptions options_;
  std::uint8_t adaptive_;  ///< class of the adaptive virtual channels
};

}  // namespace flitmend
