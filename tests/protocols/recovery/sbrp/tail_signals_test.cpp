// SPDX-License-Identifier: Apache-2.0
// The signals that follow tails, and the shadow registers, cycle by cycle: who remembers a message for how
// long.
#include "rtl_tlm/mechanisms/tail_signals/tail_signals.h"

#include "rtl_tlm/mechanisms/tail_signals/injector_shadows.h"

#include <gtest/gtest.h>

#include "protocols/recovery/sbrp/recording_line.h"

namespace flitmend {
namespace {

/// By preset.
class TailSignalsIn : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Preset, TailSignalsIn, testing::Values("iq", "sbrp", "kary-ncube"),
                         [](const auto& preset_name) {
                           std::string name = preset_name.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(TailSignals, ShadowRegistersLastUntilTheRouterAfterTheNextOneHasTheTail) {
  RecordingLine line;
  line.send(3);
  struct Span {
    Cycle first = kNever, last = 0;
  };
  std::array<Span, 5> shadow, owed;
  Span injector;
  const auto note = [](Span& span, bool on, Cycle t) {
    if (!on) return;
    span.first = std::min(span.first, t);
    span.last = t;
  };
  for (Cycle t = 1; t < 60; ++t) {
    line.to(t);
    note(injector, line.fabric.network_interface(0).injector.gates().tails != 0, t);
    for (RouterId r = 0; r < 5; ++r) {
      note(shadow[r], line.lingering(r) != 0, t);
      note(owed[r], line.owed(r) != 0, t);
    }
  }
  // The tail leaves the injector in 3, arrives at router 0 in 4, crosses it in 6, arrives at 1 in 9, crosses
  // it in 11, and so on. Signals take 2 cycles per link.
  EXPECT_EQ(injector.first, 3u);
  EXPECT_EQ(injector.last, 9u + 2 + 2 - 1) << "router 1 has the tail in 9, router 0 knows in 11";
  for (const RouterId r : {0u, 1u, 2u}) {
    EXPECT_EQ(shadow[r].first, 6u + 5 * r) << r;
    EXPECT_EQ(shadow[r].last, (6u + 5 * r) + 8 + 4 - 1) << r << ": 8 cycles later it is two routers further";
  }
  EXPECT_EQ(shadow[3].first, 21u);
  EXPECT_EQ(shadow[4].first, 26u);
  EXPECT_EQ(shadow[4].last, 30u) << "the interface has the tail in 30, and its answer takes a cycle";
  EXPECT_EQ(shadow[3].last, 31u + 2 - 1);
  for (const RouterId r : {0u, 1u, 2u, 3u}) {
    EXPECT_EQ(owed[r].first, r == 0 ? 4 : 4 + 5 * r) << r;
    EXPECT_EQ(owed[r].last, (9u + 5 * r) + 2 - 1) << r << ": until the next router has answered";
  }
  EXPECT_EQ(owed[4].first, 24u);
  EXPECT_EQ(owed[4].last, 30u);
  EXPECT_TRUE(line.log.cuts.empty());
  line.expect_clean();
}

TEST_P(TailSignalsIn, MessagesTakeTheSameTimeAsWithoutIt) {
  FabricBench without(mesh_network({5}), preset(GetParam()), {}, "without");
  RecordingLine with(preset(GetParam()));
  for (const std::uint32_t length : {1u, 2u, 9u, 30u}) {
    for (FabricBench* bench : {&with.bench, &without}) {
      bench->fabric.network_interface(0).send(4, length);
      bench->fabric.network_interface(3).send(1, length);
    }
    with.bench.run(150);
  }
  EXPECT_EQ(with.bench.deliveries.size(), 8u);
  EXPECT_EQ(with.bench.deliveries, without.deliveries);
  EXPECT_TRUE(with.log.cuts.empty());
}

/// Whether two messages of 2 flits arrive until then.
bool delivers_two(RecordingLine& line, Cycle until) {
  line.send(2);
  line.send(2);
  line.to(until);
  return line.bench.deliveries.size() == 2;
}

// The tail before may stay in an output buffer for any time. A message that held virtual channels ahead would
// wait for one that may need them.
TEST(TailSignals, WithOutputBuffersAHeadWaitsWhileTheShadowRegisterIsInUse) {
  RecordingLine line(one_vc("sbrp"));
  ASSERT_TRUE(delivers_two(line, 40));
  const Cycle free_from = line.bench.deliveries[1].injected;
  EXPECT_GT(free_from, line.bench.deliveries[0].injected + 2);
  EXPECT_EQ(line.fabric.network_interface(0).injector.mechanism<InjectorShadows>().waits().tails, 0u);
  for (RouterId r = 0; r < 5; ++r) EXPECT_EQ(TailSignals::gates_of(line.state(r), 0).waits, 0u);
  line.expect_clean();
}

TEST(TailSignals, ATailWaitsWhileTheShadowRegisterIsInUse) {
  RecordingLine line(one_vc("iq"));
  ASSERT_TRUE(delivers_two(line, 60));
  EXPECT_EQ(line.bench.deliveries[0].delivered, 29u);
  // The first tail leaves the injector in 2, whose shadow register is free in 12; the second one could leave
  // in 4.
  const Injector& injector = line.fabric.network_interface(0).injector;
  EXPECT_EQ(injector.mechanism<InjectorShadows>().waits().tails, 1u);
  EXPECT_EQ(injector.mechanism<InjectorShadows>().waits().cycles, 8u);
  // The first tail crosses router 0 in 5, whose shadow register is free in 17; the second one comes in 13.
  const TailGates& gates = TailSignals::gates_of(line.state(0), 0);
  EXPECT_EQ(gates.waits, 1u);
  EXPECT_EQ(gates.cycles, 4u);
  EXPECT_EQ(line.bench.deliveries[1].delivered, 39u);
  line.expect_clean();
}

TEST_P(TailSignalsIn, ManyShortMessagesOnOneVirtualChannelAllArrive) {
  RecordingLine line(one_vc(GetParam()));
  for (unsigned i = 0; i < 40; ++i) {
    line.send(1 + i % 4);
    line.send(2, 1, 3);
    line.send(3, 4, 0);
  }
  line.expect_clean();
  EXPECT_EQ(line.bench.deliveries.size(), 120u);
  std::uint64_t waits = 0;
  for (RouterId r = 0; r < 5; ++r) waits += TailSignals::gates_of(line.state(r), 0).waits;
  EXPECT_EQ(waits > 0, GetParam() != std::string("sbrp")) << "with output buffers heads wait";
  EXPECT_TRUE(line.log.cuts.empty());
}

TEST(TailSignals, NobodyWaitsForTheAnswerToABrokenTail) {
  RecordingLine line(one_vc("sbrp"));
  line.fabric.fail_router(4);  // messages wait at router 3
  line.send(20);
  line.to(30);
  line.fabric.fail_link(1, line.east(1));
  line.to(40);
  ASSERT_EQ(line.log.cuts.size(), 1u);
  line.fabric.repair_link(1, line.east(1));
  line.to(60);
  EXPECT_EQ(line.owed(2), 0u) << "router 2 appended the tail, router 1 sent none";
  line.send(2, 0, 2);
  line.to(90);
  EXPECT_TRUE(line.bench.deliveries.empty()) << "RESYNC waits for the piece";
  line.fabric.repair_router(4);
  line.expect_clean();
  EXPECT_EQ(line.bench.deliveries.size(), 1u);
  EXPECT_EQ(line.log.cuts.size(), 1u);
}

// The first message's head waits in router 3, its tail in the output buffer of router 2, whose input virtual
// channel is idle. So after a fault of the link from 1 to 2 a second message takes that virtual channel. When
// the first tail moves on, router 1 must go on remembering the second message.
TEST(TailSignals, ALateAnswerFreesNoOtherShadowRegister) {
  RecordingLine line(one_vc("sbrp"));
  line.fabric.fail_router(4);
  line.send(2);
  line.to(20);
  ASSERT_EQ(line.state(2).output_flits(line.east(2)), 1u);
  ASSERT_EQ(line.fsm(2, line.west(2)), RouteFsm::idle);
  ASSERT_NE(line.lingering(1), 0u);
  line.fabric.fail_link(1, line.east(1));
  line.to(25);
  line.expect_asked(21, 1, 2, 2);
  line.fabric.repair_link(1, line.east(1));
  line.to(30);
  line.send(1);
  line.to(50);
  ASSERT_NE(line.lingering(1), 0u);
  line.fabric.repair_router(4);
  const auto second_waits = [&] { return line.state(2).input(line.west(2)).count > 0; };
  ASSERT_TRUE(second_waits());
  Cycle t = 51;
  Cycle first_left = 0;
  for (; second_waits(); ++t) {
    EXPECT_NE(line.lingering(1), 0u) << t;
    EXPECT_NE(line.owed(2), 0u) << t;
    line.to(t);
    if (first_left == 0 && line.state(2).output_flits(line.east(2)) == 0) first_left = t;
  }
  EXPECT_GT(t, first_left + 2) << "the answer to the first tail came before";
  line.expect_clean();
  EXPECT_EQ(line.bench.deliveries.size(), 2u) << "the request for the first message was not necessary";
}

TEST(TailSignals, ATailAnswersOnlyTheRouterThatSentIt) {
  HardwareSettings hardware = one_vc("iq");
  hardware.router.input_buffer = 4;
  RecordingLine line(hardware);
  line.fabric.fail_router(4);
  line.send(3, 0, 4);  // waits at router 3
  line.send(3, 1, 4);  // or behind it
  line.to(60);
  // The first message is in router 3, the second one in router 2 or partly in 3.
  line.fabric.fail_link(2, line.east(2));
  line.to(62);
  EXPECT_EQ(line.lingering(2), 0u) << "it has asked";
  EXPECT_EQ(line.owed(3), 0u) << "the first tail came over the dead link: nobody waits for the answer";
  line.fabric.repair_link(2, line.east(2));
  line.fabric.repair_router(4);
  line.send(3, 0, 4);
  line.send(3, 0, 4);
  line.expect_clean();
}

}  // namespace
}  // namespace flitmend
