// SPDX-License-Identifier: Apache-2.0
// Message ids have 16 bits. A sender that has more messages than ids lets the rest wait, and ids that wrap
// around name one message each.
#include <gtest/gtest.h>

#include "contracts/entry.h"
#include "protocols/recovery/registry.h"
#include "support/fabric_bench.h"

namespace flitmend {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kMessages = 40'000;  // more than half of the ids
#else
constexpr std::size_t kMessages = 70'000;  // more than there are ids
#endif

class MessageIds : public testing::TestWithParam<RecoveryEntry> {};

TEST_P(MessageIds, AreNotUsedTwiceAtATime) {
  HardwareSettings hardware = preset("iq");
  if (GetParam().atomic_reallocation) hardware.router.vc_reallocation = "atomic";
  const auto protocol = GetParam().make({}, {});
  FabricBench bench(mesh_network({2}), hardware, {}, "fabric", 1, protocol.get());
  bench.run(1);
  NetworkInterface& source = bench.fabric.network_interface(0);
  for (std::size_t i = 0; i < kMessages; ++i) source.send(1, 2);
  if (GetParam().needs.id_memory > 0) {
    EXPECT_GT(source.recovery()->waiting(), 0u);
  }
  ASSERT_TRUE(bench.drain(100 * kMessages));
  EXPECT_EQ(bench.deliveries.size(), kMessages);
  EXPECT_EQ(bench.fabric.context().recovery_counters.duplicate_flits, 0u);
  EXPECT_EQ(bench.fabric.context().messages.in_use(), 0u);
  EXPECT_TRUE(bench.fabric.check_conservation().idle());
}

INSTANTIATE_TEST_SUITE_P(Protocols, MessageIds, testing::ValuesIn(recovery_protocols().entries()),
                         test_name<RecoveryEntry>);

}  // namespace
}  // namespace flitmend
