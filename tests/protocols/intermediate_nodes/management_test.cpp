// SPDX-License-Identifier: Apache-2.0
// Faults that are discovered during the run: messages are delivered once, or somebody says that they are not.
#include <utility>

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

INSTANTIATE_TEST_SUITE_P(Protocols, KnsManagement, testing::Values("none", "sbrp-2", "end-to-end"),
                         name_of_protocol);

}  // namespace flitmend
