// SPDX-License-Identifier: Apache-2.0
// What a recovery unit is told by a router and may do to it: absorb, append, flush, reroute, hold, copies;
// control lines and fault status.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "support/fabric_bench.h"

namespace flitmend {
namespace {

/// Does what a test has scripted for a cycle, and records what it is told.
class ScriptedRecovery : public RouterRecovery {
 public:
  std::map<Cycle, std::function<void(Router&, Cycle)>> at;
  std::function<bool(Cycle, const Flit&)> keep;  ///< result of flit_arrived; if not set, true for every flit
  std::vector<Cycle> arrived, crossed, absorbed;
  struct Status {
    Cycle t;
    unsigned port;
    bool faulty;
    friend bool operator==(const Status&, const Status&) = default;
  };
  std::vector<Status> status;
  struct Control {
    Cycle t;
    unsigned port;
    bool input_side;
    friend bool operator==(const Control&, const Control&) = default;
  };
  std::vector<Control> control;

  FlitHooks hooks() const override { return kHeadHook | kTailHook | kStrayHook; }
  void channel_status_changed(Router&, Cycle t, unsigned port, bool input_side, bool faulty) override {
    EXPECT_FALSE(input_side);
    status.push_back({t, port, faulty});
  }
  void control_arrived(Router&, Cycle t, unsigned port, bool input_side) override {
    control.push_back({t, port, input_side});
  }
  bool flit_arrived(Router&, Cycle t, unsigned, const Flit& flit) override {
    arrived.push_back(t);
    return !keep || keep(t, flit);
  }
  void flit_crossed(Router&, Cycle t, unsigned, unsigned, const Flit&) override { crossed.push_back(t); }
  std::function<void(Router&, Cycle, const Flit&)> when_absorbed;
  void flit_absorbed(Router& router, Cycle t, unsigned, const Flit& flit) override {
    absorbed.push_back(t);
    if (when_absorbed) when_absorbed(router, t, flit);
  }
  void router_reset(Router&) override {}
  void router_failed(Router&) override {}
  void router_repaired(Router&) override {}
  void evaluate(Router& router, Cycle t) override {
    if (const auto step = at.find(t); step != at.end()) step->second(router, t);
  }
};

/// A line of three routers with a unit in the middle; a message of three flits from 0 to 2 leaves in cycle 1,
/// reaches the middle in 7, 8, 9, is routed in 8, crosses in 9, 10, 11 and is delivered in 20.
class RecoveryOperations : public testing::Test {
 protected:
  explicit RecoveryOperations(bool keeps_copies = false)
      : bench(mesh_network({3}), hardware(keeps_copies)), router(bench.fabric.router(1)) {
    const Topology& topology = bench.topology();
    for (PortId p = 0; p < topology.port_count(1); ++p)
      (topology.port_name(1, p) == "dim0_minus" ? west : east) = p;
    in = west * 2;
    out = east * 2;
    router.set_recovery_active(true);
  }
  static HardwareParameters hardware(bool keeps_copies) {
    HardwareSettings s;
    s.router.virtual_channels = 2;
    s.router.pipeline.credit = 0;
    s.router.head_copy = true;
    s.router.pipeline.credit = 0;
    HardwareParameters p = HardwareParameters::from(s);
    p.recovery_units = true;
    if (keeps_copies) p.mechanisms = {Mechanism::copies};
    return p;
  }
  void send() {
    router.attach(unit);
    bench.run(1);
    bench.fabric.network_interface(0).send(2, 3);
  }
  void finish(Cycle t) { bench.run(t + 1 - bench.fabric.cycles()); }
  /// Everything is idle and accounted for.
  void expect_clean() {
    const ConservationReport report = bench.fabric.check_conservation();
    EXPECT_TRUE(report.flits_conserved()) << report.flits_injected << " " << report.flits_consumed << " "
                                          << report.flits_discarded << " " << report.flits_in_network;
    EXPECT_TRUE(report.idle()) << report.credits_missing << " " << report.busy_vcs;
  }

  ScriptedRecovery unit;
  FabricBench bench;
  Router& router;
  unsigned west = 0, east = 0, in = 0, out = 0;
};

class RecoveryWithCopies : public RecoveryOperations {
 protected:
  RecoveryWithCopies() : RecoveryOperations(true) {}
};

TEST_F(RecoveryOperations, AUnitIsToldAboutHeadsAndTails) {
  send();
  finish(40);
  EXPECT_EQ(unit.arrived, (std::vector<Cycle>{7, 9})) << "not about the data flit in between";
  EXPECT_EQ(unit.crossed, (std::vector<Cycle>{9, 11}));
  ASSERT_EQ(bench.deliveries.size(), 1u);
  EXPECT_EQ(bench.deliveries[0].delivered, 20u);
  expect_clean();
}

TEST_F(RecoveryOperations, AbsorbTakesTheWholeMessageAFlitACycle) {
  unit.at[8] = [&](Router& r, Cycle t) { r.absorb(t, in); };
  send();
  finish(8);
  EXPECT_EQ(router.state().route_fsm(in), RouteFsm::absorb);
  finish(9);
  EXPECT_EQ(router.state().route_fsm(in), RouteFsm::absorb);
  finish(10);
  EXPECT_EQ(router.state().route_fsm(in), RouteFsm::idle);
  EXPECT_EQ(unit.absorbed, (std::vector<Cycle>{8, 9, 10}));
  finish(40);
  EXPECT_TRUE(bench.deliveries.empty());
  EXPECT_EQ(bench.fabric.context().flits_discarded, 3u);
  expect_clean();
}

TEST_F(RecoveryOperations, AbsorbGivesTheOutputBack) {
  unit.at[9] = [&](Router& r, Cycle t) {
    EXPECT_EQ(r.state().output(out).owner, in);
    r.absorb(t, in);
    EXPECT_EQ(r.state().output(out).owner, kNoVc);
  };
  send();
  finish(40);
  EXPECT_TRUE(unit.crossed.empty());
  expect_clean();
}

TEST_F(RecoveryOperations, WhatAUnitRefusesIsDiscardedWithItsCredit) {
  unit.keep = [](Cycle, const Flit&) { return false; };
  send();
  finish(40);
  EXPECT_EQ(unit.absorbed, unit.arrived);
  EXPECT_TRUE(unit.crossed.empty());
  EXPECT_EQ(bench.fabric.context().flits_discarded, 3u);
  expect_clean();
}

TEST_F(RecoveryOperations, AnAppendedBrokenTailClosesThePathAhead) {
  unit.keep = [](Cycle, const Flit& f) { return is_head(f.kind); };  // refuses the tail
  unit.at[10] = [&](Router& r, Cycle t) {
    Flit tail = r.state().input(in).count ? r.state().front(in) : Flit{};
    tail.message = r.input(west).vc(0).head_copy().message;
    tail.kind = FlitKind::broken_tail;
    tail.number = 2;
    tail.vc = 0;
    r.context().broken.append(tail.message, t);
    r.append(t, in, tail);
  };
  send();
  finish(40);
  EXPECT_EQ(unit.crossed, (std::vector<Cycle>{9, 11})) << "the data flit between them crossed in 10";
  EXPECT_TRUE(bench.deliveries.empty()) << "the piece is dropped";
  EXPECT_EQ(bench.fabric.context().flits_consumed, 3u);
  EXPECT_EQ(bench.fabric.context().messages.in_use(), 0u) << "and the message is lost";
  expect_clean();
}

TEST_F(RecoveryOperations, WhatIsAppendedWhileAFlitIsAbsorbedIsAbsorbedToo) {
  unit.at[8] = [&](Router& r, Cycle t) { r.absorb(t, in); };
  unit.when_absorbed = [&](Router& r, Cycle t, const Flit& flit) {
    EXPECT_EQ(r.state().route_fsm(in), RouteFsm::absorb);
    if (flit.kind != FlitKind::data) return;
    Flit tail = flit;
    tail.kind = FlitKind::broken_tail;
    r.context().broken.append(tail.message, t);
    r.append(t, in, tail);
  };
  unit.keep = [](Cycle, const Flit& f) { return f.kind != FlitKind::tail; };  // refused, so discarded
  send();
  finish(40);
  EXPECT_EQ(router.state().route_fsm(in), RouteFsm::idle);
  EXPECT_EQ(unit.absorbed.size(), 4u) << "the head, the data flit, the tail refused, the tail appended";
  EXPECT_TRUE(bench.deliveries.empty());
}

TEST_F(RecoveryOperations, AHeldOutputIsGivenToNobody) {
  unit.at[7] = [&](Router& r, Cycle) { r.hold(out, true), r.hold(out + 1, true); };
  unit.at[30] = [&](Router& r, Cycle) { r.hold(out, false); };
  send();
  finish(29);
  EXPECT_EQ(router.state().route_fsm(in), RouteFsm::needs_route);
  EXPECT_EQ(router.input(west).vc(0).stage(), PipelineStage::vc_allocation);
  finish(60);
  ASSERT_EQ(bench.deliveries.size(), 1u);
  EXPECT_EQ(bench.deliveries[0].delivered, 20u + (30 - 8));
}

TEST_F(RecoveryOperations, AUnitIsToldAboutBodyFlitsThatFindTheirVirtualChannelIdle) {
  unit.at[7] = [&](Router& r, Cycle t) { r.flush_input(t, in); };  // only the head has arrived
  unit.keep = [](Cycle, const Flit& f) { return is_head(f.kind); };
  send();
  finish(7);
  EXPECT_EQ(router.state().route_fsm(in), RouteFsm::idle);
  finish(40);
  EXPECT_EQ(unit.arrived, (std::vector<Cycle>{7, 8, 9}));
  EXPECT_EQ(unit.absorbed, (std::vector<Cycle>{7, 8, 9}));
  expect_clean();
}

TEST(RecoveryWithoutInjectionChannel, AUnitIsToldAboutTheInjectorsFlitsToo) {
  HardwareParameters hardware = HardwareParameters::from(preset("kary-ncube"));
  hardware.recovery_units = true;
  FabricBench bench(mesh_network({3}), hardware);
  Router& router = bench.fabric.router(0);
  const unsigned local = router.local_port() * router.state().vcs();
  ScriptedRecovery unit;
  unit.at[1] = [&](Router& r, Cycle t) { r.flush_input(t, local); };  // only the head has arrived
  unit.keep = [](Cycle, const Flit& f) { return is_head(f.kind); };
  router.attach(unit);
  router.set_recovery_active(true);
  bench.run(1);
  bench.fabric.network_interface(0).send(2, 4);
  bench.run(20);
  EXPECT_EQ(unit.arrived, (std::vector<Cycle>{1, 2, 3, 4}));
  EXPECT_EQ(unit.absorbed, (std::vector<Cycle>{1, 2, 3, 4}));
  const ConservationReport report = bench.fabric.check_conservation();
  EXPECT_TRUE(report.flits_conserved());
  EXPECT_TRUE(report.idle()) << report.credits_missing << " " << report.busy_vcs;
}

TEST_F(RecoveryOperations, FlushOfAnEmptyBankEndsAtOnce) {
  unit.at[12] = [&](Router& r, Cycle t) {
    EXPECT_EQ(r.state().input(in).count, 0u);
    r.flush_input(t, in);
    EXPECT_EQ(r.state().route_fsm(in), RouteFsm::idle);
  };
  send();
  finish(40);
  EXPECT_EQ(bench.deliveries.size(), 1u);
  expect_clean();
}

TEST_F(RecoveryOperations, FlushEmptiesTheBankWithItsCredits) {
  unit.at[7] = [&](Router& r, Cycle) { r.hold(out, true), r.hold(out + 1, true); };
  unit.at[15] = [&](Router& r, Cycle t) {
    EXPECT_EQ(r.state().input(in).count, 3u);
    r.flush_input(t, in);
  };
  unit.at[20] = [&](Router& r, Cycle) { r.hold(out, false), r.hold(out + 1, false); };
  send();
  finish(16);
  EXPECT_EQ(router.state().route_fsm(in), RouteFsm::absorb);
  finish(17);
  EXPECT_EQ(router.state().route_fsm(in), RouteFsm::idle);
  EXPECT_EQ(unit.absorbed, (std::vector<Cycle>{15, 16, 17}));
  finish(40);
  expect_clean();
}

TEST_F(RecoveryOperations, ReroutedHeadsAskAgain) {
  unit.at[9] = [&](Router& r, Cycle t) { r.reroute(t, in); };
  send();
  finish(9);
  EXPECT_EQ(router.input(west).vc(0).stage(), PipelineStage::routing);
  EXPECT_EQ(router.state().output(out).owner, kNoVc);
  finish(40);
  EXPECT_EQ(unit.crossed, (std::vector<Cycle>{11, 13})) << "routed in 10, across in 11";
  expect_clean();
}

TEST_F(RecoveryWithCopies, ACopyKeepsItsSlotUntilTheNodeAfterTheNextHasTheFlit) {
  const auto copies = [&] { return router.state().sent_slots(in); };
  const auto upstream = [&] { return bench.fabric.router(0).output(0).vc(0).credits; };
  send();
  finish(11);
  EXPECT_EQ(copies(), 3u);
  EXPECT_EQ(router.state().room(in), 5u);
  EXPECT_EQ(router.state().route_fsm(in), RouteFsm::routed) << "the tail has left, but its copy is here";
  finish(17);
  EXPECT_EQ(copies(), 3u);
  EXPECT_EQ(upstream(), 5u);
  finish(18);  // router 2 has sent the head in 14, and it is consumed
  EXPECT_EQ(copies(), 2u);
  EXPECT_EQ(upstream(), 5u);
  finish(19);
  EXPECT_EQ(copies(), 1u);
  EXPECT_EQ(upstream(), 6u);
  EXPECT_EQ(router.state().output(out).owner, in);
  finish(20);
  EXPECT_EQ(copies(), 0u);
  EXPECT_EQ(router.state().route_fsm(in), RouteFsm::idle);
  EXPECT_EQ(router.state().output(out).owner, kNoVc);
  finish(21);
  EXPECT_EQ(upstream(), 8u);
  ASSERT_EQ(bench.deliveries.size(), 1u);
  EXPECT_EQ(bench.deliveries[0].delivered, 20u) << "copies cost nothing in a deep buffer";
  expect_clean();
}

TEST_F(RecoveryWithCopies, TheLastRouterKeepsNoCopies) {
  send();
  Router& last = bench.fabric.router(2);
  const unsigned arrival = (last.port_count() == 3 ? (last.state().channels(0).in ? 0u : 1u) : 0u) * 2;
  for (Cycle t = 12; t <= 20; ++t) {
    finish(t);
    EXPECT_EQ(last.state().sent_slots(arrival), 0u) << t;
  }
  expect_clean();
}

TEST_F(RecoveryWithCopies, WhatIsDiscardedIsCopiedAtOnce) {
  unit.at[8] = [&](Router& r, Cycle t) { r.absorb(t, in); };
  send();
  finish(8);
  const RouterState& before = bench.fabric.router(0).state();
  const unsigned local = bench.fabric.router(0).local_port() * 2;
  EXPECT_EQ(before.sent_slots(local), 3u);
  finish(9);
  EXPECT_EQ(before.sent_slots(local), 2u);
  finish(11);
  EXPECT_EQ(before.sent_slots(local), 0u);
  finish(40);
  EXPECT_TRUE(bench.deliveries.empty());
  expect_clean();
}

TEST_F(RecoveryOperations, AFaultyPortIsReportedAndHeadsThatWaitRouteAgain) {
  unit.at[7] = [&](Router& r, Cycle) { r.hold(out, true), r.hold(out + 1, true); };
  send();
  Channel& channel = *bench.fabric.channel(1, static_cast<PortId>(east));
  finish(12);
  EXPECT_EQ(router.input(west).vc(0).stage(), PipelineStage::vc_allocation);
  channel.fail(13);
  finish(14);
  ASSERT_EQ(unit.status, (std::vector<ScriptedRecovery::Status>{{14, east, true}}));
  EXPECT_TRUE(router.state().arbiter(east).faulty);
  finish(20);
  channel.repair(20);
  finish(21);
  ASSERT_EQ(unit.status.size(), 2u);
  EXPECT_EQ(unit.status[1], (ScriptedRecovery::Status{21, east, false}));
  EXPECT_FALSE(router.state().arbiter(east).faulty);
}

TEST_F(RecoveryOperations, NothingIsGivenAwayOnAFaultyPort) {
  send();
  bench.fabric.channel(1, static_cast<PortId>(east))->fail(2);
  finish(50);
  EXPECT_EQ(router.state().route_fsm(in), RouteFsm::needs_route);
  EXPECT_TRUE(unit.crossed.empty());
  bench.fabric.channel(1, static_cast<PortId>(east))->repair(50);
  finish(80);
  EXPECT_EQ(bench.deliveries.size(), 1u);
  expect_clean();
}

}  // namespace
}  // namespace flitmend
