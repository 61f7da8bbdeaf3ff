// SPDX-License-Identifier: Apache-2.0
// A network drains before its routers route by a new set of faults, cycle by cycle.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "contracts/entry.h"
#include "protocols/recovery/registry.h"
#include "support/fabric_bench.h"

namespace flitmend {
namespace {

RoutingSettings up_down(const char* reconfiguration = "drain") {
  RoutingSettings routing;
  routing.algorithm = "up-down";
  routing.options = {{"reconfiguration", reconfiguration}};
  return routing;
}

HardwareSettings atomic(const char* name) {
  HardwareSettings hardware = preset(name);
  hardware.router.vc_reallocation = "atomic";
  return hardware;
}

/// A 3x3 mesh with up*/down* routing.
class DrainingMesh {
 public:
  explicit DrainingMesh(const RecoveryEntry& protocol, const char* reconfiguration = "drain",
                        const char* name = "iq")
      : recovery_(protocol.make({}, up_down(reconfiguration))),
        bench(mesh_network({3, 3}), atomic(name), up_down(reconfiguration), "fabric", 1, recovery_.get()) {}

  bool stopped() const { return bench.fabric.context().sources_stopped; }
  const ManagementCounters& management() const { return bench.fabric.context().management_counters; }
  void send(NodeId from, NodeId to, std::uint32_t flits) {
    bench.fabric.network_interface(from).send(to, flits);
  }
  /// Virtual channels that have a message, or keep copies of one.
  unsigned in_use() const {
    unsigned sum = 0;
    for (RouterId r = 0; r < bench.topology().router_count(); ++r) {
      const RouterState& state = bench.fabric.router(r).state();
      for (unsigned id = 0; id < state.ids(); ++id) sum += state.in_use(id);
    }
    return sum;
  }

 private:
  std::unique_ptr<RecoveryProtocol> recovery_;

 public:
  FabricBench bench;
};

const RecoveryEntry& protocol(const char* name) {
  return recovery_protocols().at(name);
}

}  // namespace

TEST(Drain, TakesOneCycleInAnEmptyNetwork) {
  DrainingMesh mesh(protocol("none"));
  mesh.bench.run(5);
  mesh.bench.fabric.fail_link(7, 0);
  EXPECT_TRUE(mesh.stopped());
  mesh.bench.run(1);
  EXPECT_FALSE(mesh.stopped());
  EXPECT_EQ(mesh.management().steps, 1u);
  EXPECT_EQ(mesh.management().drain_cycles, 0u);
}

TEST(Drain, FaultsFromTheStartNeedNone) {
  DrainingMesh mesh(protocol("none"));
  mesh.bench.fabric.fail_link(7, 0);
  EXPECT_FALSE(mesh.stopped());
  EXPECT_EQ(mesh.management().steps, 0u);
}

// The message under way keeps its route. The next one leaves in the cycle after the last flit was consumed.
TEST(Drain, HoldsMessagesBackUntilTheLastFlitIsConsumed) {
  DrainingMesh mesh(protocol("none"));
  mesh.bench.run(1);
  mesh.send(0, 2, 10);
  mesh.bench.run(4);
  const Cycle fault = mesh.bench.fabric.cycles();
  mesh.bench.fabric.fail_link(7, 0);
  mesh.send(0, 2, 3);
  mesh.send(4, 6, 3);
  while (mesh.stopped()) mesh.bench.run(1);
  const Cycle drained = mesh.bench.fabric.cycles() - 1;
  ASSERT_TRUE(mesh.bench.drain(1000));
  ASSERT_EQ(mesh.bench.deliveries.size(), 3u);
  EXPECT_EQ(mesh.bench.deliveries[0].delivered, drained);
  EXPECT_EQ(mesh.management().drain_cycles, drained - fault);
  for (const std::size_t later : {1u, 2u}) EXPECT_EQ(mesh.bench.deliveries[later].injected, drained + 1);
}

TEST(Drain, IsNotWantedIfReconfigurationIsImmediate) {
  DrainingMesh mesh(protocol("none"), "immediate");
  mesh.bench.run(1);
  mesh.send(0, 2, 10);
  mesh.bench.run(4);
  const Cycle fault = mesh.bench.fabric.cycles();
  mesh.bench.fabric.fail_link(7, 0);
  mesh.send(4, 6, 3);
  EXPECT_FALSE(mesh.stopped());
  ASSERT_TRUE(mesh.bench.drain(1000));
  ASSERT_EQ(mesh.bench.deliveries.size(), 2u);
  EXPECT_EQ(mesh.bench.deliveries[0].injected, fault);
}

// A fault and its repair during the drain are part of one step.
TEST(Drain, GoesOnWhenAnotherFaultComes) {
  DrainingMesh mesh(protocol("sbrp-1"));
  mesh.bench.run(1);
  mesh.send(0, 8, 30);
  mesh.bench.run(10);
  mesh.bench.fabric.fail_link(7, 0);
  mesh.bench.run(2);
  mesh.bench.fabric.repair_link(7, 0);
  EXPECT_TRUE(mesh.stopped());
  ASSERT_TRUE(mesh.bench.drain(10'000));
  EXPECT_EQ(mesh.management().steps, 1u);
  EXPECT_EQ(mesh.management().restarts, 1u);
  EXPECT_EQ(mesh.bench.deliveries.size(), 1u);
}

namespace {

class DrainUnder : public testing::TestWithParam<RecoveryEntry> {};

}  // namespace

// A head at a link that stays dead waits for head_wait_cycles, and then the drain can end.
TEST_P(DrainUnder, EndsWhenTheRouteOfAMessageIsGone) {
  DrainingMesh mesh(GetParam(), "drain", "sbrp");
  mesh.bench.run(1);
  mesh.send(0, 2, 12);
  mesh.bench.run(3);
  mesh.bench.fabric.fail_link(1, 0, false, true);
  ASSERT_TRUE(mesh.stopped());
  mesh.bench.run(600);
  EXPECT_FALSE(mesh.stopped());
  ASSERT_TRUE(mesh.bench.drain(100'000));
  EXPECT_EQ(mesh.bench.deliveries.size(), GetParam().traits.resends() ? 1u : 0u);
}

// When the step ends, no virtual channel has a message: not even one whose flits a fault has taken and whose
// copies are to be sent again, or one whose path waits for its acknowledgement.
TEST_P(DrainUnder, LeavesNoVirtualChannelInUse) {
  DrainingMesh mesh(GetParam(), "drain", "sbrp");
  mesh.bench.run(1);
  for (unsigned flits = 1; flits <= 4; ++flits)
    for (Cycle after = 1; after < 30; ++after) {
      SCOPED_TRACE(std::to_string(flits) + " flits, " + std::to_string(after) + " cycles");
      mesh.send(0, 2, flits);
      mesh.send(5, 3, flits);
      mesh.bench.run(after);
      mesh.bench.fabric.fail_router(1);
      ASSERT_TRUE(mesh.stopped());
      for (Cycle t = 0; mesh.stopped(); ++t) {
        ASSERT_LT(t, 5000u);
        if (t == 7) mesh.bench.fabric.repair_router(1);
        mesh.bench.run(1);
        if (!mesh.stopped()) {
          EXPECT_EQ(mesh.in_use(), 0u);
        }
      }
      mesh.bench.fabric.repair_router(1);
      ASSERT_TRUE(mesh.bench.drain(100'000));
      EXPECT_TRUE(mesh.bench.fabric.check_conservation().idle());
    }
  if (GetParam().traits.resends()) {
    EXPECT_EQ(mesh.bench.deliveries.size(), 2u * 4 * 29);
  }
}

INSTANTIATE_TEST_SUITE_P(Protocols, DrainUnder, testing::ValuesIn(recovery_protocols().entries()),
                         test_name<RecoveryEntry>);

}  // namespace flitmend
