// SPDX-License-Identifier: Apache-2.0
// A fabric that is advanced edge by edge, without the kernel.
#include <gtest/gtest.h>

#include "protocols/recovery/registry.h"
#include "support/fabric_bench.h"

namespace flitmend {
namespace {

const RecoveryProtocol& sbrp() {
  static const auto protocol = recovery_protocols().at("sbrp-1").make({}, {});
  return *protocol;
}

HardwareParameters compact(const char* name) {
  HardwareParameters hardware = HardwareParameters::from(preset(name));
  hardware.hierarchy = Hierarchy::compact;
  return hardware;
}

/// Sends the messages of the tests.
void send(Fabric& fabric) {
  fabric.network_interface(0).send(8, 5);
  fabric.network_interface(8).send(0, 12);
  fabric.network_interface(4).send(2, 1);
}

TEST(Stepping, DeliversAsTheKernelDoes) {
  sc_core::sc_signal<bool> clock;
  FabricBench clocked(mesh_network({3, 3}), compact("iq"), {}, "clocked");
  FabricBench stepped(mesh_network({3, 3}), compact("iq"), {}, "stepped", 1, nullptr,
                      TransactionParameters::one_way(4096), 1, {}, &clock);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const Cycle started = clocked.fabric.cycles();  // the clock's first edge is at time 0
  for (Cycle t = 0; t < started; ++t) stepped.fabric.step();
  send(clocked.fabric);
  send(stepped.fabric);
  ASSERT_TRUE(clocked.drain(1000));
  Cycle evaluated = 0;
  for (Cycle next = stepped.fabric.next_event(); next != kNever;
       next = stepped.fabric.next_event(), ++evaluated) {
    ASSERT_GE(next, stepped.fabric.cycles());
    stepped.fabric.skip_to(next);
    stepped.fabric.step();
  }
  EXPECT_EQ(stepped.deliveries, clocked.deliveries);
  EXPECT_EQ(stepped.deliveries.size(), 3u);
  EXPECT_LT(evaluated, clocked.fabric.cycles());
  EXPECT_TRUE(stepped.fabric.check_conservation().idle());
}

TEST(Stepping, PassesTheTimeOfATimer) {
  sc_core::sc_signal<bool> clock;
  FabricBench bench(mesh_network({3}), compact("iq"), {}, "fabric", 1, &sbrp(),
                    TransactionParameters::one_way(4096), 1, {}, &clock);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  Fabric& fabric = bench.fabric;
  EXPECT_EQ(fabric.next_event(), kNever);
  fabric.network_interface(0).send(2, 5);
  EXPECT_EQ(fabric.next_event(), 0u);
  Cycle evaluated = 0;
  for (Cycle next = fabric.next_event(); next != kNever; next = fabric.next_event(), ++evaluated) {
    fabric.skip_to(next);
    fabric.step();
  }
  ASSERT_EQ(bench.deliveries.size(), 1u);
  EXPECT_TRUE(fabric.quiet());
  EXPECT_GE(fabric.cycles(), evaluated);
}

}  // namespace
}  // namespace flitmend
