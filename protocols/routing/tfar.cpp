// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/mirrored_routing.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

/// True fully adaptive minimal routing [SBRP]: any productive port, any virtual channel. It can deadlock: use
/// it for study, with detection and recovery, or with heads that go back at busy channels (router.busy). On
/// hypercubes it is also known as minimal adaptive and, with another selection function, as minimum
/// congestion.
///
/// With misroutes m, a head that gets no productive port may take another one, m times in all: in a dimension
/// in which it has arrived, else back in one in which it has not. It returns to the router that it came from
/// only if no other port is productive. With router.busy backtrack this is MB-m [Gaughan95].
///
/// h: bits 60 and 61: misroutes so far.
class Tfar : public GridRouting, public MirroredRouting {
 public:
  /// The topology is a grid. `masks`: 1 class. misroutes: at most 3.
  Tfar(const Topology& topology, std::vector<VcMask> masks, unsigned misroutes)
      : GridRouting(topology, std::move(masks)), misroutes_(misroutes) {}

  void route(const RouteRequest& request, CandidateList& out) const override {
    if (request.here == request.destination) return consume(request, out);
    push_productive(request, out, false);
    if (misroutes_ == 0) return;
    if (out.empty()) push_productive(request, out, true);
    if (misroutes_of(request.head_state) < misroutes_) push_misroutes(request, out);
  }

  unsigned max_candidates() const override {
    return misroutes_ > 0 ? 2 * grid_.dimensions() : most_productive();
  }
  bool looks_at_arrival() const override { return misroutes_ > 0; }
  std::uint32_t mirrored_dimensions() const override { return every_dimension(); }

 private:
  /// `back`: only the port through which the head came, else all others.
  void push_productive(const RouteRequest& request, CandidateList& out, bool back) const {
    for_each_productive(request.here, request.destination, [&](PortId port, unsigned) {
      if ((port == request.arrival_port) == back && healthy(request, port))
        out.push({.head_state = request.head_state, .port = port});
    });
  }
  void push_misroutes(const RouteRequest& request, CandidateList& out) const {
    const auto push = [&](unsigned dimension, bool plus, std::uint8_t preference) {
      const PortId port = grid_.port(dimension, plus);
      if (port != request.arrival_port && topology_.neighbour(request.here, port) && healthy(request, port))
        out.push({.head_state = request.head_state + kMisroute, .port = port, .preference = preference});
    };
    for (unsigned i = 0; i < grid_.dimensions(); ++i)
      if (grid_.offset(request.here, request.destination, i) == 0) {
        push(i, true, 1);
        if (grid_.paired_ports()) push(i, false, 1);
      }
    for (unsigned i = 0; i < grid_.dimensions(); ++i)
      if (const std::int32_t left = grid_.offset(request.here, request.destination, i);
          left != 0 && grid_.paired_ports() && !tied(i, left))
        push(i, left < 0, 2);
  }

  unsigned misroutes_;
};

/// 0 under the names without the option.
std::uint32_t misroutes(const RoutingSettings& s) {
  return static_cast<std::uint32_t>(s.options.number(kMisroutesOption));
}

/// The algorithm under one of its names.
RoutingEntry fully_adaptive(std::string_view name, std::string_view description,
                            bool (*structure)(const Topology&), std::string_view selection) {
  return {
      .name = name,
      .description = description,
      .reference = "[SBRP section 6.2.3]",
      .structure = structure,
      .default_selection = selection,
      .properties = [](const Topology&, const RoutingSettings& s) -> RoutingProperties {
        // After a misroute the port back is productive, and left out.
        return {.adaptivity = misroutes(s) > 0 ? Adaptivity::partial : Adaptivity::full,
                .proof = DeadlockProof::none,
                .extra_hops = 2 * misroutes(s)};
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings& s) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<Tfar>(t, spread_evenly(vcs, 1), misroutes(s));
      },
  };
}

}  // namespace

RoutingEntry tfar_routing() {
  RoutingEntry entry = fully_adaptive(
      "tfar", "true fully adaptive minimal: any productive port, any virtual channel; it can deadlock",
      is_grid, "random");
  entry.options = {{.key = &kMisroutesOption}};
  entry.examples = {{.options = {{"misroutes", 2}}}};
  return entry;
}

RoutingEntry minimal_adaptive_routing() {
  return fully_adaptive(
      "minimal-adaptive",
      "fully adaptive minimal, hypercube: any productive port, drawn at random; it can deadlock",
      is_hypercube, "random");
}

RoutingEntry minimum_congestion_routing() {
  return fully_adaptive("minimum-congestion",
                        "fully adaptive minimal, hypercube: the productive port with most free virtual "
                        "channels; it can deadlock",
                        is_hypercube, "most-free-vcs");
}

}  // namespace flitmend
