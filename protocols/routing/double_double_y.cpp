// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/offset_classes.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

constexpr std::uint64_t kTurned = 1;
constexpr std::uint64_t kGoesPlus = 2;

/// Double-Double-Y on a 2-D mesh [SBRP section 6.2.3]: a Double-Y network, and one turned by 90 degrees,
/// which has two networks in X instead. A message draws one of the two at its source and stays in it, so the
/// channel dependency graph has no cycle.
///
/// h: bit 0: in the turned network. Bit 1: the message goes in the + direction of X (turned: of Y), drawn if
/// it has no hops there.
///
/// Classes: 0: X of the network that is not turned, and its Y to the west. 1: its Y to the east; X of the
/// turned network to the south. 2: X of the turned network to the north, and its Y.
class DoubleDoubleY : public GridRouting, public OffsetClasses {
 public:
  /// The topology is a mesh of 2 dimensions. `masks`: 3 classes.
  DoubleDoubleY(const Topology& topology, std::vector<VcMask> masks)
      : GridRouting(topology, std::move(masks)), OffsetClasses(grid_) {}

  void route(const RouteRequest& request, CandidateList& out) const override {
    if (request.here == request.destination) return consume(request, out);
    const bool turned = request.head_state & kTurned;
    const bool plus = request.head_state & kGoesPlus;
    for_each_productive(request.here, request.destination, [&](PortId port, unsigned dimension) {
      if (!healthy(request, port)) return;
      const unsigned vc_class = turned ? (dimension == 1 || plus ? 2 : 1) : (dimension == 1 && plus);
      out.push(
          {.head_state = request.head_state, .port = port, .vc_class = static_cast<std::uint8_t>(vc_class)});
    });
  }

  unsigned max_candidates() const override { return 2; }
  std::uint64_t initial_state(NodeId source, NodeId destination, RandomStream& random) const override {
    const std::uint64_t drawn = random.bits() & (kTurned | kGoesPlus);
    const std::int32_t left = grid_.offset(source, destination, drawn & kTurned ? 1 : 0);
    if (left == 0) return drawn;
    return (drawn & kTurned) | (left > 0 ? kGoesPlus : 0);
  }

  std::vector<std::uint64_t> initial_states(NodeId source, NodeId destination) const override {
    std::vector<std::uint64_t> all;
    for (const std::uint64_t turned : {std::uint64_t{0}, kTurned}) {
      const std::int32_t left = grid_.offset(source, destination, turned ? 1 : 0);
      if (left <= 0) all.push_back(turned);
      if (left >= 0) all.push_back(turned | kGoesPlus);
    }
    return all;
  }
};

}  // namespace

RoutingEntry double_double_y_routing() {
  return {
      .name = "double-double-y",
      .description =
          "fully adaptive minimal, 2-D mesh: a Double-Y network and a turned one, drawn at the source",
      .reference = "[SBRP section 6.2.3]",
      .structure = is_mesh,
      .dimensions = {.min = 2, .max = 2},
      .default_selection = "most-free-vcs",
      .properties = [](const Topology&, const RoutingSettings&) -> RoutingProperties {
        return {.adaptivity = Adaptivity::full,
                .proof = DeadlockProof::dependency_graph,
                .vc_classes = {"X and Y to the west", "Y to the east and turned X to the south",
                               "turned X to the north and turned Y"},
                .virtual_channels = 3};
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings&) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<DoubleDoubleY>(t, spread_evenly(vcs, 3));
      },
  };
}

}  // namespace flitmend
