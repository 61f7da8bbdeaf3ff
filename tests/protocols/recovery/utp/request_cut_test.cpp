// SPDX-License-Identifier: Apache-2.0
// A head has waited too long at a dead link, and its router has asked the sender for the message. Then faults
// hit that request. The router before the fault restarts it from its copies; if two adjacent routers have
// lost a part of it, the node that asked repeats it.
#include "support/every_fault.h"

namespace flitmend {
namespace {

constexpr RouterId kAsking = 2;  ///< the router before the dead link
constexpr Cycle kWaitOfTheHead = 60;
constexpr Cycle kRepeat = 600;

class UtpRequest : public testing::TestWithParam<EveryFaultCase> {};

TEST_P(UtpRequest, GetsThroughIfFaultsCutIt) {
  const EveryFaultCase& c = GetParam();
  VictimSettings settings;
  settings.routing.head_wait_cycles = kWaitOfTheHead;
  settings.recovery.options.set("repeat_timeout", std::int64_t{kRepeat});
  Victims victims(c, settings);
  const Strike link{kAsking, true, 1, Ways::both, kWaitOfTheHead + 25};
  for (Cycle cycle = kWaitOfTheHead; cycle <= kWaitOfTheHead + 60; cycle += kFaultStride)
    for (RouterId part = 0; part <= kAsking; ++part) {
      victims.add({link, {part, false, cycle}});
      if (part == kAsking) continue;
      victims.add({link, {part, true, cycle, Ways::back}});
      victims.add({link, {part, false, cycle}, {part + 1, false, cycle}});
    }
  EXPECT_EQ(victims.run().delivered, victims.size());
  unsigned restarted = 0, repeated = 0;
  for (std::size_t i = 0; i < victims.size(); ++i) {
    if (victims[i].log.controls_cut_early(kAsking) == 0) continue;
    EXPECT_EQ(victims[i].counters().requests, 1u);
    EXPECT_EQ(victims[i].counters().guard_repaired, 0u);
    if (victims[i].log.fates.begin()->second.delivered_at < kWaitOfTheHead + kRepeat) {
      ++restarted;
    } else {
      ++repeated;
      EXPECT_GE(victims[i].counters().control_messages, 3u) << "the request twice, and its answer";
    }
  }
  EXPECT_GT(restarted, 0u);
  EXPECT_GT(repeated, 0u);
}

INSTANTIATE_TEST_SUITE_P(Utp, UtpRequest,
                         testing::Values(EveryFaultCase{"utp", "iq", 16, 5, 0},
                                         EveryFaultCase{"utp", "sbrp", 12, 5, 0}),
                         [](const auto& c) { return name_of(c.param); });

}  // namespace
}  // namespace flitmend
