// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/offset_classes.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

/// Two classes of virtual channels in Y of a 2-D mesh, and one in X, class 0.
class TwoClassesInY : public PortClassRouting, public OffsetClasses {
 public:
  /// The topology is a mesh of 2 dimensions. At least 2 virtual channels.
  TwoClassesInY(const Topology& topology, unsigned vcs)
      : PortClassRouting(topology, vcs, 2,
                         [](unsigned dimension, bool, unsigned c) { return c == 0 || dimension == 1; }),
        OffsetClasses(grid_) {}
};

/// Double-Y on a 2-D mesh [Ni93]: two virtual networks, each with its own virtual channels in Y. One serves
/// messages to the east, one those to the west; a message without hops in X draws one at its source. It takes
/// any productive port in its network. No message turns back in X, so the channel dependency graph has no
/// cycle.
///
/// h: 1 in the network to the east.
///
/// Classes: 0: X, and Y of the network to the west. 1: Y of the network to the east.
class DoubleY : public TwoClassesInY {
 public:
  using TwoClassesInY::TwoClassesInY;

  void route(const RouteRequest& request, CandidateList& out) const override {
    if (request.here == request.destination) return consume(request, out);
    for_each_productive(request.here, request.destination, [&](PortId port, unsigned dimension) {
      if (!healthy(request, port)) return;
      const bool east = dimension == 1 && request.head_state == 1;
      out.push({.head_state = request.head_state, .port = port, .vc_class = east});
    });
  }

  unsigned max_candidates() const override { return 2; }
  std::uint64_t initial_state(NodeId source, NodeId destination, RandomStream& random) const override {
    const std::int32_t left = grid_.offset(source, destination, 0);
    return left == 0 ? random.bits() & 1 : left > 0;
  }

  std::vector<std::uint64_t> initial_states(NodeId source, NodeId destination) const override {
    const std::int32_t left = grid_.offset(source, destination, 0);
    if (left == 0) return {0, 1};
    return {std::uint64_t{left > 0}};
  }
};

}  // namespace

RoutingEntry double_y_routing() {
  return {
      .name = "double-y",
      .description =
          "fully adaptive minimal, 2-D mesh: a network for messages to the east and one for those to "
          "the west",
      .reference = "[Ni93]",
      .structure = is_mesh,
      .dimensions = {.min = 2, .max = 2},
      .default_selection = "most-free-vcs",
      .properties = [](const Topology&, const RoutingSettings&) -> RoutingProperties {
        return {.adaptivity = Adaptivity::full,
                .proof = DeadlockProof::dependency_graph,
                .vc_classes = {"X and Y to the west", "Y to the east"},
                .virtual_channels = 2};
      },
      .make = [](const Topology& t, unsigned vcs, const RoutingSettings&)
          -> std::unique_ptr<RoutingFunction> { return std::make_unique<DoubleY>(t, vcs); },
  };
}

namespace {

enum OptYClass : std::uint8_t { kRestricted, kUnrestricted };

/// Opt-y on a 2-D mesh [Schwiebert95]: fully adaptive minimal, with fewer restrictions than Double-Y. One
/// class in X and one in Y may always be taken, the other one in Y only by messages that have no hops to the
/// west left. The escape channels are X and this second class; their extended channel dependency graph has no
/// cycle.
///
/// Classes: 0: X, and Y without hops to the west left. 1: Y at any time.
class OptY : public TwoClassesInY {
 public:
  using TwoClassesInY::TwoClassesInY;

  void route(const RouteRequest& request, CandidateList& out) const override {
    if (request.here == request.destination) return consume(request, out);
    for_each_productive(request.here, request.destination, [&](PortId port, unsigned dimension) {
      if (!healthy(request, port)) return;
      if (dimension == 0)
        out.push({.head_state = request.head_state, .port = port, .vc_class = kRestricted, .escape = true});
      else
        out.push({.head_state = request.head_state, .port = port, .vc_class = kUnrestricted});
    });
    if (grid_.offset(request.here, request.destination, 0) < 0) return;
    const std::int32_t left = grid_.offset(request.here, request.destination, 1);
    if (left == 0) return;
    const PortId port = grid_.port(1, left > 0);
    if (healthy(request, port))
      out.push({.head_state = request.head_state,
                .port = port,
                .vc_class = kRestricted,
                .preference = 1,
                .escape = true});
  }

  unsigned max_candidates() const override { return 3; }
  bool has_escape_channels() const override { return true; }
};

}  // namespace

RoutingEntry opt_y_routing() {
  return {
      .name = "opt-y",
      .description = "fully adaptive minimal, 2-D mesh: Double-Y with fewer restrictions",
      .reference = "[Schwiebert95]",
      .structure = is_mesh,
      .dimensions = {.min = 2, .max = 2},
      .default_selection = "most-free-vcs",
      .properties = [](const Topology&, const RoutingSettings&) -> RoutingProperties {
        return {.adaptivity = Adaptivity::full,
                .proof = DeadlockProof::escape_channels,
                .vc_classes = {"X and Y without hops to the west left", "Y"},
                .virtual_channels = 2,
                .atomic_vc_reallocation = true};
      },
      .make = [](const Topology& t, unsigned vcs, const RoutingSettings&)
          -> std::unique_ptr<RoutingFunction> { return std::make_unique<OptY>(t, vcs); },
  };
}

}  // namespace flitmend
