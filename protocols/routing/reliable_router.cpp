// SPDX-License-Identifier: Apache-2.0
#include "base/bits.h"
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/reconfiguration.h"
#include "protocols/routing/registry.h"
#include "protocols/routing/up_down_table.h"

namespace flitmend {
namespace {

constexpr unsigned kVirtualChannels = 5;
enum Class : std::uint8_t { kDimensionOrder, kFaultHandling, kAdaptive };
enum Preference : std::uint8_t { kFirst, kSecond, kThird };

/// The routing of the Reliable Router [Dally94] on meshes and hypercubes, in three virtual networks. A head
/// requests all of them and takes what is free in this order: any productive port in the adaptive network,
/// the port of dimension order in its network, and the fault-handling network, in which routing is up*/down*
/// around the faults (FaultNetwork) and which a message does not leave. Escape channels are those of the last
/// two; no channel of dimension order depends on one of the fault-handling network.
///
/// h: that of the fault network.
///
/// Classes: dimension order (2 virtual channels), fault-handling (1), adaptive (the others).
class ReliableRouter final : public GridRouting {
 public:
  /// The topology is a grid without rings. Throws KeyError if it is too large for the table.
  ReliableRouter(const Topology& topology, unsigned vcs)
      : GridRouting(topology, {0b011, 0b100, low_bits(vcs) & ~VcMask{0b111}}),
        fault_network_(topology, "reliable-router") {}

  void route(const RouteRequest& request, CandidateList& out) const override {
    if (request.here == request.destination) return consume(request, out);
    if (!FaultNetwork::contains(request.head_state)) {
      // If the fault-handling network has no route, the message might find none at all later.
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

  unsigned max_candidates() const override { return grid_.dimensions() + 1 + most_ports(); }
  bool has_escape_channels() const override { return true; }
  bool knows_all_faults() const override { return true; }
  void update_faults(const FaultSet& faults) override { fault_network_.update(faults); }

 private:
  unsigned most_ports() const { return grid_.dimensions() * (grid_.paired_ports() ? 2 : 1); }

  FaultNetwork fault_network_;
};

}  // namespace

RoutingEntry reliable_router_routing() {
  return {
      .name = "reliable-router",
      .description =
          "minimal adaptive, dimension order, and up*/down* around faults, each in its own network",
      .reference = "[Dally94]",
      .structure = is_grid_without_rings,
      .options = {{.key = &kReconfigurationOption}},
      .examples = {{.options = {{"reconfiguration", "immediate"}}}},
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
