// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/intermediate_nodes.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/errors.h"
#include "base/text.h"
#include "protocols/routing/intermediate_nodes/masked_table.h"
#include "protocols/routing/partitioned_routing.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

constexpr unsigned kMostIntermediates = IntermediateList::kMaxIntermediates;

constexpr Choice kTableForms[] = {
    {"linear", "an entry per destination"},
    {"by-destination", "an entry per destination that needs intermediate nodes"},
    {"masked",
     "entries with masks and priorities, each for all destinations that it "
     "matches"}};
constexpr Choice kSegmentWays[] = {
    {"deterministic", "lowest dimension first"},
    {"adaptive", "any dimension that is left, with lowest dimension first on escape channels"}};

constexpr OptionKey kIntermediatesKey{
    .key = {"intermediates", "nodes",
            "Intermediate nodes that a message may pass on its way around faults. Each additional one needs "
            "more virtual channels.",
            kAlways},
    .values = OptionKey::Number{.initial = 2, .range = {0, kMostIntermediates}}};
constexpr OptionKey kPolicyKey{
    .key = {"intermediate_policy", "", "Which chain of intermediate nodes a pair of nodes takes.",
            KeyEffect::only_if_given("faults")},
    .values = OptionKey::Word{.initial = "minimal-first", .choices = kIntermediatePolicies}};
constexpr OptionKey kTieKey{
    .key = {"intermediate_ties", "", "Which of several equally good chains of intermediate nodes it takes.",
            KeyEffect::only_if_given("faults")},
    .values = OptionKey::Word{.initial = "random", .choices = kIntermediateTies}};
constexpr OptionKey kTableKey{
    .key = {"intermediate_table", "",
            "The table of a network interface, in which a message finds its intermediate nodes.", kAlways},
    .values = OptionKey::Word{.initial = "by-destination", .choices = kTableForms}};
constexpr OptionKey kSegmentsKey{
    .key = {"segments", "", "How a message gets from one intermediate node to the next.", kAlways},
    .values = OptionKey::Word{.initial = "deterministic", .choices = kSegmentWays}};
constexpr OptionKey kRecomputationKey{
    .key = {"recomputation_cycles", "cycles",
            "Cycles in which a management step recomputes tables, after a fault or a repair during the run "
            "has stopped the sources and the network has drained.",
            KeyEffect::only_if_given("faults.node_rate faults.link_rate faults.aim.rate faults.events")},
    .values = OptionKey::Number{.initial = 1000, .range = {0, 1 << 30}}};

unsigned intermediates_of(const RoutingSettings& s) {
  return static_cast<unsigned>(s.options.number(kIntermediatesKey));
}
bool has_adaptive_segments(const RoutingSettings& s) {
  return s.options.word(kSegmentsKey) == "adaptive";
}
IntermediateTableForm table_form_of(const RoutingSettings& s) {
  const std::string name = s.options.word(kTableKey);
  unsigned i = 0;
  while (kTableForms[i].name != name) ++i;
  return static_cast<IntermediateTableForm>(i);
}

bool has_equal_radices(const Topology& t) {
  if (!is_switched_grid(t)) return false;
  const auto& k = t.radices();
  return std::all_of(k.begin(), k.end(), [&](std::uint32_t radix) { return radix == k.front(); });
}

KnsShape kns_shape_of(const Topology& t) {
  return {t.radix(0), t.dimensions()};
}

unsigned escape_classes(const Topology& t, unsigned intermediates) {
  return (intermediates + 1) * t.dimensions();
}

void check_intermediates(const Topology& t, const RoutingSettings& s) {
  const unsigned x = intermediates_of(s);
  if (const IntermediateHead head(kns_shape_of(t), x); head.bits() > 64)
    throw KeyError(
        "routing.intermediates",
        formatted("a head with %1% intermediate nodes takes %2% bits on %3%, and has 64; use fewer", x,
                  head.bits(), t.description()),
        {"network.k", "network.n"});
  if (table_form_of(s) == IntermediateTableForm::linear && t.node_count() > IntermediateNodes::kMostLinear)
    throw KeyError("routing.intermediate_table",
                   formatted("linear tables are for at most %1% nodes, and %2% has %3%; use by-destination",
                             IntermediateNodes::kMostLinear, t.description(), t.node_count()),
                   {"network.k", "network.n"});
  if (has_adaptive_segments(s) && !structure_of<SwitchedGrid>(t)->one_switch_each())
    throw KeyError("routing.segments",
                   "adaptive segments need subnetworks of one switch, and this is a " + t.description() +
                       "; use deterministic ones",
                   {"network.subnetwork"});
  const unsigned needed = escape_classes(t, x) + 1;
  if (has_adaptive_segments(s) && needed > kMaxVirtualChannels)
    throw KeyError("routing.segments",
                   formatted("adaptive segments with %1% intermediate nodes need %2% virtual channels on "
                             "%3%, and a physical channel has at most %4%; use deterministic ones",
                             x, needed, t.description(), kMaxVirtualChannels),
                   {"routing.intermediates", "network.n"});
  // Tables are made only when there are faults. Errors that they would find then are reported now.
  const KnsFaults none(kns_shape_of(t));
  const IntermediateChooser chooser(none, {.max_intermediates = x,
                                           .policy = intermediate_policy(s.options.word(kPolicyKey)),
                                           .ties = intermediate_tie(s.options.word(kTieKey))});
  if (table_form_of(s) == IntermediateTableForm::masked) static_cast<void>(MaskedTable(chooser, 0));
}

/// Names of classes, which live as long as the program.
std::vector<std::string_view> class_names(unsigned segments, unsigned dimensions, bool adaptive) {
  static constexpr std::array<std::string_view, kMostIntermediates + 1> kSegmentNames{
      "segment 0", "segment 1", "segment 2", "segment 3", "segment 4",
      "segment 5", "segment 6", "segment 7", "segment 8"};
  static constexpr std::array<std::string_view, kMostIntermediates + 1> kEscapeNames{
      "escape of segment 0", "escape of segment 1", "escape of segment 2",
      "escape of segment 3", "escape of segment 4", "escape of segment 5",
      "escape of segment 6", "escape of segment 7", "escape of segment 8"};
  static constexpr std::array<std::string_view, kMostIntermediates + 1> kOutOfOrderNames{
      "escape of segment 0, out of order", "escape of segment 1, out of order",
      "escape of segment 2, out of order", "escape of segment 3, out of order",
      "escape of segment 4, out of order", "escape of segment 5, out of order",
      "escape of segment 6, out of order", "escape of segment 7, out of order",
      "escape of segment 8, out of order"};
  std::vector<std::string_view> names;
  for (unsigned j = 0; j < segments; ++j) {
    names.push_back(adaptive ? kEscapeNames[j] : kSegmentNames[j]);
    if (adaptive) names.insert(names.end(), dimensions - 1, kOutOfOrderNames[j]);
  }
  if (adaptive) names.push_back("adaptive");
  return names;
}

}  // namespace

IntermediateNodes::IntermediateNodes(const Topology& topology, std::vector<VcMask> masks,
                                     const IntermediateOptions& options)
    : PartitionedRouting(topology, std::move(masks)),
      grid_(*structure_of<SwitchedGrid>(topology)),
      routes_(grid_),
      shape_(kns_shape_of(topology)),
      options_(options),
      head_(shape_, options.choice.max_intermediates) {}

void IntermediateNodes::update_faults(const FaultSet& faults) {
  tables_.reset();
  routes_.update_faults(faults);
  if (faults.count() > 0)
    tables_ = std::make_unique<SourceTables>(kns_faults_of(grid_, faults), options_.choice, options_.table);
}

RouteTableSize IntermediateNodes::table_size() const {
  if (tables_) {
    const TableSize size = tables_->size();
    return {size.entries, size.bits};
  }
  if (options_.table != IntermediateTableForm::linear) return {};
  const std::uint64_t entries = std::uint64_t{shape_.node_count()} * shape_.node_count();
  return {entries, entries * TableFields(shape_, options_.choice.max_intermediates).list};
}

IntermediateFields IntermediateNodes::intermediate_fields(std::uint64_t h) const {
  if (head_.unreachable(h)) return {};
  return {head_.left(h), head_.next(h), head_.segment(h)};
}

unsigned IntermediateNodes::lowest_left(NodeId router, NodeId target) const {
  unsigned i = 0;
  while (i < grid_.dimensions() && grid_.coordinate(router, i) == grid_.coordinate(target, i)) ++i;
  return i;
}

void IntermediateNodes::route(const RouteRequest& request, CandidateList& out) const {
  std::uint64_t h = request.head_state;
  if (h == 0) [[likely]] {
    if (grid_.is_switch(request.here)) return route_at_switch(request, h, request.destination, out);
    if (request.here == request.destination) return consume(request, out);
    return route_at_node(request, h, request.destination, out);
  }
  if (head_.unreachable(h)) return;
  while (head_.left(h) > 0 && head_.next(h) == request.here) h = head_.passed(h);
  const NodeId target = head_.left(h) > 0 ? head_.next(h) : request.destination;
  if (grid_.is_switch(request.here)) return route_at_switch(request, h, target, out);
  if (request.here == target) return consume(request, out);
  route_at_node(request, h, target, out);
}

void IntermediateNodes::route_at_switch(const RouteRequest& request, std::uint64_t h, NodeId target,
                                        CandidateList& out) const {
  const std::optional<PortId> found = routes_.port(request.here, target);
  if (!found || !healthy(request, *found)) return;
  const PortId port = *found;
  if (!options_.adaptive) {
    out.push({.head_state = h, .port = port, .vc_class = static_cast<std::uint8_t>(head_.segment(h))});
    return;
  }
  const unsigned dimension = grid_.switch_dimension(request.here);
  const NodeId next = topology_.neighbour(request.here, port)->router;
  const unsigned left = lowest_left(next, target);
  const auto adaptive = static_cast<std::uint8_t>(classes() - 1);
  out.push({.head_state = h, .port = port, .vc_class = adaptive});
  out.push({.head_state = h,
            .port = port,
            .vc_class = escape_class(h, left < dimension ? left + 1 : 0),
            .preference = 1,
            .escape = true});
}

void IntermediateNodes::route_at_node(const RouteRequest& request, std::uint64_t h, NodeId target,
                                      CandidateList& out) const {
  const unsigned lowest = lowest_left(request.here, target);
  if (!options_.adaptive) {
    const auto port = static_cast<PortId>(lowest);
    if (healthy(request, port))
      out.push({.head_state = h, .port = port, .vc_class = static_cast<std::uint8_t>(head_.segment(h))});
    return;
  }
  route_adaptively(request, h, target, lowest, out);
}

void IntermediateNodes::route_adaptively(const RouteRequest& request, std::uint64_t h, NodeId target,
                                         unsigned lowest, CandidateList& out) const {
  // Here a new segment begins, or the last hop was in order: any dimension. Else higher ones than that of the
  // last hop, and the lowest. Port i leads to the switch of dimension i.
  const bool begins = request.arrival_port == RouteRequest::kInjected || h != request.head_state;
  const unsigned above = begins || request.arrival_port < lowest ? lowest : request.arrival_port;
  const auto adaptive = static_cast<std::uint8_t>(classes() - 1);
  for (unsigned i = lowest; i < grid_.dimensions(); ++i)
    if (const auto port = static_cast<PortId>(i);
        (i == lowest || i > above) && grid_.coordinate(request.here, i) != grid_.coordinate(target, i) &&
        healthy(request, port) && leads_on(request.here, target, i))
      out.push({.head_state = h, .port = port, .vc_class = adaptive});
  if (const auto port = static_cast<PortId>(lowest); healthy(request, port))
    out.push(
        {.head_state = h, .port = port, .vc_class = escape_class(h, 0), .preference = 1, .escape = true});
}

bool IntermediateNodes::leads_on(NodeId here, NodeId target, unsigned dimension) const {
  if (!tables_) return true;
  const KnsFaults& faults = tables_->faults();
  const NodeId next = shape_.with_digit(here, dimension, faults.digit(target, dimension));
  return !faults.dead(here, dimension) && !faults.dead(next, dimension) && faults.clean(next, target);
}

RoutingEntry intermediate_nodes_routing() {
  return {
      .name = "intermediate-nodes",
      .description =
          "KNS: around known faults through intermediate nodes, named by a table at the source; hybrid-dor "
          "from one to the next, on separate virtual channels each time",
      .reference = "[Penaranda17]",
      .structure = has_equal_radices,
      .options = {{.key = &kIntermediatesKey},
                  {.key = &kPolicyKey},
                  {.key = &kTieKey},
                  {.key = &kTableKey},
                  {.key = &kSegmentsKey},
                  {.key = &kRecomputationKey}},
      .examples = {{.options = {{"intermediate_policy", "fewest"}, {"intermediates", 1}}},
                   {.options = {{"intermediate_ties", "first"}}},
                   {.options = {{"intermediate_table", "linear"}, {"recomputation_cycles", 0}}},
                   {.options = {{"intermediate_table", "masked"}}},
                   {.options = {{"segments", "adaptive"}, {"intermediates", 1}}}},
      .default_selection = "most-free-vcs",
      .check = check_intermediates,
      .properties = [](const Topology& t, const RoutingSettings& s) -> RoutingProperties {
        const unsigned x = intermediates_of(s);
        const bool adaptive = has_adaptive_segments(s);
        RoutingProperties p{
            .adaptivity = !adaptive            ? Adaptivity::deterministic
                          : t.dimensions() > 2 ? Adaptivity::partial
                                               : Adaptivity::full,
            .proof = adaptive ? DeadlockProof::escape_channels : DeadlockProof::dependency_graph,
            .vc_classes = class_names(x + 1, t.dimensions(), adaptive),
            .atomic_vc_reallocation = adaptive,
            .tolerated_faults = x > 0 ? 1u : 0u};
        p.virtual_channels = static_cast<unsigned>(p.vc_classes.size());
        return p;
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings& s) -> std::unique_ptr<RoutingFunction> {
        const unsigned x = intermediates_of(s);
        const bool adaptive = has_adaptive_segments(s);
        return std::make_unique<IntermediateNodes>(
            t, adaptive ? singles_then_rest(vcs, escape_classes(t, x)) : spread_evenly(vcs, x + 1),
            IntermediateOptions{
                .choice = {.max_intermediates = x,
                           .policy = intermediate_policy(s.options.word(kPolicyKey)),
                           .ties = intermediate_tie(s.options.word(kTieKey))},
                .table = table_form_of(s),
                .adaptive = adaptive,
                .recomputation_cycles = static_cast<std::uint64_t>(s.options.number(kRecomputationKey))});
      },
  };
}

}  // namespace flitmend
