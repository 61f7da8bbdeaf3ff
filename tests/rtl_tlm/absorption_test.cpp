// SPDX-License-Identifier: Apache-2.0
// Messages that network interfaces on their way absorb and inject again (routing software-based).
#include <gtest/gtest.h>

#include "protocols/recovery/registry.h"
#include "support/fabric_bench.h"
#include "support/line_bench.h"
#include "testbench/faults/fault_plan.h"

namespace flitmend {
namespace {

RoutingSettings software_based(const char* dateline = "balanced") {
  RoutingSettings s;
  s.algorithm = "software-based";
  s.selection = "random";
  s.options.set("dateline", dateline);
  s.options.set("ties", "plus");
  return s;
}

/// One cycle per hop, without fixed latencies.
HardwareSettings torus_hardware(const char* dateline = "balanced", std::int64_t reinjection = 0) {
  HardwareSettings s = preset("kary-ncube");
  s.network_interface.reinjection_cycles = reinjection;
  if (std::string(dateline) == "halves") s.router.vc_reallocation = "atomic";
  return s;
}

struct TorusBench {
  TorusBench(std::vector<std::int64_t> size, const HardwareSettings& settings, const RoutingSettings& routing,
             std::uint64_t seed = 1)
      : protocol(recovery_protocols().at("none").make({}, routing)),
        bench(grid_network("torus", std::move(size)), settings, routing, "fabric", seed, protocol.get()),
        fabric(bench.fabric) {
    fabric.add_observer(fates);
  }
  void send(NodeId from, NodeId to, std::uint32_t length) { fabric.network_interface(from).send(to, length); }
  std::unique_ptr<RecoveryProtocol> protocol;
  FabricBench bench;
  Fabric& fabric;
  Fates fates;
};

constexpr std::uint32_t kAbsorbedLength = 16;
/// Zero-load latency of h hops. An absorbed message may leave in the cycle in which its tail is consumed.
constexpr Cycle latency(Cycle hops) {
  return hops + kAbsorbedLength;
}

}  // namespace

TEST(Absorption, TheFirstFaultTurnsAMessageRound) {
  TorusBench b({8}, torus_hardware(), software_based());
  b.fabric.fail_router(2);
  b.send(0, 3, kAbsorbedLength);
  ASSERT_TRUE(b.bench.drain(1000));
  ASSERT_EQ(b.fates.kinds(), "d");
  EXPECT_EQ(b.fabric.context().absorptions, 1u);
  // Whole to router 1, then the other way: 1, 0, 7, 6, 5, 4, 3.
  const FabricBench::Delivery& d = b.bench.deliveries.front();
  EXPECT_EQ(d.hops, 1u + 6);
  EXPECT_EQ(d.delivered - d.created, latency(1) + latency(6));
  EXPECT_EQ(d.injected, d.created) << "for the first time";
}

TEST(Absorption, SoftwareTakesItsTime) {
  TorusBench b({8}, torus_hardware("balanced", 50), software_based());
  b.fabric.fail_router(2);
  b.send(0, 3, kAbsorbedLength);
  ASSERT_TRUE(b.bench.drain(1000));
  const FabricBench::Delivery& d = b.bench.deliveries.front();
  EXPECT_EQ(d.delivered - d.created, latency(1) + 50 + latency(6));
}

TEST(Absorption, AMessageIsReaddressedBeforeItEnters) {
  TorusBench b({8}, torus_hardware(), software_based());
  b.fabric.fail_router(1);
  b.send(0, 3, kAbsorbedLength);
  ASSERT_TRUE(b.bench.drain(1000));
  EXPECT_EQ(b.fabric.context().absorptions, 0u);
  EXPECT_EQ(b.bench.deliveries.front().hops, 5u);
}

// Row 0 of an 8x8 torus, with (2, 0) and (6, 0) faulty.
TEST(Absorption, TheSecondFaultIsPassedInThePerpendicularDimension) {
  TorusBench b({8, 8}, torus_hardware(), software_based());
  b.fabric.fail_router(2);
  b.fabric.fail_router(6);
  b.send(0, 3, kAbsorbedLength);
  ASSERT_TRUE(b.bench.drain(1000));
  ASSERT_EQ(b.fates.kinds(), "d");
  // At (1, 0); at (7, 0) on the way back; after a step to row 1 or 7; at the end of that row, in column 3.
  EXPECT_EQ(b.fabric.context().absorptions, 4u);
  const FabricBench::Delivery& d = b.bench.deliveries.front();
  EXPECT_EQ(d.hops, 1u + 2 + 1 + 4 + 1);
  EXPECT_EQ(d.delivered - d.created, latency(1) + latency(2) + latency(1) + latency(4) + latency(1));
}

TEST(Absorption, WhatCannotArriveIsGivenUp) {
  TorusBench b({4, 4}, torus_hardware(), software_based());
  for (const RouterId neighbour : {1u, 3u, 4u, 12u}) b.fabric.fail_router(neighbour);
  b.send(10, 0, kAbsorbedLength);
  b.send(0, 10, kAbsorbedLength);  // from where no port is healthy
  ASSERT_TRUE(b.bench.drain(100000));
  EXPECT_EQ(b.fates.undeliverable, 2u);
  EXPECT_EQ(b.fabric.context().absorptions, std::uint64_t{kMostAbsorptions});
  EXPECT_TRUE(b.fabric.check_conservation().flits_conserved() && b.fabric.check_conservation().idle());
}

TEST(Absorption, AFaultOnTheWayCutsAMessage) {
  TorusBench b({8}, torus_hardware(), software_based());
  b.bench.run(1);
  b.send(0, 3, kAbsorbedLength);
  b.bench.run(8);
  b.fabric.fail_router(2);
  b.bench.run(20);
  b.send(0, 3, kAbsorbedLength);
  ASSERT_TRUE(b.bench.drain(1000));
  EXPECT_EQ(b.fates.kinds(), "hld") << "the second one goes round";
  EXPECT_EQ(b.fabric.context().absorptions, 1u);
}

TEST(Absorption, ANodeThatDiesTakesTheMessagesThatItHasAbsorbedWithIt) {
  TorusBench b({8}, torus_hardware("balanced", 500), software_based());
  b.fabric.fail_router(2);
  b.send(0, 3, kAbsorbedLength);
  b.bench.run(100);
  EXPECT_EQ(b.fabric.context().absorptions, 1u);
  b.fabric.fail_router(1, true);
  ASSERT_TRUE(b.bench.drain(2000));
  EXPECT_EQ(b.fates.lost, 1u);
}

namespace {

struct RandomFaults {
  std::vector<std::int64_t> size;
  std::int64_t faults;
  const char* dateline;
};
void PrintTo(const RandomFaults& r, std::ostream* out) {
  for (const std::int64_t k : r.size) *out << k << '_';
  *out << r.faults << '_' << r.dateline;
}
class AbsorptionUnderLoad : public testing::TestWithParam<RandomFaults> {};

}  // namespace

// All pairs of healthy nodes, with random faulty nodes that leave them connected.
TEST_P(AbsorptionUnderLoad, EveryMessageArrivesOnce) {
  const RandomFaults& p = GetParam();
  TorusBench b(p.size, torus_hardware(p.dateline), software_based(p.dateline), 7);
  const Topology& t = b.bench.topology();
  FaultSettings faults;
  faults.random_static_nodes = p.faults;
  std::vector<bool> faulty(t.router_count());
  const FaultPlan plan(faults, t, 11);
  for (const FaultyPart& part : plan.static_faults()) {
    faulty[part.router] = true;
    b.fabric.fail_router(part.router, true);
  }
  std::size_t sent = 0;
  for (NodeId from = 0; from < t.node_count(); ++from)
    for (NodeId to = 0; to < t.node_count(); ++to)
      if (from != to && !faulty[from] && !faulty[to]) {
        b.send(from, to, kAbsorbedLength);
        ++sent;
      }
  ASSERT_TRUE(b.bench.drain(400000));
  EXPECT_EQ(b.fates.delivered, sent);
  EXPECT_EQ(b.fates.undeliverable + b.fates.lost + b.fates.hit, 0u);
  EXPECT_TRUE(b.fabric.check_conservation().flits_conserved() && b.fabric.check_conservation().idle());
  EXPECT_GT(b.fabric.context().absorptions, 0u);
}

INSTANTIATE_TEST_SUITE_P(Tori, AbsorptionUnderLoad,
                         testing::Values(RandomFaults{{8, 8}, 3, "balanced"},
                                         RandomFaults{{8, 8}, 5, "halves"},
                                         RandomFaults{{8, 8}, 12, "balanced"},
                                         RandomFaults{{5, 4}, 4, "strict"},
                                         RandomFaults{{4, 4, 4}, 12, "halves"}),
                         testing::PrintToStringParamName());

}  // namespace flitmend
