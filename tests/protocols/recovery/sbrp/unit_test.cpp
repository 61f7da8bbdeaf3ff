// SPDX-License-Identifier: Apache-2.0
// The routers of SBRP-0 and SBRP-1, cycle by cycle: who remembers a message for how long, and who asks for it
// after a fault. The ends only record what they are told.
#include "protocols/recovery/sbrp/unit.h"

#include <gtest/gtest.h>

#include "base/errors.h"
#include "support/fabric_bench.h"
#include "support/recording_ends.h"

namespace flitmend {
namespace {

/// A line of five routers; messages go from 0 to 4 unless a test says otherwise. In preset iq the head of a
/// message sent in cycle 0 leaves in 1, crosses routers 0, 1, 2, 3, 4 in 4, 9, 14, 19, 24, arrives at 1, 2,
/// 3, 4 three cycles later, and is consumed in 28.
struct SbrpLine {
  explicit SbrpLine(HardwareSettings hardware = preset("iq"), unsigned head_wait = 200)
      : protocol(head_wait, log), bench(mesh_network({5}), hardware, {}, "fabric", 1, &protocol) {
    bench.run(1);
  }
  /// Runs to the end of cycle t.
  void to(Cycle t) { bench.run(t + 1 - bench.fabric.cycles()); }
  PortId east(RouterId r) const {
    PortId p = 0;
    while (bench.topology().port_name(r, p) != "dim0_plus") ++p;
    return p;
  }
  PortId west(RouterId r) const { return static_cast<PortId>(1 - east(r)); }
  const RouterState& state(RouterId r) { return bench.fabric.router(r).state(); }
  /// The port towards node 4: at router 4 that of its interface.
  unsigned onward(RouterId r) { return r == 4 ? bench.fabric.router(4).local_port() : east(r); }
  VcMask lingering(RouterId r) { return state(r).tail_port(onward(r)).lingering; }
  VcMask owed(RouterId r) {
    return state(r).tail_port(r == 0 ? bench.fabric.router(0).local_port() : west(r)).owed;
  }
  RouteFsm fsm(RouterId r, unsigned port) {
    RouteFsm busy = RouteFsm::idle;
    for (unsigned vc = 0; vc < state(r).vcs(); ++vc)
      if (state(r).route_fsm(port * state(r).vcs() + vc) != RouteFsm::idle)
        busy = state(r).route_fsm(port * state(r).vcs() + vc);
    return busy;
  }
  unsigned crossed(RouterId r) {
    unsigned most = 0;
    for (unsigned vc = 0; vc < state(r).vcs(); ++vc)
      most = std::max<unsigned>(most, state(r).input(west(r) * state(r).vcs() + vc).flits_sent);
    return most;
  }
  Fabric& fabric() { return bench.fabric; }
  void send(std::uint32_t length, NodeId from = 0, NodeId destination = 4) {
    fabric().network_interface(from).send(destination, length);
  }
  void expect_clean() {
    EXPECT_TRUE(bench.drain(4000));
    const ConservationReport report = fabric().check_conservation();
    EXPECT_TRUE(report.flits_conserved()) << report.flits_injected << " " << report.flits_consumed << " "
                                          << report.flits_discarded << " " << report.flits_in_network;
    EXPECT_EQ(report.flits_in_network, 0u);
    EXPECT_EQ(report.credits_missing, 0u);
    EXPECT_EQ(report.busy_vcs, 0u);
    EXPECT_EQ(fabric().context().messages.in_use(), 0u);
  }
  /// One request only, for the first message of node 0.
  void expect_asked(Cycle t, NodeId at, std::uint32_t length, std::uint32_t count) {
    ASSERT_EQ(log.cuts.size(), 1u);
    EXPECT_EQ(log.cuts[0].t, t);
    EXPECT_EQ(log.cuts[0].at, at);
    EXPECT_EQ(log.cuts[0].message, (CutMessage{.source = 0,
                                               .destination = 4,
                                               .id = 0,
                                               .length = length,
                                               .first = 0,
                                               .count = count,
                                               .sub_message = 0}));
  }

  RecoveryLog log;
  RecordingProtocol protocol;
  FabricBench bench;
};

HardwareSettings one_vc(const char* name) {
  HardwareSettings s = preset(name);
  s.router.virtual_channels = 1;
  return s;
}

/// By preset.
class SbrpUnitIn : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Preset, SbrpUnitIn, testing::Values("iq", "sbrp", "kary-ncube"),
                         [](const auto& preset_name) {
                           std::string name = preset_name.param;
                           std::erase(name, '-');
                           return name;
                         });

// --- Without faults ---

TEST(SbrpUnit, ShadowRegistersLastUntilTheRouterAfterTheNextOneHasTheTail) {
  SbrpLine line;
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
    note(injector, line.fabric().network_interface(0).injector.lingering() != 0, t);
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

TEST_P(SbrpUnitIn, MessagesTakeTheSameTimeAsWithoutIt) {
  FabricBench without(mesh_network({5}), preset(GetParam()), {}, "without");
  SbrpLine with(preset(GetParam()));
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

TEST(SbrpUnit, ATailWaitsWhileTheShadowRegisterIsInUse) {
  SbrpLine line(one_vc("iq"));
  line.send(2);
  line.send(2);
  line.to(60);
  ASSERT_EQ(line.bench.deliveries.size(), 2u);
  EXPECT_EQ(line.bench.deliveries[0].delivered, 29u);
  // The first tail leaves the injector in 2, whose shadow register is free in 12; the second one could leave
  // in 4.
  const Injector& injector = line.fabric().network_interface(0).injector;
  EXPECT_EQ(injector.tail_waits(), 1u);
  EXPECT_EQ(injector.tail_wait_cycles(), 8u);
  // The first tail crosses router 0 in 5, whose shadow register is free in 17; the second one comes in 13.
  const TailGates& gates = line.state(0).tail_gates(0);
  EXPECT_EQ(gates.waits, 1u);
  EXPECT_EQ(gates.cycles, 4u);
  EXPECT_EQ(line.bench.deliveries[1].delivered, 39u);
  line.expect_clean();
}

TEST_P(SbrpUnitIn, ManyShortMessagesOnOneVirtualChannelAllArrive) {
  SbrpLine line(one_vc(GetParam()));
  for (unsigned i = 0; i < 40; ++i) {
    line.send(1 + i % 4);
    line.send(2, 1, 3);
    line.send(3, 4, 0);
  }
  line.expect_clean();
  EXPECT_EQ(line.bench.deliveries.size(), 120u);
  std::uint64_t waits = 0;
  for (RouterId r = 0; r < 5; ++r) waits += line.state(r).tail_gates(0).waits;
  EXPECT_GT(waits, 0u);
  EXPECT_TRUE(line.log.cuts.empty());
}

// --- One fault ---

TEST(SbrpUnit, TheRouterBeforeTheFaultAsksWithItsFlitCounter) {
  SbrpLine line;
  line.send(40);
  line.to(30);
  const unsigned left = line.crossed(1);
  EXPECT_EQ(left, 22u) << "the head crossed in 9, and one flit per cycle since";
  line.fabric().fail_router(2);
  EXPECT_TRUE(line.log.cuts.empty()) << "not before it sees the fault";
  line.to(31);
  line.expect_asked(31, 1, 40, left);
  line.to(50);
  line.fabric().repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.log.cuts.size(), 1u);
  ASSERT_EQ(line.log.pieces.size(), 1u);
  EXPECT_TRUE(line.log.pieces[0].broken);
  EXPECT_GE(line.log.pieces[0].flits + line.fabric().context().hardware.flits_between(), left);
}

// A message of 4 flits: its tail crosses router 1 in 12, arrives at 2 in 15 and at 3 in 20; router 1 knows
// in 24.
class SbrpUnitStruckIn : public testing::TestWithParam<Cycle> {};
INSTANTIATE_TEST_SUITE_P(Cycle, SbrpUnitStruckIn, testing::Values(12, 15, 18, 19, 22));

TEST_P(SbrpUnitStruckIn, ALingeringMessageIsAskedForWithAllItsFlits) {
  const Cycle struck = GetParam();
  SbrpLine line;
  line.send(4);
  line.to(struck);
  ASSERT_NE(line.lingering(1), 0u);
  line.fabric().fail_router(2);
  line.to(struck + 1);
  line.expect_asked(struck + 1, 1, 4, 4);
  EXPECT_EQ(line.lingering(1), 0u);
  EXPECT_EQ(line.owed(1), 0u);
  line.to(struck + 5);
  line.fabric().repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.log.cuts.size(), 1u);
  EXPECT_EQ(line.bench.deliveries.size(), struck >= 20 ? 1u : 0u) << "from 20 on its tail is at router 3";
}

TEST(SbrpUnit, NobodyAsksOnceTheRouterAfterTheFaultHasTheTail) {
  SbrpLine line;
  line.send(4);
  line.to(24);
  EXPECT_EQ(line.lingering(1), 0u);
  line.fabric().fail_router(2);
  line.to(40);
  line.fabric().repair_router(2);
  line.expect_clean();
  EXPECT_TRUE(line.log.cuts.empty());
  EXPECT_EQ(line.bench.deliveries.size(), 1u);
}

TEST(SbrpUnit, AHeadThatHasNotLeftIsRoutedAgain) {
  SbrpLine line;
  line.send(4);
  line.to(8);  // the head is at router 1
  line.fabric().fail_router(2);
  line.to(30);
  line.fabric().repair_router(2);
  line.expect_clean();
  EXPECT_TRUE(line.log.cuts.empty());
  EXPECT_EQ(line.bench.deliveries.size(), 1u);
}

TEST(SbrpUnit, ALostHeadIsAskedForToo) {
  SbrpLine line;
  line.send(40);
  line.to(12);  // the head arrives at router 2 in this cycle
  line.fabric().fail_router(2);
  line.to(13);
  line.expect_asked(13, 1, 40, 4);
  line.to(20);
  line.fabric().repair_router(2);
  line.expect_clean();
  EXPECT_TRUE(line.log.pieces.empty()) << "the destination has seen nothing";
}

TEST(SbrpUnit, TheSourcesInterfaceAsksIfItsRouterDies) {
  SbrpLine line;
  line.send(40);
  line.send(5, 0, 3);
  line.to(25);
  const std::uint32_t left = line.fabric().network_interface(0).injector.next_flit(0);
  line.fabric().fail_router(0);
  line.expect_asked(25, 0, 40, left);
  line.to(40);
  line.fabric().repair_router(0);
  line.expect_clean();
  EXPECT_EQ(line.log.cuts.size(), 1u) << "the second one had not left";
  EXPECT_EQ(line.bench.deliveries.size(), 1u);
}

TEST_P(SbrpUnitIn, TheSourcesInterfaceLingers) {
  SbrpLine line(preset(GetParam()));
  line.send(3);
  const Injector& injector = line.fabric().network_interface(0).injector;
  Cycle t = 1;
  for (; injector.lingering() == 0; ++t) line.to(t);
  line.fabric().fail_router(0);
  line.expect_asked(t - 1, 0, 3, 3);
  EXPECT_EQ(injector.lingering(), 0u);
  line.to(t + 10);
  line.fabric().repair_router(0);
  line.expect_clean();
  EXPECT_EQ(line.log.cuts.size(), 1u);
}

TEST(SbrpUnit, TheSourceIsTheRouterBeforeTheFault) {
  SbrpLine line;
  line.send(40);
  line.to(20);
  line.fabric().fail_router(1);
  line.to(21);
  line.expect_asked(21, 0, 40, 17);
  line.to(40);
  line.fabric().repair_router(1);
  line.expect_clean();
}

TEST_P(SbrpUnitIn, TheRouterBeforeADeadDestinationAsks) {
  SbrpLine line(preset(GetParam()));
  line.send(30);
  Cycle t = 1;
  while (line.fabric().context().flits_consumed < 10) line.to(t++);
  line.fabric().fail_router(4);
  line.to(t);
  ASSERT_EQ(line.log.cuts.size(), 1u);
  EXPECT_EQ(line.log.cuts[0].at, 3u);
  EXPECT_LE(line.log.cuts[0].message.count, 10 + line.fabric().context().hardware.flits_between());
  line.to(t + 10);
  line.fabric().repair_router(4);
  line.expect_clean();
  EXPECT_EQ(line.log.cuts.size(), 1u);
  EXPECT_TRUE(line.bench.deliveries.empty());
}

TEST_P(SbrpUnitIn, TheTailIsLostInADeadDestination) {
  SbrpLine line(preset(GetParam()));
  line.send(30);
  Cycle t = 1;
  while (line.lingering(3) == 0) line.to(t++);
  EXPECT_TRUE(line.bench.deliveries.empty());
  line.fabric().fail_router(4);
  line.to(t);
  line.expect_asked(t, 3, 30, 30);
  line.to(t + 10);
  line.fabric().repair_router(4);
  line.expect_clean();
  EXPECT_EQ(line.log.cuts.size(), 1u);
  EXPECT_TRUE(line.bench.deliveries.empty());
}

// Where there is an ejection channel, a tail is safe only at the interface: there it is consumed in 31, and
// router 3 learns of it in 34.
TEST(SbrpUnit, ATailOnTheEjectionChannelIsNotSafe) {
  SbrpLine line;
  line.send(4);
  line.to(30);
  EXPECT_NE(line.lingering(3), 0u);
  EXPECT_EQ(line.state(4).input(line.west(4) * 4).count, 0u) << "it has left router 4";
  line.fabric().fail_router(4);
  line.to(31);
  line.expect_asked(31, 3, 4, 4);
  line.to(40);
  line.fabric().repair_router(4);
  line.expect_clean();
  EXPECT_TRUE(line.bench.deliveries.empty());
}

TEST(SbrpUnit, ALinkFailsOneWay) {
  SbrpLine line;
  line.send(40);
  line.send(40, 4, 0);
  line.to(30);
  line.fabric().fail_link(2, line.east(2), true);
  line.to(31);
  ASSERT_EQ(line.log.cuts.size(), 1u);
  EXPECT_EQ(line.log.cuts[0].at, 2u);
  line.to(50);
  line.fabric().repair_link(2, line.east(2), true);
  line.expect_clean();
  EXPECT_EQ(line.bench.deliveries.size(), 1u) << "the message the other way";
}

TEST(SbrpUnit, ALinkFailsBothWays) {
  SbrpLine line;
  line.send(40);
  line.send(40, 4, 0);
  line.to(30);
  line.fabric().fail_link(2, line.east(2));
  line.to(31);
  ASSERT_EQ(line.log.cuts.size(), 2u);
  EXPECT_EQ(line.log.cuts[0].at, 2u);
  EXPECT_EQ(line.log.cuts[0].message.source, 0u);
  EXPECT_EQ(line.log.cuts[1].at, 3u);
  EXPECT_EQ(line.log.cuts[1].message.source, 4u);
  line.to(50);
  line.fabric().repair_link(2, line.east(2));
  line.expect_clean();
  EXPECT_TRUE(line.bench.deliveries.empty());
}

TEST(SbrpUnit, AHeadThatWaitsTooLongIsAskedForWithoutARoute) {
  SbrpLine line(preset("iq"), 50);
  line.fabric().fail_router(2);
  line.send(30);
  line.to(100);
  ASSERT_EQ(line.log.cuts.size(), 1u);
  EXPECT_EQ(line.log.cuts[0].at, 1u);
  EXPECT_TRUE(line.log.cuts[0].message.no_route);
  EXPECT_EQ(line.log.cuts[0].message.count, 0u);
  line.expect_clean();
}

TEST(SbrpUnit, NobodyAsksForControlMessages) {
  SbrpLine line;
  for (const Cycle struck : {9u, 16u}) {  // the first is cut in the middle, the second lingers
    line.bench.run(100);
    const Cycle start = line.fabric().cycles();
    NetworkInterface& interface = line.fabric().network_interface(0);
    interface.push(interface.compose(4, 4, MessageKind::control, start), InjectionPriority::control);
    line.to(start + struck);
    line.fabric().fail_router(2);
    line.to(start + 40);
    line.fabric().repair_router(2);
    line.expect_clean();
    ASSERT_FALSE(line.log.spent.empty());
    EXPECT_TRUE(line.log.spent.back().control);
    EXPECT_TRUE(line.log.cuts.empty()) << struck;
  }
}

TEST(SbrpUnit, APieceSaysWhichItIs) {
  SbrpLine line;
  NetworkInterface& interface = line.fabric().network_interface(0);
  for (const Cycle struck : {25u, 40u}) {
    const Cycle start = line.fabric().cycles();
    const MessageIndex packet = interface.compose(4, 20, MessageKind::data, start);
    Message& message = line.fabric().context().messages[packet];
    message.id = 7;
    message.sub_message = 3;
    line.fabric().context().messages.fields(packet).first = 100;
    ++line.fabric().context().messages_in_network;
    interface.push(packet, InjectionPriority::resend);
    line.to(start + struck - 8);
    line.fabric().fail_router(2);
    line.to(start + struck + 10);
    line.fabric().repair_router(2);
    line.bench.run(200);
    ASSERT_FALSE(line.log.cuts.empty());
    const CutMessage& cut = line.log.cuts.back().message;
    EXPECT_EQ(cut.id, 7u);
    EXPECT_EQ(cut.sub_message, 3u);
    EXPECT_EQ(cut.first, 100u);
    EXPECT_EQ(cut.length, 20u);
  }
  EXPECT_EQ(line.log.cuts.size(), 2u);
  EXPECT_EQ(line.log.cuts[1].message.count, 20u) << "the second one lingered";
  line.expect_clean();
}

// --- Two faults ---

TEST(SbrpUnit, TwoAdjacentRoutersDieTogether) {
  SbrpLine line;
  line.send(40);
  line.to(35);
  line.fabric().fail_router(2);
  line.fabric().fail_router(3);
  line.to(36);
  line.expect_asked(36, 1, 40, 27);
  EXPECT_EQ(line.fsm(1, line.west(1)), RouteFsm::absorb);
  line.to(60);
  line.fabric().repair_router(3);
  line.to(65);
  line.fabric().repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.log.cuts.size(), 1u);
}

TEST(SbrpUnit, TheRoutersOnBothSidesOfTheSecondFaultActForIt) {
  SbrpLine line;
  line.send(60);
  line.to(40);
  line.fabric().fail_router(3);
  line.to(41);
  ASSERT_EQ(line.log.cuts.size(), 1u);
  EXPECT_EQ(line.log.cuts[0].at, 2u);
  EXPECT_EQ(line.fsm(2, line.west(2)), RouteFsm::absorb);
  line.to(45);
  line.fabric().fail_router(1);  // upstream of the router that absorbs
  line.to(46);
  ASSERT_EQ(line.log.cuts.size(), 2u);
  EXPECT_EQ(line.log.cuts[1].at, 0u);
  EXPECT_EQ(line.fsm(0, line.fabric().router(0).local_port()), RouteFsm::absorb);
  line.to(60);
  EXPECT_EQ(line.fsm(2, line.west(2)), RouteFsm::idle) << "it has absorbed a broken tail";
  line.fabric().repair_router(1);
  line.fabric().repair_router(3);
  line.expect_clean();
  EXPECT_EQ(line.log.cuts.size(), 2u);
}

TEST(SbrpUnit, TheRouterThatAbsorbsDies) {
  SbrpLine line;
  line.send(60);
  line.to(40);
  line.fabric().fail_router(3);
  line.to(43);
  line.fabric().fail_router(2);
  line.to(44);
  ASSERT_EQ(line.log.cuts.size(), 2u);
  EXPECT_EQ(line.log.cuts[0].at, 2u);
  EXPECT_EQ(line.log.cuts[1].at, 1u);
  EXPECT_GT(line.log.cuts[1].message.count, line.log.cuts[0].message.count);
  line.to(60);
  line.fabric().repair_router(2);
  line.fabric().repair_router(3);
  line.expect_clean();
}

// A piece that ends with a broken tail lingers like any other, with the number of its real flits.
TEST(SbrpUnit, ASecondFaultTakesTheBrokenTailOfTheFirst) {
  SbrpLine line;
  line.send(40);
  line.to(30);
  line.fabric().fail_router(1);
  line.to(31);
  ASSERT_EQ(line.log.cuts.size(), 1u);
  EXPECT_EQ(line.log.cuts[0].at, 0u);
  // Router 2 appends the broken tail.
  Cycle t = 32;
  for (; line.lingering(2) == 0; ++t) line.to(t);
  const std::uint16_t flits = line.state(2).tail_shadow(line.onward(2) * 4).count;
  EXPECT_GT(flits, 5u);
  line.fabric().fail_router(3);
  line.to(t);
  ASSERT_EQ(line.log.cuts.size(), 2u);
  EXPECT_EQ(line.log.cuts[1].at, 2u);
  EXPECT_EQ(line.log.cuts[1].message.count, flits);
  EXPECT_LT(flits, line.log.cuts[0].message.count);
  line.to(t + 20);
  line.fabric().repair_router(1);
  line.fabric().repair_router(3);
  line.expect_clean();
}

TEST(SbrpUnit, TheFaultComesBackWhileTheMessageIsAbsorbed) {
  SbrpLine line;
  line.send(60);
  line.to(30);
  line.fabric().fail_router(2);
  line.to(33);
  line.fabric().repair_router(2);
  line.to(40);
  EXPECT_EQ(line.fsm(1, line.west(1)), RouteFsm::absorb);
  line.fabric().fail_router(2);
  line.to(45);
  line.fabric().repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.log.cuts.size(), 1u);
}

TEST(SbrpUnit, NobodyWaitsForTheAnswerToABrokenTail) {
  SbrpLine line(one_vc("sbrp"));
  line.fabric().fail_router(4);  // messages wait at router 3
  line.send(20);
  line.to(30);
  line.fabric().fail_link(1, line.east(1));
  line.to(40);
  ASSERT_EQ(line.log.cuts.size(), 1u);
  line.fabric().repair_link(1, line.east(1));
  line.to(60);
  EXPECT_EQ(line.owed(2), 0u) << "router 2 appended the tail, router 1 sent none";
  line.send(2, 0, 2);
  line.to(90);
  EXPECT_TRUE(line.bench.deliveries.empty()) << "RESYNC waits for the piece";
  line.fabric().repair_router(4);
  line.expect_clean();
  EXPECT_EQ(line.bench.deliveries.size(), 1u);
  EXPECT_EQ(line.log.cuts.size(), 1u);
}

// The first message's head waits in router 3, its tail in the output buffer of router 2, whose input virtual
// channel is idle. So after a fault of the link from 1 to 2 a second message takes that virtual channel. When
// the first tail moves on, router 1 must go on remembering the second message.
TEST(SbrpUnit, ALateAnswerFreesNoOtherShadowRegister) {
  SbrpLine line(one_vc("sbrp"));
  line.fabric().fail_router(4);
  line.send(2);
  line.to(20);
  ASSERT_EQ(line.state(2).output_flits(line.east(2)), 1u);
  ASSERT_EQ(line.fsm(2, line.west(2)), RouteFsm::idle);
  ASSERT_NE(line.lingering(1), 0u);
  line.fabric().fail_link(1, line.east(1));
  line.to(25);
  line.expect_asked(21, 1, 2, 2);
  line.fabric().repair_link(1, line.east(1));
  line.to(30);
  line.send(1);
  line.to(50);
  ASSERT_NE(line.lingering(1), 0u);
  line.fabric().repair_router(4);
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

TEST(SbrpUnit, ATailAnswersOnlyTheRouterThatSentIt) {
  HardwareSettings hardware = one_vc("iq");
  hardware.router.input_buffer = 4;
  SbrpLine line(hardware);
  line.fabric().fail_router(4);
  line.send(3, 0, 4);  // waits at router 3
  line.send(3, 1, 4);  // or behind it
  line.to(60);
  // The first message is in router 3, the second one in router 2 or partly in 3.
  line.fabric().fail_link(2, line.east(2));
  line.to(62);
  EXPECT_EQ(line.lingering(2), 0u) << "it has asked";
  EXPECT_EQ(line.owed(3), 0u) << "the first tail came over the dead link: nobody waits for the answer";
  line.fabric().repair_link(2, line.east(2));
  line.fabric().repair_router(4);
  line.send(3, 0, 4);
  line.send(3, 0, 4);
  line.expect_clean();
}

// --- Refusals ---

TEST(SbrpUnit, ASwitchWithoutAnInterfaceIsRefused) {
  EXPECT_THROW(sbrp::Unit::require_interfaces(*make_topology(kns_network(2, 2))), KeyError);
  EXPECT_NO_THROW(sbrp::Unit::require_interfaces(*make_topology(mesh_network({3, 3}))));
}

}  // namespace
}  // namespace flitmend
