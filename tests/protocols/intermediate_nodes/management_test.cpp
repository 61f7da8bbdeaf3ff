// SPDX-License-Identifier: Apache-2.0
// Faults that are discovered during the run: messages are delivered once, or somebody says that they are not.
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/errors.h"
#include "base/random_stream.h"
#include "support/incidents.h"

namespace flitmend {
namespace {

constexpr NodeId kSource = 0;       // (0, 0)
constexpr NodeId kDestination = 5;  // (1, 1)
constexpr NodeId kCorner = 4;       // (0, 1): the intermediate node if the source cannot cross dimension 0
constexpr Cycle kRecomputation = 50;

Action link_fails(Cycle cycle, NodeId node, unsigned dimension) {
  return {cycle, [=](Fabric& f) { f.fail_link(node, static_cast<PortId>(dimension)); }};
}
Action node_dies(Cycle cycle, NodeId node) {
  return {cycle, [=](Fabric& f) { f.fail_router(node, true); }};
}

RoutingSettings intermediate_nodes() {
  RoutingSettings routing;
  routing.algorithm = "intermediate-nodes";
  routing.options = {{"recomputation_cycles", std::int64_t{kRecomputation}}};
  return routing;
}

/// KNS(4, 2), messages in both directions between two nodes and among others.
class KnsIncident : public Incident {
 public:
  KnsIncident(const char* protocol, std::vector<Action> actions, unsigned number)
      : Incident(kns_network(4, 2), preset("kns"), intermediate_nodes(),
                 recovery_protocols().at(protocol).make(impatient(), intermediate_nodes()),
                 std::move(actions), number) {}

  bool quiet() const override { return Incident::quiet() && !context().sources_stopped; }

 private:
  void send_messages(Cycle t) override {
    if (t % 10 != 0 || t >= 200) return;
    for (const auto& [from, to] : {std::pair{kSource, kDestination}, {kDestination, kSource}, {10u, 15u}})
      send(from, to, 16);
  }
};

/// A part fails, for that many cycles or for good.
struct RandomFault {
  RouterId router;
  std::optional<PortId> port;  ///< none: the router itself
  Cycle cycle;
  std::optional<Cycle> duration;
};

void add_fault(std::vector<Action>& actions, const RandomFault& f) {
  const bool permanent = !f.duration;
  actions.push_back({f.cycle, [=](Fabric& fabric) {
                       f.port ? fabric.fail_link(f.router, *f.port) : fabric.fail_router(f.router, permanent);
                     }});
  if (permanent) return;
  actions.push_back({f.cycle + *f.duration, [=](Fabric& fabric) {
                       f.port ? fabric.repair_link(f.router, *f.port) : fabric.repair_router(f.router);
                     }});
}

/// Faults of different parts of KNS(4, 2): nodes, switches and links, some for good. At least one of them
/// strikes the intermediate node or one of its links. `permanent`: whether any may be.
std::vector<RandomFault> random_faults(std::uint64_t seed, bool permanent) {
  RandomStream random(seed, RandomPurpose::test, 0);
  const auto topology = make_topology(kns_network(4, 2));
  std::vector<RandomFault> faults;
  std::set<std::pair<RouterId, std::optional<PortId>>> parts;
  const std::uint64_t count = 1 + random.below(4);
  while (faults.size() < count) {
    RandomFault f{};
    f.router = faults.empty() ? kCorner : static_cast<RouterId>(random.below(topology->router_count()));
    if (random.below(2) == 0) f.port = static_cast<PortId>(random.below(topology->port_count(f.router)));
    f.cycle = 20 + random.below(300);
    if (!permanent || random.below(3) > 0) f.duration = 2 + random.below(60);
    auto part = std::pair(f.router, f.port);
    if (f.port && topology->is_switch(f.router)) {  // a link is named by its node
      const RouterPort far = *topology->neighbour(f.router, *f.port);
      part = {far.router, far.port};
    }
    if (part == std::pair(kSource, std::optional<PortId>(0)) || !parts.insert(part).second) continue;
    faults.push_back(f);
  }
  return faults;
}

class KnsManagement : public Incidents<KnsIncident> {
 protected:
  /// Of all incidents together.
  ManagementCounters management() {
    ManagementCounters sum{};
    for (const auto& incident : incidents()) {
      const ManagementCounters& one = incident->context().management_counters;
      sum.steps += one.steps;
      sum.restarts += one.restarts;
      sum.drain_cycles += one.drain_cycles;
      sum.recomputation_cycles += one.recomputation_cycles;
    }
    return sum;
  }
  /// Messages that no protocol noticed, and that the guard had to send again.
  std::uint64_t repaired_by_the_guard() {
    std::uint64_t sum = 0;
    for (const auto& incident : incidents()) sum += incident->context().recovery_counters.guard_repaired;
    return sum;
  }
  /// Routers before the fault ask.
  bool routers_ask() const {
    return std::string(GetParam()) == "sbrp-0" || std::string(GetParam()) == "sbrp-1";
  }
};

}  // namespace

// From the start the source cannot cross dimension 0 and goes over the corner. Then the corner dies, and it
// goes over another node of its column.
TEST_P(KnsManagement, SurvivesTheDeathOfTheIntermediateNode) {
  for (Cycle cycle = 20; cycle < 180; cycle += 4) add({link_fails(0, kSource, 0), node_dies(cycle, kCorner)});
  const Ends sum = run();
  EXPECT_EQ(management().steps, incidents().size());
  EXPECT_EQ(management().recomputation_cycles, incidents().size() * kRecomputation);
  EXPECT_GT(management().drain_cycles, 10 * incidents().size());
  EXPECT_EQ(sum.voided, 0u);
  if (repairs()) {
    EXPECT_EQ(sum.lost + sum.undeliverable, 0u);
    if (routers_ask()) {
      EXPECT_EQ(repaired_by_the_guard(), 0u);
    }
  } else {
    EXPECT_GT(sum.lost, 0u);
    EXPECT_LT(sum.lost + sum.undeliverable, sum.sent / 5);
  }
}

// The second fault comes in every phase of the management step after the first one.
TEST_P(KnsManagement, BeginsAnewIfAFaultComesDuringTheRecomputation) {
  for (Cycle later = 1; later < 420; later += 9)
    add({link_fails(50, kSource, 0), link_fails(50 + later, kCorner, 0)});
  const Ends sum = run();
  EXPECT_GT(management().restarts, 5u);
  EXPECT_LT(management().restarts, incidents().size());
  EXPECT_EQ(management().steps + management().restarts, 2 * incidents().size());
  if (repairs()) {
    EXPECT_EQ(sum.lost + sum.undeliverable, 0u);
  } else {
    EXPECT_LT(sum.lost + sum.undeliverable, sum.sent / 5);
  }
}

// The source loses its last link: nothing reaches it, and nothing that it sends arrives.
TEST_P(KnsManagement, SaysWhatCannotBeDeliveredWhenTheOnlyPathFails) {
  for (Cycle cycle = 20; cycle < 180; cycle += 4)
    add({link_fails(0, kSource, 0), link_fails(cycle, kSource, 1)});
  const Ends sum = run();
  EXPECT_EQ(management().steps, incidents().size());
  EXPECT_GT(sum.undeliverable, 10 * incidents().size());
  if (repairs()) {
    EXPECT_EQ(sum.lost, 0u);
  }
}

// A switch that has just lost the way to the intermediate node or to the destination knows what is cut, but
// cannot ask itself.
TEST_P(KnsManagement, RepairsWhatSwitchesKnowToBeCut) {
  for (Cycle cycle = 22; cycle < 180; cycle += 10)
    for (const NodeId node : {kCorner, kDestination})
      for (const PortId port : {PortId{0}, PortId{1}}) {
        std::vector<Action> actions{link_fails(0, kSource, 0)};
        add_fault(actions, {node, port, cycle, 30});
        add(std::move(actions));
      }
  const Ends sum = run();
  if (repairs()) {
    EXPECT_EQ(sum.lost + sum.undeliverable, 0u);
    if (routers_ask()) {
      EXPECT_EQ(repaired_by_the_guard(), 0u);
    }
  }
}

TEST_P(KnsManagement, LosesNothingToRandomFaults) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    std::vector<Action> actions{link_fails(0, kSource, 0)};
    for (const RandomFault& fault : random_faults(seed, seed % 3 == 0)) add_fault(actions, fault);
    add(std::move(actions));
  }
  const Ends sum = run();
  EXPECT_GE(management().steps, incidents().size());
  EXPECT_GT(management().restarts, 5u);
  if (repairs()) {
    EXPECT_EQ(sum.lost, 0u);
    EXPECT_LT(sum.undeliverable, sum.sent / 5);
  } else {
    EXPECT_GT(sum.lost, 0u);
  }
}

namespace {

/// The recovery protocols that `check` accepts here: preset kns switches by virtual cut-through.
std::vector<const char*> protocols() {
  const auto topology = make_topology(kns_network(4, 2));
  std::vector<const char*> names;
  for (const RecoveryEntry& e : recovery_protocols().entries()) {
    if (e.wormhole_only) continue;
    try {
      if (e.check) e.check(*topology);
    } catch (const KeyError&) {
      continue;
    }
    names.push_back(e.name.data());
  }
  return names;
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Protocols, KnsManagement, testing::ValuesIn(protocols()), name_of_protocol);

}  // namespace flitmend
