// SPDX-License-Identifier: Apache-2.0
// One message, and every fault of a router or link of its path at every cycle of its life; then two faults
// that no two adjacent routers share. UTP itself repairs them all: the guard has nothing to do.
#include "support/every_fault.h"

namespace flitmend {
namespace {

class UtpEveryFault : public testing::TestWithParam<EveryFaultCase> {};

TEST_P(UtpEveryFault, IsRepaired) {
  const EveryFaultCase& c = GetParam();
  Victims victims(c);
  const Cycle life = 40 + 4 * c.length;
  for (Cycle cycle = 1; cycle <= life; cycle += kFaultStride)
    for (RouterId router = 0; router < kFaultLine; ++router)
      for (const bool link : {false, true})
        if (!link || router + 1 < kFaultLine) victims.add({{router, link, cycle}});
  const Victims::Result result = victims.run();
  EXPECT_GT(result.resent, 50 / kFaultStride);
  EXPECT_EQ(result.guarded, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Utp, UtpEveryFault,
    testing::Values(EveryFaultCase{"utp", "iq", 16, 10, 0}, EveryFaultCase{"utp", "iq", 1, 10, 0},
                    EveryFaultCase{"utp", "iq", 2, 60, 0}, EveryFaultCase{"utp", "sbrp", 12, 10, 0},
                    EveryFaultCase{"utp", "sbrp", 12, 1, 0}, EveryFaultCase{"utp", "sbrp", 2, 10, 0},
                    EveryFaultCase{"utp", "kary-ncube", 16, 10, 0}, EveryFaultCase{"utp", "kns", 16, 3, 0}),
    [](const auto& c) { return name_of(c.param); });

/// Two routers that are not adjacent, at once or one after the other: the second fault hits the first part,
/// the restarted rest, or a router that has just restarted it.
class UtpEverySecondFault : public testing::TestWithParam<EveryFaultCase> {};

TEST_P(UtpEverySecondFault, IsRepaired) {
  const EveryFaultCase& c = GetParam();
  Victims victims(c);
  const Cycle start = std::string(c.preset) == "iq" ? 6 : 2;
  const Cycle life = 40 + 3 * c.length;
  unsigned count = 0;
  for (Cycle first = start; first <= life; first += 10 * kFaultStride)
    for (RouterId a = 0; a < kFaultLine; ++a)
      for (RouterId b = a + 2; b < kFaultLine; ++b)
        for (Cycle later = 0; later <= c.second; later += 5 * kFaultStride)
          for (const bool upstream_first : {false, true}) {
            victims.add(
                {{upstream_first ? a : b, false, first}, {upstream_first ? b : a, false, first + later}});
            ++count;
          }
  const Victims::Result result = victims.run();
  EXPECT_GT(result.resent, count / 3);
  EXPECT_EQ(result.guarded, 0u);
}

INSTANTIATE_TEST_SUITE_P(Utp, UtpEverySecondFault,
                         testing::Values(EveryFaultCase{"utp", "iq", 20, 10, 40},
                                         EveryFaultCase{"utp", "sbrp", 12, 10, 40}),
                         [](const auto& c) { return name_of(c.param); });

/// Two routers in the same cycle, at every cycle.
class UtpTwoAtOnce : public testing::TestWithParam<EveryFaultCase> {};

TEST_P(UtpTwoAtOnce, AreRepairedIfNotAdjacent) {
  const EveryFaultCase& c = GetParam();
  VictimSettings settings;
  settings.recovery.guard_acknowledgement = "off";
  Victims victims(c, settings);
  add_pairs_at_once(victims, c, 1, router_pairs(false));
  const Victims::Result result = victims.run();
  EXPECT_GT(result.resent, victims.size() / 4);
  EXPECT_EQ(result.delivered, victims.size());
}

TEST_P(UtpTwoAtOnce, AreCountedIfAdjacent) {
  const EveryFaultCase& c = GetParam();
  VictimSettings settings;
  settings.recovery.guard_acknowledgement = "off";
  settings.recovery.guard_timeout = 2400;
  settings.recovery.backoff_limit = 0;
  Victims victims(c, settings);
  add_pairs_at_once(victims, c, 1, router_pairs(true));
  const Victims::Result result = victims.run();
  EXPECT_GT(result.lost, 0u) << "what only the two had";
  EXPECT_LT(result.lost, result.hit) << "some of it was in the routers around them too";
  EXPECT_EQ(result.delivered + result.lost, victims.size());
}

INSTANTIATE_TEST_SUITE_P(Utp, UtpTwoAtOnce,
                         testing::Values(EveryFaultCase{"utp", "iq", 16, 10, 0},
                                         EveryFaultCase{"utp", "sbrp", 12, 10, 0}),
                         [](const auto& c) { return name_of(c.param); });

/// The router before the fault dies too: what only the two had is lost, and the guard finds that.
TEST(UtpAdjacentFaults, AreDetected) {
  const EveryFaultCase c{"utp", "iq", 16, 10, 0};
  Victims victims(c);
  for (Cycle cycle = 20; cycle <= 40; cycle += 2) victims.add({{1, false, cycle}, {2, false, cycle}});
  const Victims::Result result = victims.run();
  EXPECT_GT(result.guarded, 0u);
}

}  // namespace
}  // namespace flitmend
