// SPDX-License-Identifier: Apache-2.0
// One message and one fault: what each router does about it, cycle by cycle.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

#include "protocols/recovery/registry.h"
#include "support/line_bench.h"

namespace flitmend {
namespace {

std::unique_ptr<RecoveryProtocol> no_recovery(std::int64_t head_wait) {
  RoutingSettings routing;
  routing.head_wait_cycles = head_wait;
  return recovery_protocols().at("none").make({}, routing);
}

struct Line : LineBench {
  explicit Line(const char* preset_name = "iq", std::int64_t head_wait = 200, std::int64_t input_buffer = 0)
      : LineBench(no_recovery(head_wait), hardware(preset_name, input_buffer)) {}
  static HardwareSettings hardware(const char* name, std::int64_t input_buffer) {
    HardwareSettings s = preset(name);
    if (input_buffer) s.router.input_buffer = input_buffer;
    return s;
  }
};

TEST(BreakUnit, CutsAMessageAndFreesItsChannels) {
  Line line;
  Fabric& fabric = line.fabric;
  fabric.network_interface(0).send(4, 40);
  line.to(30);  // its head has left router 2, its tail has not left the source
  EXPECT_EQ(line.fsm(1, line.west(1)), RouteFsm::routed);
  EXPECT_EQ(line.fsm(3, line.west(3)), RouteFsm::routed);
  const std::uint64_t flits = fabric.router(2).state().input(0).count;
  fabric.fail_router(2);
  EXPECT_EQ(line.fates.kinds(), "h") << flits;
  EXPECT_EQ(line.fates.seen[0].second, 30u);
  EXPECT_FALSE(fabric.router(1).state().arbiter(line.east(1)).faulty) << "not before the next cycle";
  line.to(31);
  EXPECT_TRUE(fabric.router(1).state().arbiter(line.east(1)).faulty);
  EXPECT_TRUE(fabric.router(3).state().arbiter(line.west(3)).input_faulty);
  EXPECT_EQ(line.fsm(1, line.west(1)), RouteFsm::absorb);
  EXPECT_EQ(line.held(1, line.east(1)), 0b1111u);
  const std::uint64_t injected = fabric.context().flits_injected;
  line.to(41);
  EXPECT_GT(fabric.context().flits_injected, injected) << "the source goes on";
  fabric.repair_router(2);
  line.to(42);
  EXPECT_FALSE(fabric.router(1).state().arbiter(line.east(1)).faulty);
  EXPECT_EQ(line.held(1, line.east(1)), 0b1111u) << "until RESYNC";
  EXPECT_EQ(line.held(2, line.east(2)), 0b1111u);
  line.to(42 + 1 + fabric.context().hardware.router.pipeline.credit);
  EXPECT_EQ(line.held(1, line.east(1)), 0u);
  EXPECT_EQ(line.held(2, line.east(2)), 0u);
  EXPECT_TRUE(line.bench.drain(1000));
  EXPECT_EQ(line.fates.kinds(), "hl");
  line.expect_clean();
  fabric.network_interface(0).send(4, 40);
  line.expect_clean();
  EXPECT_EQ(line.fates.kinds(), "hld");
}

TEST(BreakUnit, AHeadWaitsAtATransientFault) {
  Line line;
  Fabric& fabric = line.fabric;
  fabric.fail_router(2);
  fabric.network_interface(0).send(4, 5);
  line.to(60);
  EXPECT_EQ(line.fsm(1, line.west(1)), RouteFsm::needs_route);
  fabric.repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.fates.kinds(), "d");
}

TEST(BreakUnit, AHeadThatWaitsTooLongIsUndeliverable) {
  Line line("iq", 50);
  Fabric& fabric = line.fabric;
  fabric.fail_router(2);
  fabric.network_interface(0).send(4, 30);
  fabric.network_interface(1).send(0, 5);
  line.expect_clean();
  EXPECT_EQ(line.fates.kinds(), "du");
}

TEST(BreakUnit, AHeadThatHasLostItsEscapeChannelDoesNotWaitForEver) {
  Fates fates;
  HardwareSettings hardware = preset("iq");
  hardware.router.virtual_channels = 2;
  hardware.router.vc_reallocation = "atomic";
  RoutingSettings routing;
  routing.algorithm = "duato";
  const auto protocol = no_recovery(50);
  FabricBench bench(mesh_network({3, 3}), hardware, routing, "fabric", 1, protocol.get());
  Fabric& fabric = bench.fabric;
  fabric.add_observer(fates);
  bench.run(1);
  fabric.fail_link(3, 0);  // east, which the escape channel needs
  fabric.network_interface(0).send(6, 600);
  bench.run(20);  // it has taken the only adaptive virtual channel to the north
  fabric.network_interface(3).send(8, 5);
  bench.run(100);
  EXPECT_EQ(fates.kinds(), "hl") << "a fault took its escape channel, so its message is cut";
  EXPECT_TRUE(bench.drain(3000));
  EXPECT_EQ(fates.kinds(), "hld");
  EXPECT_EQ(fabric.check_conservation().flits_in_network, 0u);
}

TEST(BreakUnit, NothingIsSentToANodeThatIsKnownToBeDead) {
  Line line;
  Fabric& fabric = line.fabric;
  fabric.fail_router(4, true);
  line.to(9);
  fabric.network_interface(0).send(4, 5);
  line.to(10);
  EXPECT_EQ(line.fates.seen, (std::vector<std::pair<char, Cycle>>{{'u', 10}}));
  fabric.network_interface(4).send(0, 5);
  line.to(11);
  EXPECT_EQ(line.fates.kinds(), "uv");
  EXPECT_EQ(fabric.context().flits_injected, 0u);
  fabric.repair_router(4);
  EXPECT_TRUE(fabric.router(4).down()) << "permanently";
  line.expect_clean();
}

TEST(BreakUnit, TheSourceDiesInTheMiddleOfAMessage) {
  Line line("iq");
  Fabric& fabric = line.fabric;
  fabric.network_interface(0).send(4, 40);
  fabric.network_interface(0).send(4, 6);
  line.to(25);
  fabric.fail_router(0);
  line.to(60);
  EXPECT_EQ(line.fates.kinds(), "hl");
  fabric.repair_router(0);
  line.expect_clean();
  EXPECT_EQ(line.fates.kinds(), "hld") << "what waits in memory survives";
}

TEST(BreakUnit, APermanentlyDeadSourceHasVoidMessages) {
  Line line("iq");
  Fabric& fabric = line.fabric;
  fabric.network_interface(0).send(4, 40);
  fabric.network_interface(0).send(4, 6);
  line.to(25);
  fabric.fail_router(0, true);
  line.expect_clean();
  EXPECT_EQ(line.fates.kinds(), "hvv");
}

TEST(BreakUnit, TheDestinationDiesInTheMiddleOfAMessage) {
  Line line("iq");
  Fabric& fabric = line.fabric;
  fabric.network_interface(0).send(4, 40);
  line.to(45);
  EXPECT_GT(fabric.context().flits_consumed, 0u);
  fabric.fail_router(4);
  line.to(55);
  fabric.repair_router(4);
  line.expect_clean();
  EXPECT_EQ(line.fates.kinds(), "hl");
}

TEST(BreakUnit, ALinkFailsOneWayAndTheOtherWayGoesOn) {
  Line line("iq");
  Fabric& fabric = line.fabric;
  fabric.network_interface(0).send(4, 40);
  fabric.network_interface(4).send(0, 40);
  line.to(35);
  fabric.fail_link(2, line.east(2), true);
  line.to(36);
  EXPECT_TRUE(fabric.router(2).state().arbiter(line.east(2)).faulty);
  EXPECT_FALSE(fabric.router(2).state().arbiter(line.east(2)).input_faulty);
  EXPECT_FALSE(fabric.router(3).state().arbiter(line.west(3)).faulty);
  EXPECT_TRUE(fabric.router(3).state().arbiter(line.west(3)).input_faulty);
  line.to(50);
  fabric.repair_link(2, line.east(2), true);
  line.expect_clean();
  EXPECT_EQ(line.fates.kinds(), "hld") << "the message the other way arrives";
}

TEST(BreakUnit, RESYNCWaitsUntilThePieceHasDrained) {
  Line line("iq", 200, 4);
  Fabric& fabric = line.fabric;
  // The output of router 3 is dead: a piece cut upstream of it stays in its buffer.
  fabric.fail_link(3, line.east(3));
  fabric.network_interface(0).send(4, 40);
  line.to(60);
  EXPECT_EQ(line.fsm(3, line.west(3)), RouteFsm::needs_route);
  fabric.fail_link(2, line.east(2));
  line.to(70);
  RouterState state = fabric.router(3).state();
  EXPECT_NE(state.extras(line.west(3)).tail_due, 0u) << "the buffer is full";
  fabric.repair_link(2, line.east(2));
  line.to(90);
  EXPECT_NE(line.held(2, line.east(2)), 0u);
  EXPECT_EQ(std::popcount(line.held(2, line.east(2))), 1) << "the other virtual channels are idle";
  EXPECT_FALSE(fabric.quiet());
  fabric.repair_link(3, line.east(3));
  line.to(130);
  EXPECT_EQ(state.extras(line.west(3)).tail_due, 0u);
  EXPECT_EQ(line.held(2, line.east(2)), 0u);
  line.expect_clean();
  EXPECT_EQ(line.fates.kinds(), "hl");
}

TEST(BreakUnit, FlitsInOutputBuffersOfTheDeadPortAreLost) {
  Line line("sbrp");
  Fabric& fabric = line.fabric;
  for (int i = 0; i < 4; ++i) fabric.network_interface(0).send(4, 20);
  line.to(12);
  fabric.fail_router(2);
  line.to(30);
  fabric.repair_router(2);
  line.expect_clean();
  const std::string kinds = line.fates.kinds();
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), 'h'), 4);
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), 'l'), 4);
}

std::string fatal(const std::function<void()>& call) {
  const auto before =
      sc_core::sc_report_handler::set_actions("flitmend/faults", sc_core::SC_FATAL, sc_core::SC_THROW);
  std::string text;
  try {
    call();
  } catch (const sc_core::sc_report& report) {
    text = report.get_msg();
  }
  sc_core::sc_report_handler::set_actions("flitmend/faults", sc_core::SC_FATAL, before);
  return text;
}

// Flits would be lost without a trace: no neighbour would see the fault status bit.
TEST(BreakUnit, AFaultIsNotRepairedBeforeAnEdgeHasSeenIt) {
  Line line;
  Fabric& fabric = line.fabric;
  line.send(40);
  line.to(30);
  fabric.fail_router(2);
  const std::string text = fatal([&] { fabric.repair_router(2); });
  EXPECT_NE(text.find("repair_router: " + line.bench.topology().router_name(2) +
                      " has failed since the last rising edge"),
            text.npos)
      << text;
  line.to(31);
  EXPECT_EQ(fatal([&] { fabric.repair_router(2); }), "") << "one edge is enough";
  fabric.fail_link(3, line.east(3));
  fabric.fail_link(3, line.east(3));
  for (const auto& end : {std::pair(RouterId{3}, line.east(3)), {RouterId{4}, line.west(4)}})
    EXPECT_NE(fatal([&] { fabric.repair_link(end.first, end.second, true); }).find("repair_link: router_"),
              std::string::npos);
  EXPECT_EQ(fatal([&] { fabric.repair_link(1, line.east(1)); }), "") << "it is not faulty: nothing happens";
  line.to(32);
  EXPECT_EQ(fatal([&] { fabric.repair_link(3, line.east(3)); }), "");
  fabric.fail_router(1);
  EXPECT_NE(fatal([&] { fabric.repair_router(1); }), "");
  line.to(40);
  fabric.repair_router(1);
  line.expect_clean();
  EXPECT_EQ(line.fates.kinds(), "hl");
}

}  // namespace
}  // namespace flitmend
