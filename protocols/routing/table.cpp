// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "base/input_file.h"
#include "protocols/routing/partitioned_routing.h"
#include "protocols/routing/registry.h"
#include "protocols/routing/route_table.h"
#include "protocols/routing/settings.h"

namespace flitmend {
namespace {

constexpr std::size_t kMostTableBytes = std::size_t{256} << 20;

constexpr OptionKey kTable{
    .key = {"table", "",
            "File of comma-separated values with the hops of every router and destination, or these values "
            "themselves; empty: the first port on a path that is shortest by routing.metric.",
            kAlways},
    .values = OptionKey::Text{}};

RouteTable table_of(const Topology& t, const RoutingSettings& s) {
  const std::string given = table_option(s);
  if (given.empty()) return RouteTable::shortest_paths(t, Metric(s));
  return is_route_table(given) ? RouteTable::from_csv(t, given, "routing.table")
                               : RouteTable::from_csv(t, read_input_text(given, kMostTableBytes), given);
}

const char* metric_conflict(const RoutingSettings& s) {
  return s.options.word(kTable).empty() ? nullptr
                                        : "latency, but routing.table names the hops; remove one of the two";
}

constexpr std::string_view kClassNames[] = {"0", "1", "2",  "3",  "4",  "5",  "6",  "7",
                                            "8", "9", "10", "11", "12", "13", "14", "15"};
static_assert(std::size(kClassNames) == RouteTable::kMostClasses);

/// For the ring that is an example of topology file: the last hop of a message is in class 0, the one before
/// it in class 1.
constexpr const char* kRingTable = R"(router,destination,next,class
router_a,router_b,router_b,0
router_a,router_c,to_b,1
router_a,router_d,router_d,0
router_b,router_a,router_a,0
router_b,router_c,router_c,0
router_b,router_d,to_c,1
router_c,router_a,to_d,1
router_c,router_b,router_b,0
router_c,router_d,router_d,0
router_d,router_a,router_a,0
router_d,router_b,to_a,1
router_d,router_c,router_c,0
)";

/// Routing by a table of the user's: the hops of the present router and the destination, all of the same
/// preference. Whether that can deadlock is for the deadlock checker to say.
class TableRouting : public PartitionedRouting {
 public:
  /// `masks`: as many classes as the table has.
  TableRouting(const Topology& topology, std::vector<VcMask> masks, RouteTable table)
      : PartitionedRouting(topology, std::move(masks)), table_(std::move(table)) {}

  void route(const RouteRequest& request, CandidateList& out) const override {
    if (request.here == request.destination) return consume(request, out);
    for (const RouteTable::Hop& hop : table_.hops(request.here, request.destination))
      if (healthy(request, hop.port))
        out.push({.head_state = request.head_state,
                  .port = hop.port,
                  .vc_class = hop.vc_class,
                  .escape = hop.escape});
  }

  unsigned max_candidates() const override { return table_.most_hops(); }
  bool looks_at_arrival() const override { return false; }

 private:
  RouteTable table_;
};

}  // namespace

std::string table_option(const RoutingSettings& s) {
  return s.options.word(kTable);
}

bool is_route_table(const std::string& value) {
  return value.find('\n') != std::string::npos;
}

RoutingEntry table_routing() {
  return {
      .name = "table",
      .description = "any connected graph: the hops that a table names",
      .reference = "[DallyTowles04]",
      .structure = [](const Topology&) { return true; },
      .options = {{.key = &kTable}, {.key = &kMetricOption, .conflict = metric_conflict}},
      .examples = {{.options = {{"table", kRingTable}}}, {.options = {{"metric", "latency"}}}},
      .default_selection = "first",
      .check = [](const Topology& t, const RoutingSettings& s) { table_of(t, s); },
      .properties = [](const Topology& t, const RoutingSettings& s) -> RoutingProperties {
        const RouteTable table = table_of(t, s);
        return {.adaptivity = table.most_hops() > 1 ? Adaptivity::partial : Adaptivity::deterministic,
                .proof = DeadlockProof::none,
                .vc_classes = table.classes() == 1
                                  ? std::vector<std::string_view>{"any"}
                                  : std::vector<std::string_view>(kClassNames, kClassNames + table.classes()),
                .virtual_channels = table.classes(),
                .extra_hops = table.greatest_detour(t)};
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings& s) -> std::unique_ptr<RoutingFunction> {
        RouteTable table = table_of(t, s);
        std::vector<VcMask> masks = spread_evenly(vcs, table.classes());
        return std::make_unique<TableRouting>(t, std::move(masks), std::move(table));
      },
  };
}

}  // namespace flitmend
