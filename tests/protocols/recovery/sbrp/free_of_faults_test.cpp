// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/random_stream.h"
#include "protocols/recovery/registry.h"
#include "support/fabric_bench.h"

namespace flitmend {
namespace {

struct FreeCase {
  const char* protocol;
  const char* preset;
  unsigned interval;  ///< mean cycles between two messages of a node
};

class FreeOfFaults : public testing::TestWithParam<FreeCase> {};

// At a low load with every protocol, at every load with SBRP-2, which adds nothing to the routers.
TEST_P(FreeOfFaults, EveryMessageArrivesInTheSameCycleAsWithoutRecovery) {
  const FreeCase& c = GetParam();
  const auto none = recovery_protocols().at("none").make({}, {});
  const auto sbrp = recovery_protocols().at(c.protocol).make({}, {});
  FabricBench without(mesh_network({4, 4}), preset(c.preset), {}, "without", 1, none.get());
  FabricBench with(mesh_network({4, 4}), preset(c.preset), {}, "with", 1, sbrp.get());
  RandomStream random(9, RandomPurpose::test);
  for (unsigned t = 0; t < 3000; ++t) {
    for (NodeId node = 0; node < 16; ++node)
      if (random.below(c.interval) == 0) {
        const NodeId to = random.below(16);
        const std::uint32_t length = 1 + random.below(20);
        without.fabric.network_interface(node).send(to, length);
        with.fabric.network_interface(node).send(to, length);
      }
    without.run(1);  // both: they share the simulation's time
  }
  EXPECT_TRUE(without.drain(100000));
  EXPECT_TRUE(with.drain(100000));
  EXPECT_GT(without.deliveries.size(), 100u);
  EXPECT_EQ(with.deliveries, without.deliveries);
  EXPECT_EQ(with.fabric.context().recovery_counters.control_messages, 0u);
}

INSTANTIATE_TEST_SUITE_P(Sbrp, FreeOfFaults,
                         testing::Values(FreeCase{"sbrp-0", "iq", 400}, FreeCase{"sbrp-1", "iq", 400},
                                         FreeCase{"sbrp-0", "sbrp", 400}, FreeCase{"sbrp-1", "sbrp", 400},
                                         FreeCase{"sbrp-2", "iq", 400}, FreeCase{"sbrp-2", "iq", 50},
                                         FreeCase{"sbrp-2", "iq", 15}, FreeCase{"sbrp-2", "sbrp", 15}));

}  // namespace
}  // namespace flitmend
