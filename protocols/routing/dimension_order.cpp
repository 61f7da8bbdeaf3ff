// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/dimension_order.h"

#include "protocols/routing/registry.h"

namespace flitmend {
namespace {
constexpr Choice kDatelines[] = {
    {"balanced", "either class, drawn at the source, so that both carry similar loads"},
    {"strict", "class 1, as after the dateline"},
    {"halves",
     "any virtual channel; messages that cross use the low half before the dateline, the high half after "
     "it"},
    {"none",
     "no classes: every message takes any virtual channel; a ring of 4 or more nodes can then deadlock"}};
}  // namespace

constexpr OptionKey kDatelineOption{
    .key = {"dateline", "",
            "Dimension order on a torus: the virtual-channel class of messages that never cross the "
            "dateline.",
            kAlways},
    .values = OptionKey::Word{.initial = "balanced", .choices = kDatelines}};

namespace {

bool to_lower_dimension(const LinkDirection& from, const LinkDirection& to) {
  return to.dimension < from.dimension;
}

RoutingProperties dimension_order_properties(const Topology& t, const RoutingSettings& s) {
  RoutingProperties p{.adaptivity = Adaptivity::deterministic,
                      .proof = DeadlockProof::dependency_graph,
                      .forbids_turn = to_lower_dimension};
  if (!has_rings(t)) return p;
  const std::string dateline = s.options.word(kDatelineOption);
  if (dateline == "none") {
    // On a ring of three nodes no message takes two hops.
    const Grid& grid = *structure_of<Grid>(t);
    for (unsigned i = 0; i < grid.dimensions(); ++i)
      if (grid.wraps(i) && grid.radix(i) > 3) p.proof = DeadlockProof::none;
    return p;
  }
  p.virtual_channels = 2;
  p.vc_classes = {"before the dateline", "after the dateline"};
  if (dateline == "halves") {
    p.vc_classes.push_back("both");
    p.proof = DeadlockProof::escape_channels;
    p.atomic_vc_reallocation = true;
  }
  return p;
}

std::unique_ptr<RoutingFunction> make_dimension_order(const Topology& t, unsigned vcs,
                                                      const RoutingSettings& s) {
  const DimensionOrder::Classes classes = DimensionOrder::classes_of(t, vcs, s.options);
  return std::make_unique<DimensionOrder>(t, classes, ring_ties(s.options));
}

}  // namespace

DimensionOrder::Classes DimensionOrder::classes_of(const Topology& t, unsigned vcs, const OptionValues& o) {
  const std::string dateline = o.word(kDatelineOption);
  if (!has_rings(t) || dateline == "none") return {Dateline::none, spread_evenly(vcs, 1)};
  Classes c{dateline == "balanced" ? Dateline::balanced
            : dateline == "halves" ? Dateline::halves
                                   : Dateline::strict,
            spread_evenly(vcs, 2)};
  if (c.dateline == Dateline::halves) c.masks.push_back(c.masks[0] | c.masks[1]);
  return c;
}

void DimensionOrder::route(const RouteRequest& request, CandidateList& out) const {
  for (unsigned i = 0; i < grid_.dimensions(); ++i) {
    const std::int32_t left = grid_.offset(request.here, request.destination, i);
    if (left == 0) continue;
    const bool plus = goes_plus(request.head_state, i, left);
    const PortId port = grid_.port(i, plus);
    if (!healthy(request, port)) return;
    push_hop(request, request.destination, i, plus, out);
    return;
  }
  consume(request, out);
}

std::uint64_t DimensionOrder::drawn_bits(NodeId source, NodeId destination) const {
  return drawn_ties(source, destination) | (dateline_ == Dateline::balanced ? kDrawnClass : 0);
}

std::uint64_t DimensionOrder::initial_state(NodeId source, NodeId destination, RandomStream& random) const {
  const std::uint64_t drawn = drawn_bits(source, destination);
  return drawn ? random.bits() & drawn : 0;
}

std::vector<std::uint64_t> DimensionOrder::initial_states(NodeId source, NodeId destination) const {
  return subsets_of(drawn_bits(source, destination));
}

RoutingEntry dimension_order_routing() {
  return {
      .name = "dimension-order",
      .description =
          "deterministic, lowest dimension first (DOR, XY; e-cube on a hypercube); on a torus with dateline "
          "classes",
      .reference = "[Dally87]",
      .structure = is_grid,
      .options = {{.key = &kDatelineOption, .applies_to = has_rings},
                  {.key = &kTiesOption, .applies_to = has_rings}},
      .examples = {{.options = {{"dateline", "strict"}}},
                   {.options = {{"dateline", "halves"}}},
                   {.options = {{"dateline", "none"}}},
                   {.options = {{"ties", "plus"}}},
                   {.options = {{"dateline", "strict"}, {"ties", "plus"}}}},
      .default_selection = "first",
      .properties = dimension_order_properties,
      .make = make_dimension_order,
  };
}

}  // namespace flitmend
