// SPDX-License-Identifier: Apache-2.0
// One message, and every fault of a router or link of its path at every cycle of its life: before the head,
// under it, in the middle, under the tail, at the source and at the destination.
#include "support/every_fault.h"

namespace flitmend {
namespace {

class EveryFault : public testing::TestWithParam<EveryFaultCase> {};

TEST_P(EveryFault, IsRepaired) {
  const EveryFaultCase& c = GetParam();
  Victims victims(c);
  const Cycle cycles = add_every_fault(victims, c);
  const Victims::Result result = victims.run();
  EXPECT_GT(result.resent, cycles);
  if (std::string(c.protocol) == "sbrp-2") {
    EXPECT_GT(result.guarded, 0u) << "lost heads";
  } else {
    EXPECT_EQ(result.guarded, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sbrp, EveryFault,
    testing::Values(EveryFaultCase{"sbrp-0", "iq", 16, 10, 0}, EveryFaultCase{"sbrp-0", "sbrp", 12, 10, 0},
                    EveryFaultCase{"sbrp-0", "sbrp", 12, 1, 0}, EveryFaultCase{"sbrp-0", "iq", 30, 10, 7},
                    EveryFaultCase{"sbrp-1", "iq", 16, 10, 0}, EveryFaultCase{"sbrp-1", "sbrp", 12, 10, 0},
                    EveryFaultCase{"sbrp-1", "sbrp", 12, 1, 0}, EveryFaultCase{"sbrp-1", "iq", 16, 60, 0},
                    EveryFaultCase{"sbrp-1", "iq", 30, 10, 7}, EveryFaultCase{"sbrp-1", "sbrp", 20, 10, 3},
                    EveryFaultCase{"sbrp-2", "iq", 16, 10, 0}, EveryFaultCase{"sbrp-2", "sbrp", 12, 10, 0},
                    EveryFaultCase{"sbrp-2", "iq", 30, 10, 7}),
    [](const auto& c) { return name_of(c.param); });

/// The second fault hits the request, its acknowledgement, what is absorbed or what is sent again.
class EverySecondFault : public testing::TestWithParam<EveryFaultCase> {};

TEST_P(EverySecondFault, IsRepaired) {
  const EveryFaultCase& c = GetParam();
  Victims victims(c);
  const unsigned count = add_every_second_fault(victims, c);
  const Victims::Result result = victims.run();
  EXPECT_EQ(result.resent, count);
  if (std::string(c.protocol) != "sbrp-2") {
    EXPECT_EQ(result.guarded, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Sbrp, EverySecondFault,
                         testing::Values(EveryFaultCase{"sbrp-0", "iq", 30, 10, 180},
                                         EveryFaultCase{"sbrp-0", "sbrp", 20, 10, 150},
                                         EveryFaultCase{"sbrp-1", "iq", 30, 10, 180},
                                         EveryFaultCase{"sbrp-1", "sbrp", 20, 10, 150},
                                         EveryFaultCase{"sbrp-2", "iq", 30, 10, 180}),
                         [](const auto& c) { return name_of(c.param); });

}  // namespace
}  // namespace flitmend
