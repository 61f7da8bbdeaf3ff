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
  const Cycle life = 60 + 2 * c.length;
  const RouterId last = c.second > 0 ? kFaultLine - 2 : kFaultLine - 1;
  for (Cycle cycle = 1; cycle <= life; cycle += kFaultStride)
    for (RouterId router = 0; router < kFaultLine; ++router)
      for (const bool link : {false, true}) {
        if (link && router >= last) continue;
        std::vector<Strike> strikes{{router, link, cycle}};
        if (c.second > 0 && router + 1 < kFaultLine) strikes.push_back({router + 1, link, cycle + c.second});
        victims.add(strikes);
      }
  const Victims::Result result = victims.run();
  EXPECT_GT(result.resent, life / kFaultStride);
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
  const Cycle first = std::string(c.preset) == "iq" ? 30 : 15;
  unsigned count = 0;
  for (Cycle later = 1; later <= c.second; later += kFaultStride)
    for (RouterId router = 0; router < kFaultLine; ++router) {
      if (router == 2 && later <= c.duration) continue;  // it is still faulty
      victims.add({{2, false, first}, {router, false, first + later}});
      ++count;
    }
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
