// SPDX-License-Identifier: Apache-2.0
// One message, and every fault of a router or link of its path at every cycle of its life, alone or with a
// second one. FCR itself repairs them all: the guard has nothing to do.
#include "support/every_fault.h"

namespace flitmend {
namespace {

class FcrEveryFault : public testing::TestWithParam<EveryFaultCase> {};

TEST_P(FcrEveryFault, IsRepaired) {
  const EveryFaultCase& c = GetParam();
  Victims victims(c);
  const Cycle cycles = add_every_fault(victims, c);
  const Victims::Result result = victims.run();
  EXPECT_GT(result.resent, cycles);
  EXPECT_EQ(result.guarded, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Fcr, FcrEveryFault,
    testing::Values(EveryFaultCase{"fcr", "iq", 16, 10, 0}, EveryFaultCase{"fcr", "sbrp", 12, 10, 0},
                    EveryFaultCase{"fcr", "sbrp", 12, 1, 0}, EveryFaultCase{"fcr", "iq", 1, 60, 0},
                    EveryFaultCase{"fcr", "iq", 30, 10, 7}, EveryFaultCase{"fcr", "kary-ncube", 16, 10, 3},
                    EveryFaultCase{"fcr", "sbrp", 20, 10, 3}, EveryFaultCase{"fcr", "sbrp", 4, 3, 2}),
    [](const auto& c) { return name_of(c.param); });

/// The second fault hits the kills, the pads or what is sent again.
class FcrEverySecondFault : public testing::TestWithParam<EveryFaultCase> {};

TEST_P(FcrEverySecondFault, IsRepaired) {
  const EveryFaultCase& c = GetParam();
  Victims victims(c);
  const unsigned count = add_every_second_fault(victims, c);
  const Victims::Result result = victims.run();
  EXPECT_EQ(result.resent, count);
  EXPECT_EQ(result.guarded, 0u);
}

INSTANTIATE_TEST_SUITE_P(Fcr, FcrEverySecondFault,
                         testing::Values(EveryFaultCase{"fcr", "iq", 30, 10, 180},
                                         EveryFaultCase{"fcr", "sbrp", 20, 10, 150}),
                         [](const auto& c) { return name_of(c.param); });

}  // namespace
}  // namespace flitmend
