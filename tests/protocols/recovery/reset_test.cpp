// SPDX-License-Identifier: Apache-2.0
// A reset in the middle of a recovery: the protocol forgets everything, and the network works as after
// power-up.
#include <gtest/gtest.h>

#include <string>

#include "contracts/entry.h"
#include "protocols/recovery/registry.h"
#include "support/fabric_bench.h"

namespace flitmend {
namespace {

class RecoveryReset : public testing::TestWithParam<RecoveryEntry> {};

TEST_P(RecoveryReset, LeavesNothingToDo) {
  const RecoveryEntry& entry = GetParam();
  HardwareSettings hardware = preset("iq");
  if (entry.atomic_reallocation) hardware.router.vc_reallocation = "atomic";
  RecoverySettings settings;
  settings.options.set("acknowledgement_delay", 40);
  const auto protocol = entry.make(settings, {});
  sc_core::sc_signal<bool> reset;
  FabricBench bench(mesh_network({4}), hardware, {}, "fabric", 1, protocol.get());
  bench.fabric.reset(reset);
  bench.run(1);
  const auto exchange = [&](int messages, std::uint32_t length) {
    for (int i = 0; i < messages; ++i) {
      bench.fabric.network_interface(0).send(3, length);
      bench.fabric.network_interface(3).send(0, length);
    }
  };
  std::uint64_t resent = 0;
  for (Cycle after = 0; after < 200; after += 3) {
    SCOPED_TRACE("reset " + std::to_string(after) + " cycles after the fault");
    exchange(after % 2 ? 1 : 6, 12);
    bench.run(30);
    bench.fabric.fail_router(1);
    bench.run(10);
    bench.fabric.repair_router(1);
    bench.run(after);
    resent += bench.fabric.context().recovery_counters.retransmissions;
    reset.write(true);
    bench.run(2);
    reset.write(false);
    bench.run(2);
    EXPECT_TRUE(bench.fabric.quiet());
    EXPECT_EQ(bench.fabric.context().messages.in_use(), 0u);
    EXPECT_TRUE(bench.fabric.check_conservation().idle());
    const std::size_t before = bench.deliveries.size();
    exchange(1, 12);
    ASSERT_TRUE(bench.drain(20000));
    EXPECT_EQ(bench.deliveries.size(), before + 2);
    EXPECT_EQ(bench.fabric.context().messages.in_use(), 0u);
  }
  EXPECT_TRUE(resent > 0 || !entry.needs.sender_copy);
}

INSTANTIATE_TEST_SUITE_P(Protocols, RecoveryReset, testing::ValuesIn(recovery_protocols().entries()),
                         test_name<RecoveryEntry>);

}  // namespace
}  // namespace flitmend
