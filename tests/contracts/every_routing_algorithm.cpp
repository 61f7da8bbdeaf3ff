// SPDX-License-Identifier: Apache-2.0
#include "contracts/every_routing_algorithm.h"

#include <bit>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "base/setting_values.h"
#include "protocols/deadlock/checker.h"
#include "protocols/deadlock/class_graph.h"
#include "protocols/deadlock/mirrors.h"
#include "protocols/networks.h"
#include "protocols/routing/selection/registry.h"
#include "support/message_of.h"
#include "topologies/fault_set.h"

namespace flitmend {
namespace {

using Configuration = EveryRoutingAlgorithm::Configuration;

/// A head that requests a route.
struct State {
  RouterId here;
  PortId arrival_port;
  std::uint8_t arrival_vc;
  std::uint64_t h;
  std::uint32_t hops;
  auto operator<=>(const State&) const = default;
};

class FaultyPorts final : public PortStatus {
 public:
  FaultyPorts(const FaultSet& faults, RouterId router) : faults_(faults), router_(router) {}
  bool faulty(PortId port) const override { return faults_.blocked(router_, port); }

 private:
  const FaultSet& faults_;
  RouterId router_;
};

/// Takes every candidate of every state from every source to every destination, and shows each state with its
/// candidates: visit(state, source, destination, candidates). With faults, which the routing function knows,
/// between healthy nodes, and without a limit of hops.
template <class Visit>
void follow_all(const Configuration& c, const RoutingFunction& routing, Visit&& visit,
                const FaultSet* faults = nullptr) {
  const Topology& t = c.topology;
  for (NodeId source = 0; source < t.node_count(); ++source)
    for (NodeId destination = 0; destination < t.node_count(); ++destination) {
      if (source == destination) continue;
      if (faults && (faults->router_faulty(source) || faults->router_faulty(destination))) continue;
      const std::uint32_t most_hops =
          faults ? ~0u : t.distance(source, destination) + c.properties.extra_hops;
      std::vector<State> todo;
      std::set<State> seen;
      for (std::uint64_t h : routing.initial_states(source, destination))
        todo.push_back({source, RouteRequest::kInjected, 0, h, 0});
      while (!todo.empty()) {
        const State s = todo.back();
        todo.pop_back();
        if (!seen.insert(s).second) continue;
        std::optional<FaultyPorts> ports;
        if (faults) ports.emplace(*faults, s.here);
        const auto list = candidates(routing, {s.here, source, destination, s.arrival_port, s.arrival_vc, s.h,
                                               ports ? &*ports : nullptr, nullptr});
        visit(s, source, destination, list);
        if (testing::Test::HasFatalFailure()) return;
        if (s.here == destination) continue;
        for (const RouteCandidate& candidate : list) {
          if (candidate.port == routing.local_port(s.here)) {  // absorbed, and injected again
            todo.push_back({s.here, RouteRequest::kInjected, 0, candidate.head_state, s.hops});
            continue;
          }
          const auto far = t.neighbour(s.here, candidate.port);
          ASSERT_TRUE(far) << c.text << " at " << t.router_name(s.here) << " by port " << candidate.port;
          ASSERT_TRUE(t.carries_flits(s.here, candidate.port))
              << c.text << " at " << t.router_name(s.here) << " by port " << candidate.port;
          ASSERT_LT(s.hops, most_hops)
              << c.text << ' ' << t.router_name(source) << " to " << t.router_name(destination)
              << ": a detour at " << t.router_name(s.here);
          const VcMask mask = routing.class_vcs(s.here, candidate.port, candidate.vc_class);
          todo.push_back({far->router, far->port, static_cast<std::uint8_t>(std::countr_zero(mask)),
                          candidate.head_state, s.hops + 1});
        }
      }
    }
}

/// Every set of 1 to `most` faulty nodes of a small network; of a larger one none.
std::vector<FaultSet> sets_of_faulty_nodes(const Topology& t, unsigned most) {
  constexpr NodeId kMostNodes = 16;
  std::vector<FaultSet> sets;
  if (t.node_count() > kMostNodes) return sets;
  for (unsigned count = 1; count <= most; ++count)
    for (std::uint32_t nodes = 1; nodes < std::uint32_t{1} << t.node_count(); ++nodes) {
      if (static_cast<unsigned>(std::popcount(nodes)) != count) continue;
      FaultSet& faults = sets.emplace_back(t);
      for (NodeId node = 0; node < t.node_count(); ++node)
        if (nodes >> node & 1) faults.fail_router(node);
    }
  return sets;
}

/// Channels from every router to one, by breadth-first search.
std::vector<std::uint32_t> distances_to(const Topology& t, RouterId destination) {
  std::vector<std::uint32_t> d(t.router_count(), ~0u);
  d[destination] = 0;
  for (std::deque<RouterId> todo{destination}; !todo.empty(); todo.pop_front())
    for (PortId p = 0; p < t.port_count(todo.front()); ++p)
      if (const auto far = t.neighbour(todo.front(), p);
          far && t.carries_flits(far->router, far->port) && d[far->router] == ~0u) {
        d[far->router] = d[todo.front()] + 1;
        todo.push_back(far->router);
      }
  return d;
}

std::string direction_text(const LinkDirection& d) {
  return "dimension " + std::to_string(d.dimension) + (d.sign > 0 ? " plus" : d.sign < 0 ? " minus" : "");
}

}  // namespace

EveryRoutingAlgorithm::EveryRoutingAlgorithm() {
  for (const TopologyEntry& topology : GetParam().topologies)
    for (auto& network : make_examples(topology))
      if (entry().applies_to(*network)) networks_.push_back(std::move(network));
}

std::unique_ptr<RoutingFunction> EveryRoutingAlgorithm::Configuration::make(unsigned vcs) const {
  return entry->make(topology, vcs, settings);
}

std::vector<RoutingSettings> EveryRoutingAlgorithm::settings() const {
  std::vector<RoutingSettings> all = {{}};
  all.insert(all.end(), entry().examples.begin(), entry().examples.end());
  for (RoutingSettings& s : all) s.algorithm = entry().name;
  return all;
}

std::vector<Configuration> EveryRoutingAlgorithm::configurations(const RoutingSettings& s) const {
  std::vector<Configuration> all;
  for (const auto& network : networks_) {
    if (!test::message_of([&] { entry().check_options(*network, s); }).empty()) continue;
    std::string text = std::string(entry().name) + " on a " + network->description();
    RoutingSettings given = s, defaults;
    for (std::size_t i = 0; i < values_of(given).size(); ++i)
      if (const SettingValue v = values_of(given)[i]; !v.equals(values_of(defaults)[i]))
        if (const auto* const* word = std::get_if<std::string*>(&v.value)) text += ", " + **word;
    all.push_back({*network, s, entry().properties(*network, s), text, &entry()});
  }
  return all;
}

std::vector<Configuration> EveryRoutingAlgorithm::configurations() const {
  std::vector<Configuration> all;
  for (const RoutingSettings& s : settings())
    for (Configuration& c : configurations(s)) all.push_back(std::move(c));
  return all;
}

std::vector<RoutingCase> registered_algorithms_on(const std::vector<TopologyEntry>& topologies) {
  std::vector<RoutingCase> cases;
  for (const RoutingEntry& entry : routing_algorithms().entries()) cases.push_back({entry, topologies});
  return cases;
}

std::string routing_test_name(const testing::TestParamInfo<RoutingCase>& info) {
  return test_name<RoutingEntry>({info.param.entry, info.index});
}

namespace {

/// The options of an example may be for one network, as a table of routes is.
bool goes_with_a_registered_topology(const RoutingEntry& entry, RoutingSettings s) {
  s.algorithm = entry.name;
  for (const TopologyEntry& topology : topologies().entries())
    for (const auto& network : make_examples(topology))
      if (entry.applies_to(*network) && test::message_of([&] { entry.check_options(*network, s); }).empty())
        return true;
  return false;
}

}  // namespace

TEST_P(EveryRoutingAlgorithm, DescribesItselfAndExercisesItsOptions) {
  EXPECT_FALSE(entry().description.empty());
  EXPECT_TRUE(selections().find(entry().default_selection)) << entry().default_selection;
  EXPECT_FALSE(configurations().empty()) << "no example of any topology is one that it applies to";
  RoutingSettings defaults;
  std::set<std::string_view> exercised;
  for (RoutingSettings s : entry().examples) {
    const auto given = values_of(s), initial = values_of(defaults);
    const std::size_t before = exercised.size();
    for (std::size_t i = 0; i < given.size(); ++i)
      if (!given[i].equals(initial[i])) exercised.insert(given[i].name);
    EXPECT_FALSE(exercised.empty() && before == 0) << "an example gives no option";
    EXPECT_TRUE(!configurations(s).empty() || goes_with_a_registered_topology(entry(), s))
        << "an example's options apply to no network";
  }
  for (const RoutingOption& option : entry().options)
    EXPECT_TRUE(exercised.contains(option.key->name())) << option.key->name() << " is in no example";
  EXPECT_EQ(exercised.size(), entry().options.size()) << "an example gives an option that is not listed";
  for (const Configuration& c : configurations()) {
    EXPECT_STRNE(to_string(c.properties.proof), "");
    EXPECT_STRNE(to_string(c.properties.adaptivity), "");
  }
}

TEST_P(EveryRoutingAlgorithm, EveryChoiceReachesTheDestinationWithinItsHops) {
  for (const Configuration& c : configurations())
    for (unsigned vcs : {c.properties.virtual_channels, c.properties.virtual_channels + 5}) {
      const auto routing = c.make(vcs);
      follow_all(c, *routing, [&](const State& s, NodeId source, NodeId destination, const auto& list) {
        const std::string where = c.text + ": " + c.topology.router_name(source) + " to " +
                                  c.topology.router_name(destination) + " at " +
                                  c.topology.router_name(s.here);
        ASSERT_FALSE(list.empty()) << where;
        EXPECT_EQ(list, candidates(*routing, {s.here, source, destination, s.arrival_port, s.arrival_vc, s.h,
                                              nullptr, nullptr}))
            << where << ": another answer to the same question";
        if (s.here == destination) {
          ASSERT_EQ(list.size(), 1u) << where;
          ASSERT_EQ(list[0].port, routing->local_port(s.here)) << where;
          return;
        }
        bool escape = false;
        unsigned preference = 0;
        for (const RouteCandidate& candidate : list) {
          ASSERT_GE(candidate.preference, preference) << where << ": candidates are in order of preference";
          preference = candidate.preference;
          escape |= candidate.escape;
        }
        if (c.properties.proof == DeadlockProof::escape_channels) {
          ASSERT_TRUE(escape) << where << ": no escape";
        }
      });
      if (HasFatalFailure()) return;
    }
}

TEST_P(EveryRoutingAlgorithm, UsesTheClassesOfVirtualChannelsThatItNames) {
  for (const TopologyEntry& topology : GetParam().topologies)
    for (const RoutingSettings& settings : this->settings()) {
      std::set<unsigned> used, named;
      for (const Configuration& c : configurations(settings)) {
        if (c.topology.name() != topology.name) continue;
        for (unsigned vcs : {c.properties.virtual_channels, 17u, 64u}) {
          const auto routing = c.make(vcs);
          ASSERT_EQ(routing->classes(), c.properties.vc_classes.size()) << c.text;
          for (unsigned i = 0; i < routing->classes(); ++i) named.insert(i);
          const VcMask all = vcs == 64 ? ~VcMask{0} : (VcMask{1} << vcs) - 1;
          EXPECT_EQ(routing->class_vcs(0, routing->local_port(0), 0), all)
              << c.text << ": all virtual channels lead out of the network";
          if (vcs != c.properties.virtual_channels) continue;
          const auto use = [&](const State& s, NodeId, NodeId destination, const auto& list) {
            for (const RouteCandidate& candidate : list) {
              ASSERT_LT(candidate.vc_class, routing->classes()) << c.text;
              const VcMask mask = routing->class_vcs(s.here, candidate.port, candidate.vc_class);
              ASSERT_NE(mask, 0u) << c.text << ": class " << unsigned{candidate.vc_class} << " is empty";
              ASSERT_EQ(mask & ~all, 0u) << c.text << ": class " << unsigned{candidate.vc_class};
              if (s.here != destination) used.insert(candidate.vc_class);
            }
          };
          follow_all(c, *routing, use);
          // Some classes are only for paths around faults.
          const unsigned faulty = c.properties.tolerated_faults > 0 ? 3 : 0;
          for (const FaultSet& faults : sets_of_faulty_nodes(c.topology, faulty)) {
            if (HasFatalFailure()) return;
            if (used.size() == named.size()) break;
            routing->update_faults(faults);
            follow_all(c, *routing, use, &faults);
          }
          if (HasFatalFailure()) return;
        }
      }
      EXPECT_EQ(used, named) << entry().name << " on a " << topology.name << ": a class is never used";
    }
}

TEST_P(EveryRoutingAlgorithm, LooksAtArrivalsOnlyIfItSaysSo) {
  struct OneFaulty final : PortStatus {
    bool faulty(PortId port) const override { return port == 0; }
  } one_faulty;
  const PortStatus* const statuses[] = {nullptr, &one_faulty};
  for (const Configuration& c : configurations()) {
    const auto routing = c.make();
    if (routing->looks_at_arrival()) continue;
    follow_all(c, *routing, [&](const State& s, NodeId source, NodeId destination, const auto&) {
      for (const PortStatus* const status : statuses) {
        const auto list = candidates(
            *routing, {s.here, source, destination, RouteRequest::kInjected, 0, s.h, status, nullptr});
        ASSERT_EQ(list, candidates(*routing, {s.here, source, destination, s.arrival_port, s.arrival_vc, s.h,
                                              status, nullptr}))
            << c.text << " at " << c.topology.router_name(s.here);
      }
    });
    if (HasFatalFailure()) return;
  }
}

TEST_P(EveryRoutingAlgorithm, IsAsAdaptiveAsItSays) {
  for (const RoutingSettings& settings : this->settings()) {
    bool choice = false, restricted = false;
    Adaptivity adaptivity = Adaptivity::deterministic;
    for (const Configuration& c : configurations(settings)) {
      adaptivity = c.properties.adaptivity;
      const auto routing = c.make();
      std::vector<std::vector<std::uint32_t>> distance;
      for (NodeId d = 0; d < c.topology.node_count(); ++d) distance.push_back(distances_to(c.topology, d));
      follow_all(c, *routing, [&](const State& s, NodeId, NodeId destination, const auto& list) {
        if (s.here == destination) return;
        std::set<PortId> offered, productive;
        for (const RouteCandidate& candidate : list) offered.insert(candidate.port);
        for (PortId p = 0; p < c.topology.port_count(s.here); ++p)
          if (const auto far = c.topology.neighbour(s.here, p))
            if (distance[destination][far->router] < distance[destination][s.here]) productive.insert(p);
        choice |= offered.size() > 1;
        const bool all = std::includes(offered.begin(), offered.end(), productive.begin(), productive.end());
        restricted |= !all;
        if (adaptivity == Adaptivity::deterministic) {
          ASSERT_EQ(offered.size(), 1u) << c.text << " at " << c.topology.router_name(s.here);
        }
        if (adaptivity == Adaptivity::full) {
          ASSERT_TRUE(all) << c.text << " at " << c.topology.router_name(s.here);
        }
      });
      if (HasFatalFailure()) return;
    }
    EXPECT_EQ(choice, adaptivity != Adaptivity::deterministic) << entry().name;
    if (adaptivity == Adaptivity::partial) {
      EXPECT_TRUE(restricted) << entry().name << " never leaves out a productive port: it is fully adaptive";
    }
  }
}

TEST_P(EveryRoutingAlgorithm, MakesNoTurnThatItForbidsAndAllOthers) {
  using Turn = std::pair<std::pair<unsigned, int>, std::pair<unsigned, int>>;
  for (const Configuration& c : configurations()) {
    if (!c.properties.forbids_turn) continue;
    const auto routing = c.make();
    std::set<Turn> made;
    std::set<std::pair<unsigned, int>> directions;
    follow_all(c, *routing, [&](const State& s, NodeId, NodeId destination, const auto& list) {
      if (s.here == destination || s.arrival_port == RouteRequest::kInjected) return;
      const LinkDirection back = c.topology.direction(s.here, s.arrival_port).value();
      const LinkDirection from{back.dimension, -back.sign, back.wraps};
      directions.insert({from.dimension, from.sign});
      for (const RouteCandidate& candidate : list) {
        if (candidate.port == routing->local_port(s.here)) continue;
        const LinkDirection to = c.topology.direction(s.here, candidate.port).value();
        directions.insert({to.dimension, to.sign});
        if (from.dimension == to.dimension && from.sign == to.sign) continue;
        ASSERT_FALSE(c.properties.forbids_turn(from, to))
            << c.text << " turns from " << direction_text(from) << " to " << direction_text(to) << " at "
            << c.topology.router_name(s.here);
        made.insert({{from.dimension, from.sign}, {to.dimension, to.sign}});
      }
    });
    if (HasFatalFailure()) return;
    const std::vector<std::uint32_t>& radices = c.topology.radices();
    if (*std::min_element(radices.begin(), radices.end()) < 3) continue;
    for (const auto& a : directions)
      for (const auto& b : directions)
        if (a.first != b.first && !c.properties.forbids_turn({a.first, a.second}, {b.first, b.second})) {
          EXPECT_TRUE(made.contains({a, b}))
              << c.text << " never turns from " << direction_text({a.first, a.second}) << " to "
              << direction_text({b.first, b.second}) << ", and does not say so";
        }
  }
}

TEST_P(EveryRoutingAlgorithm, IsFreeOfDeadlockByTheProofThatItNames) {
  bool can_deadlock = false, proved = true;
  for (const Configuration& c : configurations()) {
    const auto routing = c.make();
    proved = proved && c.properties.proof != DeadlockProof::none;
    const DeadlockAnalysis a = analyse_deadlock(*routing, ChannelMap(*routing), {false, nullptr});
    EXPECT_TRUE(a.routes.sound()) << c.text;
    const std::size_t nodes = c.topology.node_count();
    EXPECT_EQ(a.routes.pairs, nodes * (nodes - 1)) << c.text;
    switch (c.properties.proof) {
      case DeadlockProof::none:
        EXPECT_FALSE(a.escape) << c.text << ": it has escape channels";
        can_deadlock |= a.verdict == DeadlockVerdict::can_deadlock;
        break;  // some networks are too small for a deadlock
      case DeadlockProof::dependency_graph:
        EXPECT_EQ(a.verdict, DeadlockVerdict::free) << c.text;
        EXPECT_EQ(a.argument, DeadlockArgument::dependency_graph) << c.text;
        EXPECT_TRUE(a.cycle.empty()) << c.text;
        EXPECT_FALSE(c.properties.atomic_vc_reallocation) << c.text << ": it needs none";
        break;
      case DeadlockProof::escape_channels:
        EXPECT_EQ(a.verdict, DeadlockVerdict::free) << c.text;
        EXPECT_TRUE(a.argument == DeadlockArgument::dependency_graph ||
                    a.argument == DeadlockArgument::escape_channels)
            << c.text;
        EXPECT_TRUE(!a.needs_atomic_reallocation || c.properties.atomic_vc_reallocation) << c.text;
        break;
    }
  }
  EXPECT_TRUE(proved || can_deadlock) << entry().name << " deadlocks nowhere: name its proof";
}

namespace {

/// By state of a head, arrival channel (or node) and h: whether it leaves the network there, and what it may
/// take.
using HeadStates = std::map<std::pair<std::size_t, std::uint64_t>,
                            std::pair<bool, std::set<std::tuple<std::size_t, std::uint64_t, bool>>>>;

/// The states of the messages to a destination, every channel and every node replaced by its image.
template <class ChannelImage, class NodeImage>
HeadStates head_states(const RoutingFunction& routing, const ChannelMap& channels, const FaultSet& faults,
                       NodeId destination, ChannelImage&& channel, NodeImage&& node) {
  StateExplorer explorer(routing, channels, &faults);
  const StateGraph& g = explorer.explore(destination);
  HeadStates all;
  for (const StateGraph::State& s : g.states) {
    const StateGraph::Point& point = g.points[s.point];
    auto& [consumed, next] = all[{
        s.arrival == kNoChannel ? channels.size() + node(point.here) : std::size_t{channel(s.arrival)}, s.h}];
    consumed = point.consumed;
    for (const StateGraph::Edge& e : g.edges_of(s.point))
      next.insert(
          {e.channel == kNoChannel ? channels.size() + node(point.here) : std::size_t{channel(e.channel)},
           g.states[e.next].h, e.escape});
  }
  return all;
}

/// No fault, and every third node and its links, each alone, as pairs of a set and its mirror image.
std::vector<std::pair<FaultSet, FaultSet>> mirrored_faults(const Topology& t, const GridMirror& mirror) {
  std::vector<std::pair<FaultSet, FaultSet>> all = {{FaultSet(t), FaultSet(t)}};
  for (RouterId r = 0; r < t.router_count(); r += 3) {
    all.emplace_back(FaultSet(t), FaultSet(t));
    all.back().first.fail_router(r);
    all.back().second.fail_router(mirror.router(r));
    for (PortId p = 0; p < t.port_count(r); ++p) {
      if (!t.neighbour(r, p)) continue;
      all.emplace_back(FaultSet(t), FaultSet(t));
      all.back().first.fail_link(r, p);
      all.back().second.fail_link(mirror.router(r), mirror.port(p));
    }
  }
  return all;
}

}  // namespace

TEST_P(EveryRoutingAlgorithm, IsItsOwnImageInTheMirrorsThatItDeclares) {
  constexpr NodeId kMostNodes = 20;
  for (const Configuration& c : configurations()) {
    if (c.topology.node_count() > kMostNodes) continue;
    const auto routing = c.make(), mirrored = c.make();
    const ChannelMap channels(*routing);
    for (const GridMirror& mirror : mirrors_of(*routing)) {
      const ChannelImages images = images_of_channels(channels, *routing, mirror);
      for (const auto& [faults, mirrored_faults] : mirrored_faults(c.topology, mirror)) {
        routing->update_faults(faults);
        mirrored->update_faults(mirrored_faults);
        for (NodeId d = 0; d < c.topology.node_count(); ++d) {
          const HeadStates image = head_states(
              *routing, channels, faults, d, [&](ChannelId i) { return images[i]; },
              [&](RouterId r) { return mirror.router(r); });
          ASSERT_EQ(image, head_states(
                               *mirrored, channels, mirrored_faults, mirror.router(d),
                               [](ChannelId i) { return i; }, [](RouterId r) { return r; }))
              << c.text << ", messages to " << c.topology.router_name(d);
          if (faults.count() > 0) d += 2;  // some destinations are enough
        }
      }
    }
  }
}

TEST_P(EveryRoutingAlgorithm, HasTheClassesOfDestinationsThatItDeclares) {
  RandomStream random(1, RandomPurpose::test);
  for (const Configuration& c : configurations()) {
    const auto routing = c.make();
    const DestinationClasses* const classes = destination_classes(*routing);
    for (NodeId source = 0; classes && source < c.topology.node_count(); ++source)
      for (NodeId destination = 0; destination < c.topology.node_count(); ++destination)
        for (unsigned way = 0; way < 4; ++way)
          ASSERT_EQ(class_contradiction(*routing, *classes, source, destination, random), "") << c.text;
  }
}

TEST_P(EveryRoutingAlgorithm, HasTheSameProofWithoutClassesAndMirrors) {
  for (const Configuration& c : configurations()) {
    const auto routing = c.make();
    if (mirrors_of(*routing).empty() && !few_classes(*routing)) continue;
    const ChannelMap channels(*routing);
    for (const bool cut_through : {false, true}) {
      const DeadlockAnalysis all = analyse_deadlock(
          *routing, channels, {.cut_through = cut_through, .without_classes = true, .without_mirrors = true});
      for (const bool without_classes : {false, true}) {
        const DeadlockAnalysis some = analyse_deadlock(
            *routing, channels, {.cut_through = cut_through, .without_classes = without_classes});
        EXPECT_EQ(describe(some, *routing, channels), describe(all, *routing, channels)) << c.text;
        EXPECT_EQ(some.ranks, all.ranks) << c.text;
      }
    }
  }
}

TEST_P(EveryRoutingAlgorithm, ToleratesTheFaultsThatItClaims) {
  for (const Configuration& c : configurations()) {
    const auto routing = c.make();
    const ChannelMap channels(*routing);
    const unsigned most = std::min(c.properties.tolerated_faults, 2u);
    for (const FaultSet& faults : sets_of_faulty_nodes(c.topology, most)) {
      routing->update_faults(faults);
      const DeadlockAnalysis a = analyse_deadlock(*routing, channels, {false, &faults});
      std::string text = c.text + " without";
      const NodeId nodes = c.topology.node_count();
      std::vector<bool> out_of_use =
          c.properties.disabled ? c.properties.disabled(faults) : std::vector<bool>(nodes);
      for (NodeId node = 0; node < nodes; ++node)
        if (faults.router_faulty(node)) {
          text += " " + c.topology.router_name(node);
          out_of_use[node] = true;
        }
      std::size_t connected = 0;
      for (NodeId from = 0; from < nodes; ++from) {
        const std::vector<bool> seen = reached(faults, from);
        for (NodeId to = 0; to < nodes; ++to)
          connected += to != from && !out_of_use[from] && !out_of_use[to] && seen[to];
      }
      // Where nodes are cut off from each other, escape channels cannot lead from every node to every other.
      if (c.properties.proof == DeadlockProof::dependency_graph || connected == a.routes.pairs) {
        ASSERT_EQ(a.verdict, DeadlockVerdict::free) << text;
      }
      ASSERT_EQ(a.routes.pairs - a.routes.without_route, connected) << text;
      ASSERT_EQ(a.routes.can_strand, 0u) << text;
      ASSERT_TRUE(a.routes.livelock.empty()) << text;
    }
  }
}

TEST_P(EveryRoutingAlgorithm, DrawsTheInitialStatesThatTheDeadlockCheckerVisits) {
  RandomStream random(1, RandomPurpose::test);
  for (const Configuration& c : configurations()) {
    const auto routing = c.make();
    const NodeId last = c.topology.node_count() - 1;
    // The middle of every ring of even radix is at a tie.
    std::vector<std::int64_t> middle;
    for (const std::uint32_t k : c.topology.radices()) middle.push_back(k / 2);
    const NodeId farthest = c.topology.node_at(middle).value_or(last);
    for (const auto& [from, to] :
         {std::pair{NodeId{0}, NodeId{1}}, {NodeId{0}, last}, {last, NodeId{0}}, {NodeId{0}, farthest}}) {
      const auto listed = routing->initial_states(from, to);
      std::set<std::uint64_t> drawn;
      for (int i = 0; i < 200; ++i) drawn.insert(routing->initial_state(from, to, random));
      EXPECT_EQ(drawn, std::set<std::uint64_t>(listed.begin(), listed.end())) << c.text;
    }
  }
}

TEST_P(EveryRoutingAlgorithm, OffersNoFaultyPort) {
  struct AllFaulty final : PortStatus {
    bool faulty(PortId) const override { return true; }
  } all;
  for (const Configuration& c : configurations()) {
    const auto routing = c.make();
    for (std::uint64_t h : routing->initial_states(0, 1))
      EXPECT_TRUE(candidates(*routing, head(0, 1, h, &all)).empty()) << c.text;
    EXPECT_EQ(candidates(*routing, head(1, 1, 0, &all)).size(), 1u) << c.text;
  }
}

}  // namespace flitmend
