// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/reliable_router.h"

#include <boost/format.hpp>

#include "base/bits.h"
#include "base/errors.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

constexpr std::uint64_t kInFaultNetwork = std::uint64_t{1} << 63;
constexpr std::uint64_t kHasGoneDown = std::uint64_t{1} << 62;
constexpr unsigned kVirtualChannels = 5;
/// The table takes 4 bytes per pair of routers, and every fault computes it anew.
constexpr RouterId kMostRouters = 4096;

enum Class : std::uint8_t { kDimensionOrder, kFaultHandling, kAdaptive };
enum Preference : std::uint8_t { kFirst, kSecond, kThird };

bool is_grid_without_rings(const Topology& topology) {
  const Grid* const grid = structure_of<Grid>(topology);
  return grid && !grid->wraps();
}

}  // namespace

ReliableRouter::ReliableRouter(const Topology& topology, unsigned vcs)
    : GridRouting(topology, {0b011, 0b100, low_bits(vcs) & ~VcMask{0b111}}) {
  if (topology.router_count() > kMostRouters)
    throw KeyError("routing.algorithm",
                   (boost::format("reliable-router has a table for at most %1% routers, and this network has "
                                  "%2%; take duato, or a smaller network") %
                    kMostRouters % topology.router_count())
                       .str(),
                   {"network.size"});
  table_.update(FaultSet(topology));
}

void ReliableRouter::route(const RouteRequest& request, CandidateList& out) const {
  if (request.here == request.destination) return consume(request, out);
  if (!(request.head_state & kInFaultNetwork)) {
    // Without a way through the fault-handling network, a message might find none at all on its way.
    if (table_.distance(request.here, false, request.destination) == UpDownTable::kNone) return;
    for_each_productive(request.here, request.destination, [&](PortId port, unsigned) {
      if (healthy(request, port)) out.push({.port = port, .vc_class = kAdaptive, .preference = kFirst});
    });
    unsigned i = 0;
    while (grid_.offset(request.here, request.destination, i) == 0) ++i;
    const PortId port = grid_.port(i, grid_.offset(request.here, request.destination, i) > 0);
    if (healthy(request, port))
      out.push({.port = port, .vc_class = kDimensionOrder, .preference = kSecond, .escape = true});
  }
  push_fault_handling(request, out);
}

// All hops on the shortest permitted ways.
void ReliableRouter::push_fault_handling(const RouteRequest& request, CandidateList& out) const {
  const bool down = request.head_state & kHasGoneDown;
  const std::uint16_t left = table_.distance(request.here, down, request.destination);
  if (left == UpDownTable::kNone) return;
  for (PortId port = 0; port < topology_.port_count(request.here); ++port) {
    const auto far = topology_.neighbour(request.here, port);
    if (!far || !healthy(request, port)) continue;
    const bool up = table_.goes_up(request.here, far->router);
    if ((up && down) || table_.distance(far->router, !up, request.destination) + 1 != left) continue;
    out.push({.head_state = kInFaultNetwork | (up ? 0 : kHasGoneDown),
              .port = port,
              .vc_class = kFaultHandling,
              .preference = kThird,
              .escape = true});
  }
}

RoutingEntry reliable_router_routing() {
  return {
      .name = "reliable-router",
      .description =
          "minimal adaptive, dimension order, and up*/down* around faults, each in its own network",
      .structure = is_grid_without_rings,
      .default_selection = "most-free-vcs",
      .properties = [](const Topology&, const RoutingSettings&) -> RoutingProperties {
        return {.adaptivity = Adaptivity::partial,
                .proof = DeadlockProof::escape_channels,
                .vc_classes = {"dimension order", "fault handling", "adaptive"},
                .virtual_channels = kVirtualChannels,
                .atomic_vc_reallocation = true};
      },
      .make = [](const Topology& t, unsigned vcs, const RoutingSettings&)
          -> std::unique_ptr<RoutingFunction> { return std::make_unique<ReliableRouter>(t, vcs); },
  };
}

}  // namespace flitmend
