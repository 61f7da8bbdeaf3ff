// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/duato.h"

#include "protocols/routing/registry.h"
#include "protocols/routing/vc_classes.h"

namespace flitmend {

namespace {

constexpr std::uint64_t kMisroute = std::uint64_t{1} << 60;  // the unit of a count of 2 bits
constexpr std::uint64_t kOnEscape = std::uint64_t{1} << 63;

constexpr OptionKey kMisroutes{
    .key = {"misroutes", "hops",
            "Hops away from its destination that a message may make, each at a router whose faults leave no "
            "productive port. Needs routing.escape: terminal.",
            KeyEffect::only_if_given("faults")},
    .values = OptionKey::Number{.initial = 0, .range = {0, 3}}};
constexpr Choice kEscapes[] = {{"returning", "it may"}, {"terminal", "it stays on escape channels"}};
constexpr OptionKey kEscape{
    .key = {"escape", "", "Whether a message on an escape channel may use adaptive channels again.", kAlways},
    .values = OptionKey::Word{.initial = "returning", .choices = kEscapes}};

bool terminal_escape(const RoutingSettings& s) {
  return s.options.word(kEscape) == "terminal";
}

const char* misroutes_conflict(const RoutingSettings& s) {
  if (terminal_escape(s)) return nullptr;
  return "a message that returns from an escape channel after a misroute can deadlock; set routing.escape "
         "to terminal";
}

unsigned misroutes_of(std::uint64_t h) {
  return static_cast<unsigned>(h >> 60 & 3);
}

}  // namespace

void Duato::route(const RouteRequest& request, CandidateList& out) const {
  if (request.here == request.destination) return consume(request, out);
  if (!(request.head_state & kOnEscape)) {
    push_adaptive(request, out);
    if (out.empty() && misroutes_of(request.head_state) < options_.misroutes) push_misroutes(request, out);
  }
  push_escape(request, out);
}

// A port through which the head came is productive only after a misroute.
void Duato::push_adaptive(const RouteRequest& request, CandidateList& out) const {
  for_each_productive(request.here, request.destination, [&](PortId port, unsigned dimension) {
    if (port != request.arrival_port && healthy(request, port))
      out.push({.head_state = after_hop(request.head_state, dimension), .port = port, .vc_class = adaptive_});
  });
}

void Duato::push_misroutes(const RouteRequest& request, CandidateList& out) const {
  const auto push = [&](unsigned dimension, bool plus) {
    const PortId port = grid_.port(dimension, plus);
    if (port != request.arrival_port && topology_.neighbour(request.here, port) && healthy(request, port))
      out.push({.head_state = after_hop(request.head_state, dimension) + kMisroute,
                .port = port,
                .vc_class = adaptive_});
  };
  for (unsigned i = 0; i < grid_.dimensions(); ++i)
    if (grid_.offset(request.here, request.destination, i) == 0) {
      push(i, true);
      if (grid_.paired_ports()) push(i, false);
    }
  if (!out.empty()) return;
  for (unsigned i = 0; i < grid_.dimensions(); ++i)
    if (const std::int32_t left = grid_.offset(request.here, request.destination, i);
        left != 0 && !tied(i, left))
      push(i, left < 0);
}

void Duato::push_escape(const RouteRequest& request, CandidateList& out) const {
  unsigned i = 0;
  std::int32_t left = 0;
  while ((left = grid_.offset(request.here, request.destination, i)) == 0) ++i;
  const bool plus = goes_plus(request.head_state, i, left);
  const PortId port = grid_.port(i, plus);
  if (!healthy(request, port)) return;
  const std::uint8_t escape =
      grid_.wraps() ? strict_dateline_class(grid_, request.here, request.destination, i, plus) : 0;
  out.push({.head_state = after_hop(request.head_state, i) | (options_.terminal_escape ? kOnEscape : 0),
            .port = port,
            .vc_class = escape,
            .preference = 1,
            .escape = true});
}

std::uint64_t Duato::initial_state(NodeId source, NodeId destination, RandomStream& random) const {
  const std::uint64_t drawn = drawn_ties(source, destination);
  return drawn ? random.bits() & drawn : 0;
}

std::vector<std::uint64_t> Duato::initial_states(NodeId source, NodeId destination) const {
  return subsets_of(drawn_ties(source, destination));
}

RoutingEntry duato_routing() {
  return {
      .name = "duato",
      .description = "fully adaptive minimal, with dimension order on the escape channels",
      .reference = "[Duato93]",
      .structure = is_grid,
      .options = {{.key = &kTiesOption, .applies_to = has_rings},
                  {.key = &kMisroutes, .conflict = misroutes_conflict},
                  {.key = &kEscape}},
      .examples = {{.options = {{"ties", "plus"}}},
                   {.options = {{"escape", "terminal"}}},
                   {.options = {{"misroutes", 1}, {"escape", "terminal"}}}},
      .default_selection = "most-free-vcs",
      .properties = [](const Topology& t, const RoutingSettings& s) -> RoutingProperties {
        const bool terminal = terminal_escape(s);
        RoutingProperties p{.adaptivity = terminal ? Adaptivity::partial : Adaptivity::full,
                            .proof = DeadlockProof::escape_channels,
                            .vc_classes = {"escape", "adaptive"},
                            .virtual_channels = 2,
                            .atomic_vc_reallocation = true,
                            .extra_hops = 2 * static_cast<std::uint32_t>(s.options.number(kMisroutes))};
        if (has_rings(t)) {
          p.vc_classes = {"escape before the dateline", "escape after the dateline", "adaptive"};
          p.virtual_channels = 3;
        }
        return p;
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings& s) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<Duato>(
            t, singles_then_rest(vcs, has_rings(t) ? 2 : 1),
            DuatoOptions{.ties = ring_ties(s.options),
                         .misroutes = static_cast<unsigned>(s.options.number(kMisroutes)),
                         .terminal_escape = terminal_escape(s)});
      },
  };
}

}  // namespace flitmend
