// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/errors.h"
#include "base/text.h"
#include "protocols/routing/partitioned_routing.h"
#include "protocols/routing/reconfiguration.h"
#include "protocols/routing/registry.h"
#include "protocols/routing/up_down_table.h"

namespace flitmend {
namespace {

/// Up*/down* routing [Schroeder91] on any graph: all hops on the paths, shortest by the metric, that never go
/// up after a hop down (UpDownTable). The channel dependency graph has no cycle. Known faults change the
/// order of the routers and the table.
///
/// h: bit 0: it has gone down.
class UpDown : public PartitionedRouting {
 public:
  /// The largest network: the table takes 8 bytes per pair of routers.
  static constexpr RouterId kMostRouters = 4096;

  /// `masks`: 1 class. Throws KeyError if the topology has too many routers.
  UpDown(const Topology& topology, std::vector<VcMask> masks, const Metric& metric);

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return most_ports_; }
  bool looks_at_arrival() const override { return false; }
  bool knows_all_faults() const override { return true; }
  void update_faults(const FaultSet& faults) override { table_.update(faults); }

 private:
  UpDownTable table_;
  unsigned most_ports_ = 1;
};

constexpr std::uint64_t kWentDown = 1;

void check_size(const Topology& t) {
  if (t.router_count() > UpDown::kMostRouters)
    throw KeyError("routing.algorithm",
                   formatted("up-down has a table for at most %1% routers, and this network has %2%; use "
                             "another algorithm, or a smaller network",
                             UpDown::kMostRouters, t.router_count()),
                   {"network.size"});
}

}  // namespace

UpDown::UpDown(const Topology& topology, std::vector<VcMask> masks, const Metric& metric)
    : PartitionedRouting(topology, std::move(masks)), table_(metric) {
  check_size(topology);
  for (RouterId r = 0; r < topology.router_count(); ++r)
    most_ports_ = std::max<unsigned>(most_ports_, topology.port_count(r));
  table_.update(FaultSet(topology));
}

void UpDown::route(const RouteRequest& request, CandidateList& out) const {
  if (request.here == request.destination) return consume(request, out);
  const bool down = request.head_state & kWentDown;
  for (PortId port = 0; port < topology_.port_count(request.here); ++port) {
    const auto far = topology_.neighbour(request.here, port);
    if (!far || !healthy(request, port)) continue;
    if (!table_.leads_on(topology_, request.here, down, port, far->router, request.destination)) continue;
    out.push({.head_state = table_.goes_up(request.here, far->router) ? 0 : kWentDown, .port = port});
  }
}

RoutingEntry up_down_routing() {
  return {
      .name = "up-down",
      .description =
          "up*/down*, any connected graph: away from the root of a breadth-first tree only after "
          "all hops towards it",
      .reference = "[Schroeder91]",
      .structure = [](const Topology& t) { return !t.has_one_way_links(); },
      .options = {{.key = &kMetricOption}, {.key = &kReconfigurationOption}},
      .examples = {{.options = {{"metric", "latency"}}}, {.options = {{"reconfiguration", "immediate"}}}},
      .default_selection = "most-free-vcs",
      .properties = [](const Topology& t, const RoutingSettings& s) -> RoutingProperties {
        check_size(t);
        return {.adaptivity = Adaptivity::partial,
                .proof = DeadlockProof::dependency_graph,
                .extra_hops = greatest_up_down_detour(t, Metric(s)),
                .tolerated_faults = kAnyFaults};
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings& s) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<UpDown>(t, spread_evenly(vcs, 1), Metric(s));
      },
  };
}

}  // namespace flitmend
