// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/safe_cube_routing.h"

#include <algorithm>

#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

constexpr Choice kUnsafeRules[] = {
    {"lee-hayes", "two of its neighbours are faulty or unsafe"},
    {"wu-fernandez",
     "two of its neighbours are faulty, or three are faulty or unsafe: fewer nodes are unsafe"}};

}  // namespace

std::vector<bool> unsafe_nodes(const FaultSet& faults, UnsafeRule rule) {
  const Topology& t = faults.topology();
  std::vector<bool> unsafe(t.router_count());
  for (bool changed = true; changed;) {
    changed = false;
    for (RouterId router = 0; router < t.router_count(); ++router) {
      if (unsafe[router] || faults.router_faulty(router)) continue;
      unsigned faulty = 0, either = 0;
      for (PortId port = 0; port < t.port_count(router); ++port)
        if (const auto far = t.neighbour(router, port)) {
          faulty += faults.router_faulty(far->router);
          either += faults.router_faulty(far->router) || unsafe[far->router];
        }
      if (rule == UnsafeRule::lee_hayes ? either < 2 : faulty < 2 && either < 3) continue;
      unsafe[router] = true;
      changed = true;
    }
  }
  return unsafe;
}

constexpr OptionKey kUnsafeOption{
    .key = {"unsafe", "", "When a healthy node of a hypercube is unsafe, and avoided if possible.",
            KeyEffect::only_if_given("faults")},
    .values = OptionKey::Word{.initial = "lee-hayes", .choices = kUnsafeRules}};

UnsafeRule unsafe_rule(const OptionValues& options) {
  return options.word(kUnsafeOption) == "lee-hayes" ? UnsafeRule::lee_hayes : UnsafeRule::wu_fernandez;
}

unsigned tolerated_by_safe_routing(const Topology& t) {
  return std::min(t.dimensions() - 1, 2u);
}

namespace {

/// The entry of an algorithm: the class Algorithm says how many classes of virtual channels it has.
template <class Algorithm>
RoutingEntry safe_cube_entry(std::string_view name, std::string_view description, const char* reference) {
  return {
      .name = name,
      .description = description,
      .reference = reference,
      .structure = is_hypercube,
      .dimensions = {.max = Algorithm::kMostDimensions},
      .options = {{.key = &kUnsafeOption}},
      .examples = {{.options = {{"unsafe", "wu-fernandez"}}}},
      .default_selection = "most-free-vcs",
      .properties = [](const Topology& t, const RoutingSettings&) -> RoutingProperties {
        const unsigned classes = Algorithm::classes(t.dimensions());
        return {.adaptivity = Adaptivity::full,
                .proof = DeadlockProof::dependency_graph,
                .vc_classes = {Algorithm::kClassNames, Algorithm::kClassNames + classes},
                .virtual_channels = classes,
                .tolerated_faults = tolerated_by_safe_routing(t)};
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings& s) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<Algorithm>(t, spread_evenly(vcs, Algorithm::classes(t.dimensions())),
                                           unsafe_rule(s.options));
      },
  };
}

/// Lee and Hayes' fault-tolerant routing on a hypercube [Lee92]: a message makes hop i on virtual channels of
/// class i, counted from 0. The class rises with every hop, so the channel dependency graph has no cycle.
class LeeHayes final : public SafeCubeRouting {
 public:
  static constexpr const char* kClassNames[] = {"hop 1",  "hop 2",  "hop 3",  "hop 4",  "hop 5",  "hop 6",
                                                "hop 7",  "hop 8",  "hop 9",  "hop 10", "hop 11", "hop 12",
                                                "hop 13", "hop 14", "hop 15", "hop 16", "hop 17", "hop 18"};
  static constexpr unsigned kMostDimensions = std::size(kClassNames) - 1;
  static unsigned classes(unsigned dimensions) { return most_hops(dimensions); }

  using SafeCubeRouting::SafeCubeRouting;

  void route(const RouteRequest& request, CandidateList& out) const override {
    if (request.here == request.destination) return consume(request, out);
    const auto vc_class = static_cast<std::uint8_t>(hops_of(request.head_state));
    for_each_hop(request, [&](PortId port, std::uint64_t h) {
      out.push({.head_state = h, .port = port, .vc_class = vc_class});
    });
  }
};

constexpr unsigned kRiseShift = 16;
constexpr std::uint64_t kRise = std::uint64_t{1} << kRiseShift;
constexpr std::uint64_t kHasCleared = std::uint64_t{1} << 24;

/// Lee and Hayes' hops on the virtual channels of Chiu and Wu [Chiu96], of which there are fewer: a message
/// rises to the next class when it sets a bit of the node's number after it has cleared one. In one class
/// hops that set bits come before those that clear them, so the channel dependency graph has no cycle.
///
/// h: as of SafeCubeRouting; bits 16 to 23: class; bit 24: the last hop has cleared a bit.
class ChiuWu final : public SafeCubeRouting {
 public:
  static constexpr const char* kClassNames[] = {
      "before a rise", "after 1 rise",  "after 2 rises", "after 3 rises", "after 4 rises",
      "after 5 rises", "after 6 rises", "after 7 rises", "after 8 rises", "after 9 rises"};
  static constexpr unsigned kMostDimensions = 2 * std::size(kClassNames) - 3;
  /// Every second hop of the longest path rises: 5 classes with 7 dimensions.
  static unsigned classes(unsigned dimensions) { return most_hops(dimensions) / 2 + 1; }

  using SafeCubeRouting::SafeCubeRouting;

  void route(const RouteRequest& request, CandidateList& out) const override {
    if (request.here == request.destination) return consume(request, out);
    for_each_hop(request, [&](PortId port, std::uint64_t h) {
      const bool sets = grid_.port_is_plus(request.here, port);
      const std::uint64_t risen = sets && (h & kHasCleared) ? h + kRise : h;
      out.push({.head_state = (risen & ~kHasCleared) | (sets ? 0 : kHasCleared),
                .port = port,
                .vc_class = static_cast<std::uint8_t>(risen >> kRiseShift & 0xff)});
    });
  }
};

}  // namespace

RoutingEntry lee_hayes_routing() {
  return safe_cube_entry<LeeHayes>(
      "lee-hayes",
      "adaptive around faulty nodes of a hypercube, avoiding unsafe ones; a class of virtual channels per "
      "hop",
      "[Lee92]");
}

RoutingEntry chiu_wu_routing() {
  return safe_cube_entry<ChiuWu>(
      "chiu-wu",
      "adaptive around faulty nodes of a hypercube, avoiding unsafe ones; about half as many classes of "
      "virtual channels as dimensions",
      "[Chiu96]");
}

}  // namespace flitmend
