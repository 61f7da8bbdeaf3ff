// SPDX-License-Identifier: Apache-2.0
// Messages under way while one set of faults becomes another.
#include "protocols/deadlock/fault_changes.h"

#include <gtest/gtest.h>

#include <memory>

#include "base/random_stream.h"
#include "protocols/networks.h"
#include "protocols/routing/reconfiguration.h"
#include "protocols/scripted_routing.h"
#include "topologies/fault_set.h"
#include "topologies/hypercube.h"
#include "topologies/mesh.h"
#include "topologies/torus.h"

namespace flitmend {
namespace {

/// Sets of faults, with the routing functions of an algorithm.
class Changes {
 public:
  Changes(const Topology& topology, RoutingSettings settings, unsigned vcs = 0)
      : topology_(topology),
        settings_(std::move(settings)),
        vcs_(vcs ? vcs : routing_properties(topology, settings_).virtual_channels) {}

  Changes& add(const FaultSet& faults) {
    auto routing = make_routing(topology_, vcs_, settings_);
    faults_.push_back(std::make_unique<FaultSet>(faults));
    routing->update_faults(*faults_.back());
    routings_.push_back(std::move(routing));
    return *this;
  }
  Changes& add_single_faults() {
    add(FaultSet(topology_));
    for (RouterId r = 0; r < topology_.router_count(); ++r) {
      FaultSet node(topology_);
      node.fail_router(r);
      add(node);
      for (PortId port = 0; port < topology_.port_count(r); ++port) {
        const auto far = topology_.neighbour(r, port);
        if (!far || far->router < r) continue;
        FaultSet link(topology_);
        link.fail_link(r, port);
        add(link);
      }
    }
    return *this;
  }
  FaultChangeAnalysis analyse(bool in_order, bool cut_through = false) const {
    std::vector<RoutedFaults> sets;
    for (std::size_t i = 0; i < faults_.size(); ++i) sets.push_back({faults_[i].get(), routings_[i].get()});
    return analyse_fault_changes(sets, in_order, {.cut_through = cut_through});
  }
  const RoutingFunction& first() const { return *routings_.front(); }

 private:
  const Topology& topology_;
  RoutingSettings settings_;
  unsigned vcs_;
  std::vector<std::unique_ptr<FaultSet>> faults_;
  std::vector<std::unique_ptr<RoutingFunction>> routings_;
};

FaultSet faulty_link(const Topology& t, RouterId a, RouterId b) {
  FaultSet faults(t);
  for (PortId port = 0; port < t.port_count(a); ++port)
    if (const auto far = t.neighbour(a, port); far && far->router == b) faults.fail_link(a, port);
  return faults;
}

// On a line no message can turn, whatever is faulty: channels depend on those of the same direction.
TEST(FaultChanges, OnALineNothingIsNeeded) {
  const Mesh line({5});
  const FaultChangeAnalysis a = Changes(line, algorithm("up-down")).add_single_faults().analyse(false);
  EXPECT_EQ(a.verdict, DeadlockVerdict::free);
  EXPECT_EQ(a.argument, DeadlockArgument::dependency_graph);
  EXPECT_FALSE(a.needs_atomic_reallocation);
}

/// On a ring of four routers, along the line that is left without the link from router `cut` to the next.
ScriptedRouting along_line(const Torus& ring, RouterId cut) {
  return {
      ring, 1,
      [cut](const ScriptedRouting& r, const RouteRequest& q, const std::vector<PortId>&, CandidateList& out) {
        bool crosses = false;
        for (RouterId at = q.here; at != q.destination; at = (at + 1) % 4) crosses |= at == cut;
        out.push({.port = r.grid().port(0, !crosses)});
      }};
}

// A message that has gone towards one end of the line turns back when another link is missing: six messages,
// on three channels in either direction, close a cycle.
TEST(FaultChanges, MessagesThatTurnBackCloseACycle) {
  const Torus ring({4});
  const ScriptedRouting first = along_line(ring, 3), second = along_line(ring, 1);
  const FaultSet none(ring);
  for (const RoutingFunction* const only : {&first, &second})
    EXPECT_EQ(analyse_fault_changes({{&none, only}}, true).argument, DeadlockArgument::dependency_graph);
  for (const bool in_order : {true, false})
    for (const bool cut_through : {true, false}) {
      const FaultChangeAnalysis a =
          analyse_fault_changes({{&none, &first}, {&none, &second}}, in_order, {.cut_through = cut_through});
      EXPECT_EQ(a.verdict, DeadlockVerdict::can_deadlock);
      EXPECT_EQ(a.argument, DeadlockArgument::cut_through_fixpoint);
      EXPECT_EQ(a.set, in_order ? 1u : 0u) << "in any order the first set can come after the second";
      ASSERT_EQ(a.deadlock.size(), 6u);
      for (const BlockedMessage& m : a.deadlock) {
        EXPECT_EQ(m.holds.size(), 1u);
        EXPECT_EQ(m.wants.size(), 1u);
      }
    }
}

// Up-down does not turn up again after it has turned down. A head that would have to is dropped, which proves
// as much as an order does if whole packets are in one virtual channel each.
TEST(FaultChanges, AHeadWithoutACandidateIsDropped) {
  const Mesh ring({2, 2});
  Changes changes(ring, algorithm("up-down"));
  changes.add(faulty_link(ring, 0, 1)).add(faulty_link(ring, 2, 3));
  EXPECT_EQ(changes.analyse(true).verdict, DeadlockVerdict::not_proved);
  const FaultChangeAnalysis whole_packets = changes.analyse(true, true);
  EXPECT_EQ(whole_packets.verdict, DeadlockVerdict::free);
  EXPECT_EQ(whole_packets.argument, DeadlockArgument::cut_through_fixpoint);
}

// An algorithm that looks at the fault status of its own ports only has fewer candidates at a fault, and
// maybe a detour that is proved like any other candidate.
TEST(FaultChanges, RoutesByTheOwnPortsNeedNothing) {
  std::vector<std::unique_ptr<Topology>> networks;
  networks.push_back(std::make_unique<Mesh>(std::vector<unsigned>{3, 3}));
  networks.push_back(std::make_unique<Hypercube>(3));
  networks.push_back(std::make_unique<Torus>(std::vector<unsigned>{4, 3}));
  unsigned checked = 0;
  for (const auto& network : networks)
    for (const RoutingEntry& entry : routing_algorithms().entries()) {
      if (!entry.applies_to(*network)) continue;
      std::vector<RoutingSettings> all = entry.examples;
      all.emplace_back();
      for (RoutingSettings& settings : all) {
        settings.algorithm = entry.name;
        try {
          entry.check_options(*network, settings);
        } catch (const ConfigurationError&) {
          continue;
        }
        const RoutingProperties properties = routing_properties(*network, settings);
        Changes changes(*network, settings);
        changes.add_single_faults();
        if (changes.first().knows_all_faults() || changes.first().needs_management() || properties.absorbs)
          continue;
        const DeadlockAnalysis without = analyse_deadlock(changes.first(), ChannelMap(changes.first()));
        if (without.argument != DeadlockArgument::dependency_graph &&
            without.argument != DeadlockArgument::escape_channels)
          continue;
        ++checked;
        EXPECT_EQ(changes.analyse(false).verdict, DeadlockVerdict::free)
            << entry.name << " on " << network->description();
      }
    }
  EXPECT_GT(checked, 20u);
}

/// Random sets of faults, none first.
std::vector<FaultSet> random_sets(const Topology& topology, unsigned count) {
  RandomStream random(7, RandomPurpose::test);
  std::vector<FaultSet> sets{FaultSet(topology)};
  while (sets.size() < count) {
    FaultSet faults(topology);
    for (std::uint32_t i = 0; i < 1 + random.below(3); ++i) {
      const RouterId router = random.below(topology.router_count());
      const auto port = static_cast<PortId>(random.below(topology.port_count(router)));
      if (random.below(2) == 0)
        faults.fail_router(router);
      else if (topology.neighbour(router, port))
        faults.fail_link(router, port);
    }
    sets.push_back(faults);
  }
  return sets;
}

/// Calls f(entry, settings, network) for each algorithm that routes by the set of all faults, on every
/// network to which it applies.
template <class F>
void for_each_that_knows_all_faults(bool reorders, F&& f) {
  std::vector<std::unique_ptr<Topology>> networks;
  networks.push_back(std::make_unique<Mesh>(std::vector<unsigned>{4, 4}));
  networks.push_back(std::make_unique<Mesh>(std::vector<unsigned>{3, 2, 3}));
  networks.push_back(std::make_unique<Hypercube>(3));
  networks.push_back(std::make_unique<Torus>(std::vector<unsigned>{4, 4}));
  for (const auto& network : networks)
    for (const RoutingEntry& entry : routing_algorithms().entries()) {
      if (!entry.applies_to(*network) || entry.has(kReconfigurationOption) != reorders) continue;
      const RoutingSettings settings = algorithm(std::string(entry.name).c_str());
      if (Changes(*network, settings).add(FaultSet(*network)).first().knows_all_faults())
        f(entry, settings, *network);
    }
}

// Algorithms without the option routing.reconfiguration keep the order of their channels, whatever a router
// has learnt of the faults and sees of them: their routes by any sets, at ports that fail by any other sets,
// have no cycle of dependencies together.
TEST(FaultChanges, WithoutAnOptionTheOrderOfChannelsStays) {
  unsigned checked = 0;
  for_each_that_knows_all_faults(
      false, [&](const RoutingEntry& entry, const RoutingSettings& settings, const Topology& network) {
        std::vector<std::unique_ptr<RoutingFunction>> routings;
        const std::vector<FaultSet> faults = random_sets(network, 9);
        std::vector<RoutedFaults> all;
        for (const FaultSet& known : faults) {
          routings.push_back(
              make_routing(network, routing_properties(network, settings).virtual_channels, settings));
          routings.back()->update_faults(known);
          for (const FaultSet& seen : faults) all.push_back({&seen, routings.back().get()});
        }
        const FaultChangeAnalysis a = analyse_fault_changes(all, false);
        EXPECT_EQ(a.argument, DeadlockArgument::dependency_graph)
            << entry.name << " on " << network.description();
        ++checked;
      });
  EXPECT_GE(checked, 5u);
}

// While a network drains, routers route by the old set of faults and see the new ones at their own ports.
TEST(FaultChanges, OldRoutesAtNewFaultsAreProved) {
  unsigned checked = 0;
  for_each_that_knows_all_faults(
      true, [&](const RoutingEntry& entry, const RoutingSettings& settings, const Topology& network) {
        const std::vector<FaultSet> faults = random_sets(network, 9);
        for (const FaultSet& known : faults) {
          const auto routing =
              make_routing(network, routing_properties(network, settings).virtual_channels, settings);
          EXPECT_TRUE(routing->needs_management());
          routing->update_faults(known);
          std::vector<RoutedFaults> all;
          for (const FaultSet& seen : faults) all.push_back({&seen, routing.get()});
          EXPECT_EQ(analyse_fault_changes(all, false).verdict, DeadlockVerdict::free)
              << entry.name << " on " << network.description();
          ++checked;
        }
      });
  EXPECT_GE(checked, 8u * 9u);
}

}  // namespace
}  // namespace flitmend
