// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/reliable_router.h"

#include "base/bits.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

constexpr unsigned kVirtualChannels = 5;
enum Class : std::uint8_t { kDimensionOrder, kFaultHandling, kAdaptive };
enum Preference : std::uint8_t { kFirst, kSecond, kThird };

}  // namespace

ReliableRouter::ReliableRouter(const Topology& topology, unsigned vcs)
    : GridRouting(topology, {0b011, 0b100, low_bits(vcs) & ~VcMask{0b111}}),
      fault_network_(topology, "reliable-router") {}

void ReliableRouter::route(const RouteRequest& request, CandidateList& out) const {
  if (request.here == request.destination) return consume(request, out);
  if (!FaultNetwork::contains(request.head_state)) {
    // Without a way through the fault-handling network, a message might find none at all on its way.
    if (!fault_network_.leads_on(request)) return;
    for_each_productive(request.here, request.destination, [&](PortId port, unsigned) {
      if (healthy(request, port)) out.push({.port = port, .vc_class = kAdaptive, .preference = kFirst});
    });
    unsigned i = 0;
    while (grid_.offset(request.here, request.destination, i) == 0) ++i;
    const PortId port = grid_.port(i, grid_.offset(request.here, request.destination, i) > 0);
    if (healthy(request, port))
      out.push({.port = port, .vc_class = kDimensionOrder, .preference = kSecond, .escape = true});
  }
  fault_network_.push(request, kFaultHandling, kThird, out);
}

RoutingEntry reliable_router_routing() {
  return {
      .name = "reliable-router",
      .description =
          "minimal adaptive, dimension order, and up*/down* around faults, each in its own network",
      .reference = "[Dally94]",
      .structure = is_grid_without_rings,
      .default_selection = "most-free-vcs",
      .properties = [](const Topology&, const RoutingSettings&) -> RoutingProperties {
        return {.adaptivity = Adaptivity::partial,
                .proof = DeadlockProof::escape_channels,
                .vc_classes = {"dimension order", "fault handling", "adaptive"},
                .virtual_channels = kVirtualChannels,
                .atomic_vc_reallocation = true,
                .tolerated_faults = kAnyFaults};
      },
      .make = [](const Topology& t, unsigned vcs, const RoutingSettings&)
          -> std::unique_ptr<RoutingFunction> { return std::make_unique<ReliableRouter>(t, vcs); },
  };
}

}  // namespace flitmend
