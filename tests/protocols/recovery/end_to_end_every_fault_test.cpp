// SPDX-License-Identifier: Apache-2.0
// One message, and every fault of a router or link of its path at every cycle of its life and of its
// acknowledgement's; then a second fault at every cycle after it.
#include "support/every_fault.h"

namespace flitmend {
namespace {

class EndToEndEveryFault : public testing::TestWithParam<EveryFaultCase> {};

TEST_P(EndToEndEveryFault, IsRepaired) {
  const EveryFaultCase& c = GetParam();
  Victims victims(c);
  const Cycle cycles = add_every_fault(victims, c);
  const Victims::Result result = victims.run();
  EXPECT_GT(result.resent, cycles);
  EXPECT_GE(result.controls_cut, cycles / 4);  // few cycles are tried under the sanitizers
}

INSTANTIATE_TEST_SUITE_P(EndToEnd, EndToEndEveryFault,
                         testing::Values(EveryFaultCase{"end-to-end", "iq", 16, 10, 0},
                                         EveryFaultCase{"end-to-end", "iq", 1, 10, 0},
                                         EveryFaultCase{"end-to-end", "iq", 2, 60, 0},
                                         EveryFaultCase{"end-to-end", "sbrp", 12, 10, 0},
                                         EveryFaultCase{"end-to-end", "sbrp", 12, 1, 0},
                                         EveryFaultCase{"end-to-end", "kary-ncube", 16, 10, 0},
                                         EveryFaultCase{"end-to-end", "iq", 30, 10, 7},
                                         EveryFaultCase{"end-to-end", "sbrp", 20, 10, 3}),
                         [](const auto& c) { return name_of(c.param); });

/// Every fault of a router or link in every cycle up to `last`.
void add_faults_until(Victims& victims, Cycle last) {
  for (Cycle cycle = 1; cycle <= last; cycle += kFaultStride)
    for (RouterId part = 0; part < kFaultLine; ++part)
      for (const bool link : {false, true})
        if (!link || part + 1 < kFaultLine) victims.add({{part, link, cycle}});
}
/// Router 2 fails in cycle 10, 30 … `last`, and a second router up to 150 cycles later, when router 2 is
/// back.
void add_second_faults(Victims& victims, const EveryFaultCase& c, Cycle last) {
  for (Cycle first = 10; first <= last; first += 20)
    for (Cycle later = c.duration + 1; later <= 150; later += 3 * kFaultStride)
      for (RouterId part = 0; part < kFaultLine; ++part)
        victims.add({{2, false, first}, {part, false, first + later}});
}

/// The requests for buffers, and the answers, are hit too.
class EndToEndSixSteps : public testing::TestWithParam<EveryFaultCase> {
 protected:
  static VictimSettings six_steps() {
    VictimSettings settings;
    settings.recovery.options.set("handshake", "six-step");
    return settings;
  }
};

TEST_P(EndToEndSixSteps, AreRepeated) {
  const EveryFaultCase& c = GetParam();
  Victims victims(c, six_steps());
  add_faults_until(victims, 200);
  const Victims::Result result = victims.run();
  EXPECT_EQ(result.delivered, victims.size());
  EXPECT_GT(result.controls_cut, victims.size() / 20);
  EXPECT_GT(result.resent, victims.size() / 20);
}

TEST_P(EndToEndSixSteps, AreRepeatedAfterASecondFault) {
  const EveryFaultCase& c = GetParam();
  Victims victims(c, six_steps());
  add_second_faults(victims, c, 70);
  EXPECT_EQ(victims.run().delivered, victims.size());
}

INSTANTIATE_TEST_SUITE_P(EndToEnd, EndToEndSixSteps,
                         testing::Values(EveryFaultCase{"end-to-end", "iq", 16, 10, 0},
                                         EveryFaultCase{"end-to-end", "sbrp", 12, 10, 0}),
                         [](const auto& c) { return name_of(c.param); });

/// Four messages one way and one the other, so messages carry acknowledgements, and faults cut them.
class EndToEndCarriedAcknowledgements : public testing::TestWithParam<EveryFaultCase> {
 protected:
  static VictimSettings delayed() {
    VictimSettings settings;
    settings.recovery.options.set("acknowledgement_delay", 32);
    settings.messages = {{0, kFaultLine - 1},
                         {kFaultLine - 1, 0},
                         {kFaultLine - 1, 0},
                         {kFaultLine - 1, 0},
                         {kFaultLine - 1, 0}};
    return settings;
  }
};

TEST_P(EndToEndCarriedAcknowledgements, AreMadeUpForByTheTimer) {
  const EveryFaultCase& c = GetParam();
  Victims victims(c, delayed());
  add_faults_until(victims, 200);
  const Victims::Result result = victims.run();
  EXPECT_EQ(result.delivered, 5 * victims.size());
  EXPECT_GT(result.controls_cut, victims.size() / 40);
  EXPECT_GT(result.resent, victims.size() / 4);
}

TEST_P(EndToEndCarriedAcknowledgements, AreMadeUpForAfterASecondFault) {
  const EveryFaultCase& c = GetParam();
  Victims victims(c, delayed());
  add_second_faults(victims, c, 90);
  EXPECT_EQ(victims.run().delivered, 5 * victims.size());
}

TEST_P(EndToEndCarriedAcknowledgements, AreOwedToNobodyWhoIsDead) {
  const EveryFaultCase& c = GetParam();
  Victims victims(c, delayed());
  for (Cycle cycle = 1; cycle <= 120; cycle += 3 * kFaultStride)
    for (RouterId part = 0; part < kFaultLine; part += kFaultLine - 1)
      victims.add({{part, false, cycle, Ways::both, kNever}});
  const Victims::Result result = victims.run();
  EXPECT_GT(result.undeliverable, victims.size() / 2);
  EXPECT_GT(result.voided, victims.size() / 2);
}

INSTANTIATE_TEST_SUITE_P(EndToEnd, EndToEndCarriedAcknowledgements,
                         testing::Values(EveryFaultCase{"end-to-end", "iq", 16, 10, 0},
                                         EveryFaultCase{"end-to-end", "sbrp", 12, 10, 0}),
                         [](const auto& c) { return name_of(c.param); });

/// The second fault hits the refusal, the rest that is absorbed, what is sent again or its acknowledgement.
class EndToEndEverySecondFault : public testing::TestWithParam<EveryFaultCase> {};

TEST_P(EndToEndEverySecondFault, IsRepaired) {
  const EveryFaultCase& c = GetParam();
  Victims victims(c);
  const unsigned count = add_every_second_fault(victims, c);
  const Victims::Result result = victims.run();
  EXPECT_EQ(result.resent, count);
  EXPECT_GT(result.controls_cut, count / 20);
}

INSTANTIATE_TEST_SUITE_P(EndToEnd, EndToEndEverySecondFault,
                         testing::Values(EveryFaultCase{"end-to-end", "iq", 30, 10, 180},
                                         EveryFaultCase{"end-to-end", "sbrp", 20, 10, 150}),
                         [](const auto& c) { return name_of(c.param); });

/// A refusal that is cut is not repeated: the timer covers it. The receiver is node 4.
class EndToEndRefusal : public testing::TestWithParam<EveryFaultCase> {};

TEST_P(EndToEndRefusal, IsMadeUpForByTheTimerIfAFaultCutsIt) {
  const EveryFaultCase& c = GetParam();
  VictimSettings settings;
  settings.recovery.timeout = 1500;
  Victims victims(c, settings);
  const Cycle first = std::string(c.preset) == "iq" ? 30 : 15;
  for (Cycle cycle = first + c.duration + 1; cycle <= first + 80; cycle += kFaultStride)
    for (RouterId part = 0; part < kFaultLine; ++part) {
      victims.add({{2, false, first}, {part, false, cycle}});
      if (part + 1 < kFaultLine) victims.add({{2, false, first}, {part, true, cycle, Ways::back}});
    }
  const Victims::Result result = victims.run();
  EXPECT_EQ(result.delivered, victims.size());
  unsigned cut = 0;
  for (std::size_t i = 0; i < victims.size(); ++i) {
    if (victims[i].log.controls_cut_early(kFaultLine - 1) == 0) continue;
    ++cut;
    EXPECT_GT(victims[i].log.fates.begin()->second.delivered_at, 1500u);
  }
  EXPECT_GT(cut, victims.size() / 20);
}

INSTANTIATE_TEST_SUITE_P(EndToEnd, EndToEndRefusal,
                         testing::Values(EveryFaultCase{"end-to-end", "iq", 30, 10, 0},
                                         EveryFaultCase{"end-to-end", "sbrp", 20, 10, 0}),
                         [](const auto& c) { return name_of(c.param); });

}  // namespace
}  // namespace flitmend
