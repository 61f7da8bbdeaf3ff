// SPDX-License-Identifier: Apache-2.0
// The routers of SBRP-0 and SBRP-1, cycle by cycle: who asks for a message after a fault. The ends only
// record what they are told.
#include "protocols/recovery/sbrp/unit.h"

#include <gtest/gtest.h>

#include "base/errors.h"
#include "protocols/recovery/sbrp/recording_line.h"
#include "support/files.h"

namespace flitmend {
namespace {

/// By preset.
class SbrpUnitIn : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Preset, SbrpUnitIn, testing::Values("iq", "sbrp", "kary-ncube"),
                         [](const auto& preset_name) {
                           std::string name = preset_name.param;
                           std::erase(name, '-');
                           return name;
                         });

// --- One fault ---

TEST(SbrpUnit, TheRouterBeforeTheFaultAsksWithItsFlitCounter) {
  RecordingLine line;
  line.send(40);
  line.to(30);
  const unsigned left = line.crossed(1);
  EXPECT_EQ(left, 22u) << "the head crossed in 9, and one flit per cycle since";
  line.fabric.fail_router(2);
  EXPECT_TRUE(line.log.cuts.empty()) << "not before it sees the fault";
  line.to(31);
  line.expect_asked(31, 1, 40, left);
  line.to(50);
  line.fabric.repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.log.cuts.size(), 1u);
  ASSERT_EQ(line.log.pieces.size(), 1u);
  EXPECT_TRUE(line.log.pieces[0].broken);
  EXPECT_GE(line.log.pieces[0].flits + line.fabric.context().hardware.flits_between(), left);
}

// A message of 4 flits: its tail crosses router 1 in 12, arrives at 2 in 15 and at 3 in 20; router 1 knows
// in 24.
class SbrpUnitStruckIn : public testing::TestWithParam<Cycle> {};
INSTANTIATE_TEST_SUITE_P(Cycle, SbrpUnitStruckIn, testing::Values(12, 15, 18, 19, 22));

TEST_P(SbrpUnitStruckIn, ALingeringMessageIsAskedForWithAllItsFlits) {
  const Cycle struck = GetParam();
  RecordingLine line;
  line.send(4);
  line.to(struck);
  ASSERT_NE(line.lingering(1), 0u);
  line.fabric.fail_router(2);
  line.to(struck + 1);
  line.expect_asked(struck + 1, 1, 4, 4);
  EXPECT_EQ(line.lingering(1), 0u);
  EXPECT_EQ(line.owed(1), 0u);
  line.to(struck + 5);
  line.fabric.repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.log.cuts.size(), 1u);
  EXPECT_EQ(line.bench.deliveries.size(), struck >= 20 ? 1u : 0u) << "from 20 on its tail is at router 3";
}

TEST(SbrpUnit, NobodyAsksOnceTheRouterAfterTheFaultHasTheTail) {
  RecordingLine line;
  line.send(4);
  line.to(24);
  EXPECT_EQ(line.lingering(1), 0u);
  line.fabric.fail_router(2);
  line.to(40);
  line.fabric.repair_router(2);
  line.expect_clean();
  EXPECT_TRUE(line.log.cuts.empty());
  EXPECT_EQ(line.bench.deliveries.size(), 1u);
}

TEST(SbrpUnit, AHeadThatHasNotLeftIsRoutedAgain) {
  RecordingLine line;
  line.send(4);
  line.to(8);  // the head is at router 1
  line.fabric.fail_router(2);
  line.to(30);
  line.fabric.repair_router(2);
  line.expect_clean();
  EXPECT_TRUE(line.log.cuts.empty());
  EXPECT_EQ(line.bench.deliveries.size(), 1u);
}

TEST(SbrpUnit, ALostHeadIsAskedForToo) {
  RecordingLine line;
  line.send(40);
  line.to(12);  // the head arrives at router 2 in this cycle
  line.fabric.fail_router(2);
  line.to(13);
  line.expect_asked(13, 1, 40, 4);
  line.to(20);
  line.fabric.repair_router(2);
  line.expect_clean();
  EXPECT_TRUE(line.log.pieces.empty()) << "the destination has seen nothing";
}

TEST(SbrpUnit, TheSourcesInterfaceAsksIfItsRouterDies) {
  RecordingLine line;
  line.send(40);
  line.send(5, 0, 3);
  line.to(25);
  const std::uint32_t left = line.fabric.network_interface(0).injector.next_flit(0);
  line.fabric.fail_router(0);
  line.expect_asked(25, 0, 40, left);
  line.to(40);
  line.fabric.repair_router(0);
  line.expect_clean();
  EXPECT_EQ(line.log.cuts.size(), 1u) << "the second one had not left";
  EXPECT_EQ(line.bench.deliveries.size(), 1u);
}

TEST_P(SbrpUnitIn, TheSourcesInterfaceLingers) {
  RecordingLine line(preset(GetParam()));
  line.send(3);
  const Injector& injector = line.fabric.network_interface(0).injector;
  Cycle t = 1;
  for (; injector.gates().tails == 0; ++t) line.to(t);
  line.fabric.fail_router(0);
  line.expect_asked(t - 1, 0, 3, 3);
  EXPECT_EQ(injector.gates().tails, 0u);
  line.to(t + 10);
  line.fabric.repair_router(0);
  line.expect_clean();
  EXPECT_EQ(line.log.cuts.size(), 1u);
}

TEST(SbrpUnit, TheSourceIsTheRouterBeforeTheFault) {
  RecordingLine line;
  line.send(40);
  line.to(20);
  line.fabric.fail_router(1);
  line.to(21);
  line.expect_asked(21, 0, 40, 17);
  line.to(40);
  line.fabric.repair_router(1);
  line.expect_clean();
}

TEST_P(SbrpUnitIn, TheRouterBeforeADeadDestinationAsks) {
  RecordingLine line(preset(GetParam()));
  line.send(30);
  Cycle t = 1;
  while (line.fabric.context().flits_consumed < 10) line.to(t++);
  line.fabric.fail_router(4);
  line.to(t);
  ASSERT_EQ(line.log.cuts.size(), 1u);
  EXPECT_EQ(line.log.cuts[0].at, 3u);
  EXPECT_LE(line.log.cuts[0].message.count, 10 + line.fabric.context().hardware.flits_between());
  line.to(t + 10);
  line.fabric.repair_router(4);
  line.expect_clean();
  EXPECT_EQ(line.log.cuts.size(), 1u);
  EXPECT_TRUE(line.bench.deliveries.empty());
}

TEST_P(SbrpUnitIn, TheTailIsLostInADeadDestination) {
  RecordingLine line(preset(GetParam()));
  line.send(30);
  Cycle t = 1;
  while (line.lingering(3) == 0) line.to(t++);
  EXPECT_TRUE(line.bench.deliveries.empty());
  line.fabric.fail_router(4);
  line.to(t);
  line.expect_asked(t, 3, 30, 30);
  line.to(t + 10);
  line.fabric.repair_router(4);
  line.expect_clean();
  EXPECT_EQ(line.log.cuts.size(), 1u);
  EXPECT_TRUE(line.bench.deliveries.empty());
}

// Where there is an ejection channel, a tail is safe only at the interface: there it is consumed in 31, and
// router 3 learns of it in 34.
TEST(SbrpUnit, ATailOnTheEjectionChannelIsNotSafe) {
  RecordingLine line;
  line.send(4);
  line.to(30);
  EXPECT_NE(line.lingering(3), 0u);
  EXPECT_EQ(line.state(4).input(line.west(4) * 4).count, 0u) << "it has left router 4";
  line.fabric.fail_router(4);
  line.to(31);
  line.expect_asked(31, 3, 4, 4);
  line.to(40);
  line.fabric.repair_router(4);
  line.expect_clean();
  EXPECT_TRUE(line.bench.deliveries.empty());
}

TEST(SbrpUnit, ALinkFailsOneWay) {
  RecordingLine line;
  line.send(40);
  line.send(40, 4, 0);
  line.to(30);
  line.fabric.fail_link(2, line.east(2), true);
  line.to(31);
  ASSERT_EQ(line.log.cuts.size(), 1u);
  EXPECT_EQ(line.log.cuts[0].at, 2u);
  line.to(50);
  line.fabric.repair_link(2, line.east(2), true);
  line.expect_clean();
  EXPECT_EQ(line.bench.deliveries.size(), 1u) << "the message the other way";
}

TEST(SbrpUnit, ALinkFailsBothWays) {
  RecordingLine line;
  line.send(40);
  line.send(40, 4, 0);
  line.to(30);
  line.fabric.fail_link(2, line.east(2));
  line.to(31);
  ASSERT_EQ(line.log.cuts.size(), 2u);
  EXPECT_EQ(line.log.cuts[0].at, 2u);
  EXPECT_EQ(line.log.cuts[0].message.source, 0u);
  EXPECT_EQ(line.log.cuts[1].at, 3u);
  EXPECT_EQ(line.log.cuts[1].message.source, 4u);
  line.to(50);
  line.fabric.repair_link(2, line.east(2));
  line.expect_clean();
  EXPECT_TRUE(line.bench.deliveries.empty());
}

TEST(SbrpUnit, AHeadThatWaitsTooLongIsAskedForWithoutARoute) {
  RecordingLine line(preset("iq"), 50);
  line.fabric.fail_router(2);
  line.send(30);
  line.to(100);
  ASSERT_EQ(line.log.cuts.size(), 1u);
  EXPECT_EQ(line.log.cuts[0].at, 1u);
  EXPECT_TRUE(line.log.cuts[0].message.no_route);
  EXPECT_EQ(line.log.cuts[0].message.count, 0u);
  line.expect_clean();
}

TEST(SbrpUnit, NobodyAsksForControlMessages) {
  RecordingLine line;
  for (const Cycle struck : {9u, 16u}) {  // the first is cut in the middle, the second lingers
    line.bench.run(100);
    const Cycle start = line.fabric.cycles();
    NetworkInterface& interface = line.fabric.network_interface(0);
    interface.push(interface.compose(4, 4, MessageKind::control, start), InjectionPriority::control);
    line.to(start + struck);
    line.fabric.fail_router(2);
    line.to(start + 40);
    line.fabric.repair_router(2);
    line.expect_clean();
    ASSERT_FALSE(line.log.spent.empty());
    EXPECT_TRUE(line.log.spent.back().control);
    EXPECT_TRUE(line.log.cuts.empty()) << struck;
  }
}

TEST(SbrpUnit, APieceSaysWhichItIs) {
  RecordingLine line;
  NetworkInterface& interface = line.fabric.network_interface(0);
  for (const Cycle struck : {25u, 40u}) {
    const Cycle start = line.fabric.cycles();
    const MessageIndex packet = interface.compose(4, 20, MessageKind::data, start);
    Message& message = line.fabric.context().messages[packet];
    message.id = 7;
    message.sub_message = 3;
    line.fabric.context().messages.fields(packet).first = 100;
    ++line.fabric.context().messages_in_network;
    interface.push(packet, InjectionPriority::resend);
    line.to(start + struck - 8);
    line.fabric.fail_router(2);
    line.to(start + struck + 10);
    line.fabric.repair_router(2);
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
  RecordingLine line;
  line.send(40);
  line.to(35);
  line.fabric.fail_router(2);
  line.fabric.fail_router(3);
  line.to(36);
  line.expect_asked(36, 1, 40, 27);
  EXPECT_EQ(line.fsm(1, line.west(1)), RouteFsm::absorb);
  line.to(60);
  line.fabric.repair_router(3);
  line.to(65);
  line.fabric.repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.log.cuts.size(), 1u);
}

TEST(SbrpUnit, TheRoutersOnBothSidesOfTheSecondFaultActForIt) {
  RecordingLine line;
  line.send(60);
  line.to(40);
  line.fabric.fail_router(3);
  line.to(41);
  ASSERT_EQ(line.log.cuts.size(), 1u);
  EXPECT_EQ(line.log.cuts[0].at, 2u);
  EXPECT_EQ(line.fsm(2, line.west(2)), RouteFsm::absorb);
  line.to(45);
  line.fabric.fail_router(1);  // upstream of the router that absorbs
  line.to(46);
  ASSERT_EQ(line.log.cuts.size(), 2u);
  EXPECT_EQ(line.log.cuts[1].at, 0u);
  EXPECT_EQ(line.fsm(0, line.fabric.router(0).local_port()), RouteFsm::absorb);
  line.to(60);
  EXPECT_EQ(line.fsm(2, line.west(2)), RouteFsm::idle) << "it has absorbed a broken tail";
  line.fabric.repair_router(1);
  line.fabric.repair_router(3);
  line.expect_clean();
  EXPECT_EQ(line.log.cuts.size(), 2u);
}

TEST(SbrpUnit, TheRouterThatAbsorbsDies) {
  RecordingLine line;
  line.send(60);
  line.to(40);
  line.fabric.fail_router(3);
  line.to(43);
  line.fabric.fail_router(2);
  line.to(44);
  ASSERT_EQ(line.log.cuts.size(), 2u);
  EXPECT_EQ(line.log.cuts[0].at, 2u);
  EXPECT_EQ(line.log.cuts[1].at, 1u);
  EXPECT_GT(line.log.cuts[1].message.count, line.log.cuts[0].message.count);
  line.to(60);
  line.fabric.repair_router(2);
  line.fabric.repair_router(3);
  line.expect_clean();
}

// A piece that ends with a broken tail lingers like any other, with the number of its real flits.
TEST(SbrpUnit, ASecondFaultTakesTheBrokenTailOfTheFirst) {
  RecordingLine line;
  line.send(40);
  line.to(30);
  line.fabric.fail_router(1);
  line.to(31);
  ASSERT_EQ(line.log.cuts.size(), 1u);
  EXPECT_EQ(line.log.cuts[0].at, 0u);
  // Router 2 appends the broken tail.
  Cycle t = 32;
  for (; line.lingering(2) == 0; ++t) line.to(t);
  const std::uint32_t flits = TailSignals::shadow(line.state(2), line.onward(2) * 4).packet.count;
  EXPECT_GT(flits, 5u);
  line.fabric.fail_router(3);
  line.to(t);
  ASSERT_EQ(line.log.cuts.size(), 2u);
  EXPECT_EQ(line.log.cuts[1].at, 2u);
  EXPECT_EQ(line.log.cuts[1].message.count, flits);
  EXPECT_LT(flits, line.log.cuts[0].message.count);
  line.to(t + 20);
  line.fabric.repair_router(1);
  line.fabric.repair_router(3);
  line.expect_clean();
}

TEST(SbrpUnit, TheFaultComesBackWhileTheMessageIsAbsorbed) {
  RecordingLine line;
  line.send(60);
  line.to(30);
  line.fabric.fail_router(2);
  line.to(33);
  line.fabric.repair_router(2);
  line.to(40);
  EXPECT_EQ(line.fsm(1, line.west(1)), RouteFsm::absorb);
  line.fabric.fail_router(2);
  line.to(45);
  line.fabric.repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.log.cuts.size(), 1u);
}

// --- Refusals ---

TEST(SbrpUnit, ASwitchWithoutANodeNextToItIsRefused) {
  EXPECT_NO_THROW(sbrp::Unit::require_interfaces(*make_topology(kns_network(2, 2))));
  EXPECT_NO_THROW(sbrp::Unit::require_interfaces(*make_topology(mesh_network({3, 3}))));
  const test::TemporaryFolder folder;
  test::write_file(folder / "net.graphml",
                   R"(<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="k" for="node" attr.name="kind" attr.type="string"/>
<graph edgedefault="undirected">
<node id="a"/><node id="b"/>
<node id="near"><data key="k">switch</data></node><node id="far"><data key="k">switch</data></node>
<edge source="a" target="near"/><edge source="b" target="near"/><edge source="near" target="far"/>
</graph></graphml>)");
  NetworkSettings network;
  network.topology = "file";
  network.graph = folder / "net.graphml";
  EXPECT_THROW(sbrp::Unit::require_interfaces(*make_topology(network)), KeyError);
}

}  // namespace
}  // namespace flitmend
