// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/reconfiguration.h"
#include "protocols/routing/registry.h"
#include "protocols/routing/up_down_table.h"

namespace flitmend {
namespace {

enum SuShinClass : std::uint8_t { kSuShinEscape, kSuShinAdaptive };

/// Fault-tolerant routing with two classes of virtual channels on meshes and hypercubes, after Su and Shin
/// [Su96]: any productive healthy port on the adaptive ones, and around the faults on the escape channels,
/// which a message does not leave. Here the detour is up*/down* (FaultNetwork), which serves every two
/// nodes that are connected.
///
/// h: that of the fault network.
///
/// Classes: escape (1 virtual channel), adaptive (the others).
class SuShin final : public GridRouting {
 public:
  /// The topology is a grid without rings. Throws KeyError if it is too large for the table.
  SuShin(const Topology& topology, std::vector<VcMask> masks)
      : GridRouting(topology, std::move(masks)), fault_network_(topology, "su-shin") {}

  void route(const RouteRequest& request, CandidateList& out) const override {
    if (request.here == request.destination) return consume(request, out);
    if (!FaultNetwork::contains(request.head_state)) {
      // If the fault network has no route, the message might find none at all later.
      if (!fault_network_.leads_on(request)) return;
      for_each_productive(request.here, request.destination, [&](PortId port, unsigned) {
        if (healthy(request, port)) out.push({.port = port, .vc_class = kSuShinAdaptive});
      });
    }
    fault_network_.push(request, kSuShinEscape, 1, out);
  }

  unsigned max_candidates() const override {
    return most_productive() + grid_.dimensions() * (grid_.paired_ports() ? 2 : 1);
  }
  bool has_escape_channels() const override { return true; }
  bool knows_all_faults() const override { return true; }
  void update_faults(const FaultSet& faults) override { fault_network_.update(faults); }

 private:
  FaultNetwork fault_network_;
};

}  // namespace

RoutingEntry su_shin_routing() {
  return {
      .name = "su-shin",
      .description = "minimal adaptive, and up*/down* around faults on the escape channels",
      .reference = "[Su96]",
      .structure = is_grid_without_rings,
      .options = {{.key = &kReconfigurationOption}},
      .examples = {{.options = {{"reconfiguration", "immediate"}}}},
      .default_selection = "most-free-vcs",
      .properties = [](const Topology&, const RoutingSettings&) -> RoutingProperties {
        return {.adaptivity = Adaptivity::partial,
                .proof = DeadlockProof::escape_channels,
                .vc_classes = {"escape", "adaptive"},
                .virtual_channels = 2,
                .atomic_vc_reallocation = true,
                .tolerated_faults = kAnyFaults};
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings&) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<SuShin>(t, singles_then_rest(vcs, 1));
      },
  };
}

}  // namespace flitmend
