// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/duato.h"

#include "protocols/routing/registry.h"
#include "protocols/routing/vc_classes.h"

namespace flitmend {

void Duato::route(const RouteRequest& request, CandidateList& out) const {
  if (request.here == request.destination) return consume(request, out);
  const bool datelines = grid_.wraps();
  const auto adaptive = static_cast<std::uint8_t>(datelines ? 2 : 1);
  for_each_productive(request.here, request.destination, [&](PortId port, unsigned dimension) {
    if (healthy(request, port))
      out.push({after_hop(request.head_state, dimension), port, adaptive, 0, false});
  });
  unsigned i = 0;
  std::int32_t left = 0;
  while ((left = grid_.offset(request.here, request.destination, i)) == 0) ++i;
  const bool plus = goes_plus(request.head_state, i, left);
  const PortId port = grid_.port(i, plus);
  if (!healthy(request, port)) return;
  const std::uint8_t escape =
      datelines ? strict_dateline_class(grid_, request.here, request.destination, i, plus) : 0;
  out.push({after_hop(request.head_state, i), port, escape, 1, true});
}

std::uint64_t Duato::initial_state(NodeId source, NodeId destination, RandomStream& random) const {
  const std::uint64_t drawn = drawn_ties(source, destination);
  return drawn ? random.bits() & drawn : 0;
}

std::vector<std::uint64_t> Duato::initial_states(NodeId source, NodeId destination) const {
  return subsets_of(drawn_ties(source, destination));
}

RoutingEntry duato_routing() {
  return {
      .name = "duato",
      .description = "fully adaptive minimal, with dimension order on the escape channels",
      .structure = is_grid,
      .options = {{.key = "ties", .applies_to = has_rings}},
      .examples = {{.ties = "plus"}},
      .default_selection = "most-free-vcs",
      .properties = [](const Topology& t, const RoutingSettings&) -> RoutingProperties {
        RoutingProperties p{.adaptivity = Adaptivity::full,
                            .proof = DeadlockProof::escape_channels,
                            .vc_classes = {"escape", "adaptive"},
                            .virtual_channels = 2,
                            .atomic_vc_reallocation = true};
        if (has_rings(t)) {
          p.vc_classes = {"escape before the dateline", "escape after the dateline", "adaptive"};
          p.virtual_channels = 3;
        }
        return p;
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings& s) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<Duato>(t, singles_then_rest(vcs, has_rings(t) ? 2 : 1), ring_ties(s.ties));
      },
  };
}

}  // namespace flitmend
