// SPDX-License-Identifier: Apache-2.0
// Faults that are discovered during the run: messages are delivered once, or somebody says that they are not.
#include "support/kns_incidents.h"

namespace flitmend {

using namespace test::kns;

namespace {

struct Crossbars {
  static NetworkSettings network() { return kns_network(4, 2); }
};

/// Any dimension that is left to cross, and escape channels.
struct AdaptiveSegments {
  static NetworkSettings network() { return kns_network(4, 2); }
  static RoutingSettings routing() {
    RoutingSettings routing = intermediate_nodes();
    routing.options = {{"recomputation_cycles", std::int64_t{kRecomputation}}, {"segments", "adaptive"}};
    return routing;
  }
  static HardwareSettings hardware() {
    HardwareSettings hardware = preset("kns");
    hardware.router.virtual_channels =
        routing_properties(*make_topology(network()), routing()).virtual_channels;
    hardware.router.vc_reallocation = "atomic";
    return hardware;
  }
};

}  // namespace

using KnsManagement = Management<Crossbars>;

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

// A switch that has just lost the route to the intermediate node or to the destination knows what is cut, but
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
  random_parts_fail(60, 5);
  EXPECT_GT(management().restarts, 5u);
}

using AdaptiveKnsManagement = Management<AdaptiveSegments>;

TEST_P(AdaptiveKnsManagement, LosesNothingToRandomFaults) {
  random_parts_fail(60, 5);
  EXPECT_GT(management().restarts, 5u);
}

INSTANTIATE_TEST_SUITE_P(Protocols, AdaptiveKnsManagement,
                         testing::ValuesIn(protocols(AdaptiveSegments::network())), name_of_protocol);

INSTANTIATE_TEST_SUITE_P(Protocols, KnsManagement, testing::ValuesIn(protocols(Crossbars::network())),
                         name_of_protocol);

}  // namespace flitmend
