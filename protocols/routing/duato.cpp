// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/mirrored_routing.h"
#include "protocols/routing/offset_classes.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

constexpr std::uint64_t kOnEscape = std::uint64_t{1} << 63;

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

/// The options of Duato's algorithm.
struct DuatoOptions {
  RingTies ties = RingTies::plus;
  unsigned misroutes = 0;        ///< hops away from the destination that a message may make, at most 3
  bool terminal_escape = false;  ///< a message on an escape channel stays on escape channels
};

/// Duato's fully adaptive minimal routing [Duato93]: any productive port on the adaptive virtual channels,
/// else dimension order on the escape channels (on a torus with its dateline classes). A message may return
/// from an escape channel to an adaptive one. The extended channel dependency graph of the escape channels
/// has no cycle. The proof requires that a waiting head can take any free candidate, and that a virtual
/// channel is given to a new message only when it is empty.
///
/// With misroutes, a head at a router whose faults leave it no productive port may take another port: in a
/// dimension in which it has arrived, else back in one in which it has not; never to the router that it came
/// from. From there it does not return at once, except on an escape channel.
///
/// h: the directions drawn at ties, a bit per dimension; only the escape channels use them, since both
/// directions are productive. Bits 60 and 61: misroutes so far. Bit 63: on a terminal escape channel.
///
/// Classes: the escape classes first (mesh, hypercube: 0; torus: 0 and 1; one virtual channel each), then the
/// adaptive class.
class Duato : public GridRouting, public MirroredRouting, public OffsetClasses {
 public:
  /// The topology is a grid. `masks`: 2 classes without rings, 3 with.
  Duato(const Topology& topology, std::vector<VcMask> masks, const DuatoOptions& options = {})
      : GridRouting(topology, std::move(masks), options.ties),
        OffsetClasses(grid_),
        options_(options),
        adaptive_(grid_.wraps() ? 2 : 1) {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override {
    return 1 + (options_.misroutes > 0 ? 2 * grid_.dimensions() : most_productive());
  }
  bool looks_at_arrival() const override { return options_.misroutes > 0; }
  bool has_escape_channels() const override { return true; }
  std::uint64_t initial_state(NodeId source, NodeId destination, RandomStream& random) const override;
  std::vector<std::uint64_t> initial_states(NodeId source, NodeId destination) const override;
  std::uint32_t mirrored_dimensions() const override { return dimensions_without_ties(); }

 private:
  void push_adaptive(const RouteRequest&, CandidateList&) const;
  void push_misroutes(const RouteRequest&, CandidateList&) const;
  void push_escape(const RouteRequest&, CandidateList&) const;

  DuatoOptions options_;
  std::uint8_t adaptive_;  ///< class of the adaptive virtual channels
};

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
                  {.key = &kMisroutesOption, .conflict = misroutes_conflict},
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
                            .extra_hops = 2 * static_cast<std::uint32_t>(s.options.number(kMisroutesOption))};
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
                         .misroutes = static_cast<unsigned>(s.options.number(kMisroutesOption)),
                         .terminal_escape = terminal_escape(s)});
      },
  };
}

}  // namespace flitmend
