// SPDX-License-Identifier: Apache-2.0
// What the routers of APCS do about a fault, cycle by cycle.
#include <gtest/gtest.h>

#include "protocols/recovery/apcs/circuit_line.h"
#include "rtl_tlm/mechanisms/circuits/circuits.h"

namespace flitmend {
namespace {

TEST(ApcsUnit, KillsGoBothWaysAndFreeThePath) {
  CircuitLine line("iq");
  line.send(60);
  line.to(40);
  ASSERT_EQ(line.started(0), 1u);
  line.fabric.fail_router(2);
  line.to(41);  // C is router 1, A is router 3
  EXPECT_EQ(line.fsm(0, line.local(0)), RouteFsm::routed);
  EXPECT_EQ(line.fsm(1, line.west(1)), RouteFsm::absorb);
  EXPECT_EQ(line.fsm(3, line.west(3)), RouteFsm::absorb);
  EXPECT_EQ(line.fsm(4, line.west(4)), RouteFsm::routed);
  EXPECT_NE(line.held(3, line.east(3)), 0u) << "until the kill has reached router 4 and RESYNC has come back";
  EXPECT_EQ(line.started(0), 1u);
  line.to(42);  // the kill has taken one cycle to router 0, which tells its interface
  EXPECT_EQ(line.fsm(0, line.local(0)), RouteFsm::absorb);
  EXPECT_EQ(line.started(0), 0u);
  EXPECT_EQ(line.fsm(4, line.west(4)), RouteFsm::routed);
  line.to(43);
  EXPECT_EQ(line.fsm(4, line.west(4)), RouteFsm::routed);
  line.to(44);  // two cycles later than a backward kill: it stays after the flits that had won the switch
  EXPECT_NE(line.fsm(4, line.west(4)), RouteFsm::routed);
  line.to(60);
  EXPECT_EQ(line.held(3, line.east(3)), 0u);
  for (RouterId r = 3; r < 5; ++r) EXPECT_EQ(line.circuit(r), unsigned{kNoVc});
  line.fabric.repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.fates.kinds(), "hd");
  EXPECT_GE(line.counters.retransmissions, 1u);
  EXPECT_EQ(line.counters.guard_repaired, 0u);
}

// The tail has left router 0 and 1, but only the acknowledgement ends the circuit.
TEST(ApcsUnit, AFaultAfterTheTailKillsTheHeldPath) {
  CircuitLine line("iq");
  line.send(2);
  line.to(16);
  EXPECT_EQ(line.state(1).input(line.circuit(1)).count, 0u);
  EXPECT_TRUE(VirtualChannel(line.state(1), line.circuit(1)).path_held());
  line.fabric.fail_router(1);
  line.to(17);
  EXPECT_EQ(line.started(0), 0u) << "router 0 is C, and tells its interface at once";
  line.to(26);
  line.fabric.repair_router(1);
  line.expect_clean();
  EXPECT_EQ(line.fates.kinds(), "hd");
  EXPECT_EQ(line.counters.retransmissions, 1u);
}

// The message has arrived, and its acknowledgement is lost: the receiver drops the copy and acknowledges it.
TEST(ApcsUnit, ALostAcknowledgementCostsACopyThatIsDropped) {
  CircuitLine line("iq");
  line.send(8);
  while (line.fates.delivered == 0) line.step();
  line.to(line.fates.delivered_at + 1);
  EXPECT_EQ(line.started(0), 1u);
  line.fabric.fail_router(2);
  line.to(line.fates.delivered_at + 11);
  line.fabric.repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.fates.kinds(), "d") << "it was not under way any more";
  EXPECT_EQ(line.counters.retransmissions, 1u);
  EXPECT_EQ(line.counters.duplicate_flits, 8u);
}

TEST(ApcsUnit, RetriesWaitLongerEveryTimeUntilTheLimit) {
  CircuitLine line("iq", 0, 4);
  line.fabric.fail_link(0, line.east(0));
  line.to(1);
  line.send(4);
  std::vector<Cycle> starts, ends;
  bool open = false;
  while (!line.fabric.quiet() && line.fabric.cycles() < 10000) {
    line.step();
    if (open == (line.started(0) > 0)) continue;
    open = !open;
    (open ? starts : ends).push_back(line.fabric.cycles());
  }
  ASSERT_EQ(starts.size(), 5u);
  ASSERT_EQ(ends.size(), 5u);
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    EXPECT_GT(starts[i + 1], ends[i]);
    EXPECT_LE(starts[i + 1], ends[i] + (32u << i) + 3) << "the back-off and the way to the router";
  }
  EXPECT_EQ(line.counters.retransmissions, 4u);
  EXPECT_EQ(line.fates.undeliverable, 1u);
  line.expect_clean();
}

struct HeadCase {
  const char* preset;
  std::int64_t scouting;
  std::uint32_t length;
};

class HeadThatComesBack : public testing::TestWithParam<HeadCase> {};

// From one corner of a 3x3 mesh to the opposite one there are two first hops. In each of two meshes
// another one is a dead end. The head finds that out once, comes back, and takes the other.
TEST_P(HeadThatComesBack, TakesTheOtherWay) {
  const HeadCase& c = GetParam();
  const auto apcs = apcs_with(c.scouting);
  RoutingSettings routing;
  routing.algorithm = "duato";
  HardwareSettings hardware = preset(c.preset);
  hardware.router.vc_reallocation = "atomic";
  std::vector<std::unique_ptr<FabricBench>> meshes;
  for (const char* name : {"first", "second"})
    meshes.push_back(
        std::make_unique<FabricBench>(mesh_network({3, 3}), hardware, routing, name, 1, apcs.get()));
  const auto neighbour = [&](RouterId r, PortId port) { return meshes[0]->topology().neighbour(r, port); };
  std::vector<RouterId> starts;
  for (PortId port = 0; port < meshes[0]->topology().port_count(0); ++port)
    if (const auto far = neighbour(0, port)) starts.push_back(far->router);
  ASSERT_EQ(starts.size(), 2u);
  for (unsigned i = 0; i < 2; ++i) {
    for (PortId port = 0; port < meshes[0]->topology().port_count(starts[i]); ++port)
      if (const auto far = neighbour(starts[i], port); far && far->router != 0)
        meshes[i]->fabric.fail_link(starts[i], port);
    meshes[i]->fabric.network_interface(0).send(8, c.length);
  }
  unsigned came_back = 0;
  std::vector<bool> seen(2);
  for (unsigned t = 0; t < 400; ++t) {
    meshes[0]->run(1);  // both
    for (unsigned i = 0; i < 2; ++i) {
      const RouterState& state = meshes[i]->fabric.router(0).state();
      bool tried = false;
      for (unsigned id = 0; id < state.ids(); ++id) tried |= Circuits::circuit(state, id).tried != 0;
      came_back += tried && !seen[i];
      seen[i] = seen[i] || tried;
    }
  }
  EXPECT_EQ(came_back, 1u);
  for (auto& mesh : meshes) {
    EXPECT_TRUE(mesh->drain(1000));
    ASSERT_EQ(mesh->deliveries.size(), 1u);
    EXPECT_EQ(mesh->deliveries[0].hops, 4u);
    EXPECT_EQ(mesh->fabric.context().recovery_counters.retransmissions, 0u);
    const ConservationReport report = mesh->fabric.check_conservation();
    EXPECT_TRUE(report.flits_conserved());
    EXPECT_TRUE(report.idle());
    EXPECT_EQ(mesh->fabric.context().messages.in_use(), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Apcs, HeadThatComesBack,
                         testing::Values(HeadCase{"iq", 0, 1}, HeadCase{"iq", 1, 20}, HeadCase{"iq", 3, 20},
                                         HeadCase{"sbrp", 0, 1}, HeadCase{"sbrp", 1, 12}));

class ScoutingDistance : public testing::TestWithParam<HeadCase> {};

// The first data flit leaves a router only when the head has left the router that many hops on, or has
// reached its destination.
TEST_P(ScoutingDistance, KeepsDataBehindTheHead) {
  const HeadCase& c = GetParam();
  CircuitLine line(c.preset, c.scouting);
  line.send(c.length);
  const auto sent = [&](RouterId r) {
    const unsigned id = line.circuit(r);
    return id == kNoVc ? 0u : unsigned{line.state(r).input(id).flits_sent};
  };
  bool waited = false;
  for (unsigned t = 0; t < 200 && line.fates.delivered == 0; ++t) {
    for (RouterId r = 0; r + 1 < 5; ++r) {
      const auto ahead = static_cast<RouterId>(std::min<std::int64_t>(r + c.scouting, 4));
      if (sent(r) > 1) {
        EXPECT_GE(sent(ahead), 1u) << "router " << r;
      }
      waited |= sent(r) == 1 && sent(r + 1) == 1;
    }
    line.step();
  }
  EXPECT_TRUE(waited);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_GT(control_flits(line.fabric), 2u * 4u - 1u);
}

INSTANTIATE_TEST_SUITE_P(Apcs, ScoutingDistance,
                         testing::Values(HeadCase{"iq", 1, 12}, HeadCase{"iq", 2, 12}, HeadCase{"iq", 9, 12},
                                         HeadCase{"sbrp", 1, 12}, HeadCase{"sbrp", 3, 12}));

// Only one of the two channels of a link dies: the one that carries the flits, or the one that carries the
// acknowledgement.
TEST(ApcsUnit, OneDeadChannelOfALinkCutsTheCircuit) {
  const auto apcs = apcs_with(0);
  std::vector<std::unique_ptr<FabricBench>> benches;
  struct Strike {
    RouterId router;
    PortId port;
    Cycle at, duration;
  };
  std::vector<Strike> strikes;
  const auto add = [&](RouterId a, RouterId b, Cycle at) {
    benches.push_back(std::make_unique<FabricBench>(mesh_network({4}), preset("iq"), RoutingSettings{},
                                                    ("line" + std::to_string(benches.size())).c_str(), 1,
                                                    apcs.get()));
    PortId port = 0;
    while (!benches.back()->topology().neighbour(a, port) ||
           benches.back()->topology().neighbour(a, port)->router != b)
      ++port;
    strikes.push_back({a, port, at, at % 4 == 0 ? 9u : 1u});
  };
  for (Cycle at = 2; at < 60; at += 2)
    for (RouterId r = 0; r < 3; ++r) {
      add(r, r + 1, at);
      add(r + 1, r, at);
    }
  for (auto& bench : benches) bench->fabric.network_interface(0).send(3, 10);
  std::size_t resent = 0;
  for (Cycle t = 0; t < 2000; ++t) {
    for (std::size_t i = 0; i < benches.size(); ++i) {
      if (t == strikes[i].at) benches[i]->fabric.fail_link(strikes[i].router, strikes[i].port, true);
      if (t == strikes[i].at + strikes[i].duration)
        benches[i]->fabric.repair_link(strikes[i].router, strikes[i].port, true);
    }
    benches[0]->run(1);  // all
  }
  for (std::size_t i = 0; i < benches.size(); ++i) {
    const auto& bench = benches[i];
    SCOPED_TRACE("router " + std::to_string(strikes[i].router) + " port " + std::to_string(strikes[i].port) +
                 " in cycle " + std::to_string(strikes[i].at));
    EXPECT_TRUE(bench->fabric.quiet());
    EXPECT_EQ(bench->deliveries.size(), 1u);
    const ConservationReport report = bench->fabric.check_conservation();
    EXPECT_TRUE(report.flits_conserved());
    EXPECT_TRUE(report.idle()) << report.flits_in_network << " " << report.credits_missing << " "
                               << report.busy_vcs;
    EXPECT_EQ(bench->fabric.context().messages.in_use(), 0u);
    resent += bench->fabric.context().recovery_counters.retransmissions > 0;
  }
  EXPECT_GT(resent, benches.size() / 3);
}

}  // namespace
}  // namespace flitmend
