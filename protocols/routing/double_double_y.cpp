// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/double_double_y.h"

#include "protocols/routing/registry.h"
#include "protocols/routing/vc_classes.h"

namespace flitmend {
namespace {

constexpr std::uint64_t kTurned = 1;
constexpr std::uint64_t kGoesPlus = 2;

}  // namespace

void DoubleDoubleY::route(const RouteRequest& request, CandidateList& out) const {
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

std::uint64_t DoubleDoubleY::initial_state(NodeId source, NodeId destination, RandomStream& random) const {
  const std::uint64_t drawn = random.bits() & (kTurned | kGoesPlus);
  const std::int32_t left = grid_.offset(source, destination, drawn & kTurned ? 1 : 0);
  if (left == 0) return drawn;
  return (drawn & kTurned) | (left > 0 ? kGoesPlus : 0);
}

std::vector<std::uint64_t> DoubleDoubleY::initial_states(NodeId source, NodeId destination) const {
  std::vector<std::uint64_t> all;
  for (const std::uint64_t turned : {std::uint64_t{0}, kTurned}) {
    const std::int32_t left = grid_.offset(source, destination, turned ? 1 : 0);
    if (left <= 0) all.push_back(turned);
    if (left >= 0) all.push_back(turned | kGoesPlus);
  }
  return all;
}

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
