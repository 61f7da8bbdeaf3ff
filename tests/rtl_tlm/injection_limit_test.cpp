// SPDX-License-Identifier: Apache-2.0
// Injection limitation ALO: which states of the outputs let a message enter, and when messages enter.
#include <gtest/gtest.h>

#include <algorithm>

#include "protocols/networks.h"
#include "support/fabric_bench.h"
#include "topologies/grid.h"
#include "topologies/topology.h"

namespace flitmend {
namespace {

HardwareSettings limited(std::int64_t vcs, const char* limit = "alo") {
  HardwareSettings hardware = preset("iq");
  hardware.router.virtual_channels = vcs;
  hardware.router.vc_reallocation = "atomic";
  hardware.network_interface.injection_limit = limit;
  return hardware;
}

/// The middle of a 3x3 mesh with duato: virtual channel 0 is the escape channel, and is useful to the east
/// only; 1 and 2 are adaptive.
TEST(InjectionLimit, EveryUsefulPortHasAFreeUsefulVirtualChannelOrOneIsEntirelyFree) {
  FabricBench bench(mesh_network({3, 3}), limited(3), algorithm("duato"), "middle");
  Router& router = bench.fabric.router(4);
  RouterState state = router.state();  // a handle
  const Grid& grid = *structure_of<Grid>(bench.topology());
  const PortId east = grid.port(0, true), north = grid.port(1, true);
  InjectionLimit limit(router);
  const auto admits = [&](NodeId destination, VcMask east_free, VcMask north_free) {
    state.free_vcs(east) = east_free;
    state.free_vcs(north) = north_free;
    Message message{};
    message.source = 4;
    message.destination = destination;
    return limit.admits(message, 0);
  };
  const NodeId north_east = 8, to_the_east = 5;
  EXPECT_TRUE(admits(north_east, 0b111, 0b111));
  EXPECT_TRUE(admits(north_east, 0b001, 0b010));
  EXPECT_TRUE(admits(north_east, 0b010, 0b100));
  EXPECT_FALSE(admits(north_east, 0b110, 0b001)) << "the escape channel to the north is of no use";
  EXPECT_FALSE(admits(north_east, 0b110, 0b000));
  EXPECT_FALSE(admits(north_east, 0b000, 0b110));
  EXPECT_TRUE(admits(north_east, 0b111, 0b000)) << "the east is entirely free";
  EXPECT_TRUE(admits(north_east, 0b000, 0b111)) << "the north is entirely free";
  EXPECT_FALSE(admits(north_east, 0b000, 0b000));
  EXPECT_TRUE(admits(to_the_east, 0b100, 0b000)) << "the north is of no use";
  EXPECT_FALSE(admits(to_the_east, 0b000, 0b111));

  state.arbiter(north).faulty = true;
  state.header().any_faulty = true;
  EXPECT_TRUE(admits(north_east, 0b001, 0b000)) << "a faulty port does not count";
  state.arbiter(east).faulty = true;
  EXPECT_TRUE(admits(north_east, 0b000, 0b000)) << "it has no route, which the router must find out";
}

/// Two messages over the same link of a row of four nodes: a long one of node 0, then one of node 1.
struct TwoMessages {
  TwoMessages(std::int64_t vcs, const char* limit, const char* name)
      : bench(mesh_network({4, 1}), limited(vcs, limit), {}, name) {}

  Cycle second_waited() const {
    const auto second = std::find_if(bench.deliveries.begin(), bench.deliveries.end(),
                                     [](const auto& delivery) { return delivery.source == 1; });
    return second->injected - second->created;
  }

  FabricBench bench;
};

TEST(InjectionLimit, AMessageWaitsInTheSourceQueueUntilTheOutputIsFree) {
  TwoMessages none(1, "none", "without"), one(1, "alo", "with_one"), two(2, "alo", "with_two");
  const auto all = {&none, &one, &two};
  none.bench.run(2);
  for (TwoMessages* network : all) network->bench.fabric.network_interface(0).send(3, 60);
  none.bench.run(30);
  for (TwoMessages* network : all) network->bench.fabric.network_interface(1).send(3, 2);
  for (TwoMessages* network : all) {
    EXPECT_TRUE(network->bench.drain(1000));
    ASSERT_EQ(network->bench.deliveries.size(), 2u);
  }
  EXPECT_LE(none.second_waited(), 1u);
  EXPECT_GT(one.second_waited(), 25u);
  EXPECT_LT(one.second_waited(), 60u);
  EXPECT_EQ(two.second_waited(), none.second_waited()) << "a virtual channel of the output is free";
}

}  // namespace
}  // namespace flitmend
