// SPDX-License-Identifier: Apache-2.0
// One message, and every fault of a router or link of its path at every cycle of its life: before the head,
// under it, in the middle, under the tail, at the source, at the destination, and while the acknowledgement
// comes back. Then a second fault at every cycle after it: in the part that is torn down, or in the retry.
#include "support/every_fault.h"

namespace flitmend {
namespace {

class ApcsEveryFault : public testing::TestWithParam<EveryFaultCase> {};

TEST_P(ApcsEveryFault, IsRepaired) {
  const EveryFaultCase& c = GetParam();
  Victims victims(c);
  const Cycle cycles = add_every_fault(victims, c);
  const Victims::Result result = victims.run();
  EXPECT_GT(result.resent, cycles);
  EXPECT_EQ(result.guarded, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Apcs, ApcsEveryFault,
    testing::Values(EveryFaultCase{"apcs", "iq", 16, 10, 0}, EveryFaultCase{"apcs", "iq", 1, 10, 0},
                    EveryFaultCase{"apcs", "iq", 2, 60, 0}, EveryFaultCase{"apcs", "sbrp", 12, 10, 0},
                    EveryFaultCase{"apcs", "sbrp", 12, 1, 0}, EveryFaultCase{"apcs", "sbrp", 2, 10, 0},
                    EveryFaultCase{"apcs", "kary-ncube", 16, 10, 0}, EveryFaultCase{"apcs", "kns", 16, 3, 0},
                    EveryFaultCase{"apcs", "iq", 30, 10, 7}, EveryFaultCase{"apcs", "sbrp", 20, 10, 3},
                    EveryFaultCase{"apcs", "sbrp", 20, 10, 1}, EveryFaultCase{"apcs", "iq", 30, 10, 1}),
    [](const auto& c) { return name_of(c.param); });

class ApcsEverySecondFault : public testing::TestWithParam<EveryFaultCase> {};

TEST_P(ApcsEverySecondFault, IsRepaired) {
  const EveryFaultCase& c = GetParam();
  Victims victims(c);
  const unsigned count = add_every_second_fault(victims, c);
  const Victims::Result result = victims.run();
  EXPECT_EQ(result.resent, count);
  EXPECT_EQ(result.guarded, 0u);
}

INSTANTIATE_TEST_SUITE_P(Apcs, ApcsEverySecondFault,
                         testing::Values(EveryFaultCase{"apcs", "iq", 30, 10, 180},
                                         EveryFaultCase{"apcs", "sbrp", 20, 10, 150}),
                         [](const auto& c) { return name_of(c.param); });

}  // namespace
}  // namespace flitmend
