// SPDX-License-Identifier: Apache-2.0
// Heads of pipelined circuits that go back at busy channels (router.busy). In preset iq a head that crosses a
// router in cycle t requests a virtual channel of the next one's output in cycle t + 4, turns back in t + 5,
// and is back in t + 6.
#include "protocols/deadlock/watchdog.h"
#include "protocols/recovery/registry.h"
#include "rtl_tlm/fabric/control_line_pulses.h"
#include "rtl_tlm/mechanisms/circuits/probe_counters.h"
#include "support/path_line.h"
#include "support/steady_traffic.h"

namespace flitmend {
namespace {

HardwareSettings returning(const char* busy, HardwareSettings hardware = preset("iq")) {
  hardware.router.busy = busy;
  hardware.router.virtual_channels = 1;
  hardware.router.retry_backoff = 1;  // the first wait is of one cycle
  return pipelined(hardware);
}

const ProbeCounters& counters(Fabric& fabric) {
  return fabric.context().shared<ProbeCounters>();
}

RoutingSettings fully_adaptive(std::int64_t misroutes = 0) {
  RoutingSettings routing;
  routing.algorithm = "tfar";
  routing.selection = "first";
  if (misroutes > 0) routing.options.set("misroutes", misroutes);
  return routing;
}

// A message from 1 holds the line when the head from 0 reaches router 1.
TEST(Probes, AHeadThatTurnsBackReleasesItsPathAndTriesAgain) {
  PathLine line(returning("retry"));
  line.send(40, 1);
  line.to(12);
  line.send(6, 0, 4);
  const unsigned local = line.state(0).layout().local_port;
  const unsigned west = line.west(1);
  line.to(16);  // it crosses router 0
  EXPECT_EQ(line.read(0, local, "circuit.gated"), 1u);
  EXPECT_EQ(line.state(0).output(line.east(0)).owner, local);
  line.to(20);  // it requests a channel at router 1
  EXPECT_EQ(line.state(1).input(west).count, 1u);
  EXPECT_EQ(line.state(1).route_fsm(west), RouteFsm::needs_route);
  line.to(21);  // and turns back
  EXPECT_EQ(line.state(1).input(west).count, 0u);
  EXPECT_EQ(line.state(1).route_fsm(west), RouteFsm::idle);
  EXPECT_EQ(line.state(0).output(line.east(0)).owner, local) << "not released yet";
  EXPECT_EQ(counters(line.fabric).turned_back, 1u);
  line.to(22);  // it is back at its source, in front of the data
  EXPECT_EQ(line.state(0).output(line.east(0)).owner, unsigned{kNoVc});
  EXPECT_EQ(line.read(0, local, "circuit.returned"), 1u);
  EXPECT_EQ(line.read(0, local, "circuit.attempt"), 1u);
  EXPECT_EQ(line.read(0, local, "circuit.gated"), 0u);
  EXPECT_TRUE(is_head(line.state(0).front(local).kind));
  EXPECT_GT(line.state(0).input(local).count, 1u);
  EXPECT_EQ(counters(line.fabric).hops_back, 1u);
  EXPECT_EQ(counters(line.fabric).retries, 1u);
  line.to(23);
  EXPECT_EQ(line.sent_east(0), 1u);
  line.to(24);  // after a wait of one cycle it has computed its route again, and leaves
  EXPECT_EQ(line.sent_east(0), 2u);
  EXPECT_EQ(line.read(0, local, "circuit.returned"), 0u);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 2u);
  const ProbeCounters& all = counters(line.fabric);
  EXPECT_EQ(all.turned_back, all.retries);
  EXPECT_EQ(all.hops_back, all.retries) << "one hop each";
  EXPECT_EQ(all.dead_ends, 0u);
  EXPECT_EQ(control_flits(line.fabric), 3 + 4 + all.hops_back) << "two acknowledgements, and the heads";
}

// From two hops away it passes router 1 on its way back without a stop.
TEST(Probes, AHeadThatTurnsBackReturnsOneHopPerCycle) {
  PathLine line(returning("retry"));
  line.send(60, 2);
  line.to(12);
  line.send(6, 0, 4);
  const unsigned local = line.state(0).layout().local_port;
  line.to(26);  // at router 2
  EXPECT_EQ(line.state(2).input(line.west(2)).count, 0u);
  line.to(27);
  EXPECT_EQ(line.state(1).route_fsm(line.west(1)), RouteFsm::idle);
  EXPECT_EQ(line.state(1).output(line.east(1)).owner, unsigned{kNoVc});
  EXPECT_EQ(line.state(0).output(line.east(0)).owner, local);
  line.to(28);
  EXPECT_EQ(line.state(0).output(line.east(0)).owner, unsigned{kNoVc});
  EXPECT_EQ(line.read(0, local, "circuit.returned"), 1u);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 2u);
}

/// Values of router.busy.
class ReturningHeads : public testing::TestWithParam<const char*> {};

// Nothing follows a message of one flit, so that its path is held until the acknowledgement has passed.
TEST_P(ReturningHeads, HoldThePathOfAMessageOfOneFlitUntilItIsAcknowledged) {
  PathLine line(returning(GetParam()));
  line.send(1);
  for (Cycle t = 1; t <= 35; ++t) {
    line.to(t);
    for (RouterId r = 0; r < 5; ++r)
      // It leaves router 4 in cycle 24, and the acknowledgement crosses a link per cycle.
      EXPECT_EQ(line.busy(r) != kNoVc, t >= 2 + 5 * r && t < (r == 4 ? 24u : 29u - r))
          << "router " << r << " in cycle " << t;
  }
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(control_flits(line.fabric), 4u);
}

// Its message has arrived by then, and nothing else is in the network.
TEST_P(ReturningHeads, KeepTheFabricBusyUntilThatAcknowledgementIsBack) {
  PathLine line(returning(GetParam()));
  line.send(1);
  while (!line.fabric.quiet()) line.step();
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(line.fabric.cycles(), 30u) << "it is at its source in cycle 29";
  for (RouterId r = 0; r < 5; ++r) EXPECT_EQ(line.busy(r), unsigned{kNoVc});
}

/// A 2x2 mesh with one virtual channel. A message from (1, 0) to (1, 1) holds the channel between them.
struct Square : FabricBench {
  explicit Square(const HardwareSettings& hardware)
      : FabricBench(mesh_network({2, 2}), unlimited(hardware), fully_adaptive()) {
    run(1);
    fabric.network_interface(1).send(3, 100);
    run(11);
    fabric.network_interface(0).send(3, 4);  // in cycle 12
  }
  static HardwareSettings unlimited(HardwareSettings hardware) {
    hardware.network_interface.ejection = "unlimited";
    return hardware;
  }
  void to(Cycle t) {
    while (fabric.cycles() <= t) run(1);
  }
  const RouterState& state(RouterId r) { return fabric.router(r).state(); }
};

TEST(Probes, AHeadThatBacktracksTriesTheOtherPort) {
  Square bench(returning("backtrack"));
  const unsigned local = bench.state(0).layout().local_port;
  bench.to(16);
  const unsigned first = bench.state(0).output_port(local);
  bench.to(22);  // back at its source
  EXPECT_EQ(circuit_register(bench.state(0), local, "circuit.tried"), 1u << first);
  EXPECT_EQ(circuit_register(bench.state(0), local, "circuit.met_busy"), 1u);
  bench.to(24);  // route computation takes a cycle
  EXPECT_EQ(bench.topology().neighbour(0, static_cast<PortId>(first))->router, 1u);
  EXPECT_EQ(bench.topology().neighbour(0, static_cast<PortId>(bench.state(0).output_port(local)))->router,
            2u);
  bench.to(60);
  ASSERT_EQ(bench.deliveries.size(), 1u) << "before the message that was in its way";
  EXPECT_EQ(bench.deliveries[0].source, 0u);
  EXPECT_EQ(bench.deliveries[0].hops, 2u);
  EXPECT_EQ(counters(bench.fabric).turned_back, 1u);
  EXPECT_EQ(counters(bench.fabric).retries, 0u);
  EXPECT_TRUE(bench.drain(1000));
  EXPECT_TRUE(bench.fabric.check_conservation().idle());
}

// Both ways are busy: its source waits, and the search begins anew with both ports.
TEST(Probes, ASearchWithoutSuccessBeginsAgainAtItsSource) {
  Square bench(returning("backtrack"));
  bench.fabric.network_interface(2).send(3, 100);
  const unsigned local = bench.state(0).layout().local_port;
  while (counters(bench.fabric).retries == 0) bench.run(1);
  EXPECT_EQ(counters(bench.fabric).turned_back, 2u);
  EXPECT_EQ(circuit_register(bench.state(0), local, "circuit.tried"), 0u);
  EXPECT_EQ(circuit_register(bench.state(0), local, "circuit.attempt"), 1u);
  EXPECT_TRUE(bench.drain(10000));
  EXPECT_EQ(bench.deliveries.size(), 3u);
  EXPECT_EQ(counters(bench.fabric).turned_back, counters(bench.fabric).hops_back);
  EXPECT_TRUE(bench.fabric.check_conservation().idle());
}

/// A 3x3 mesh whose router (1, 0) has lost its links to (2, 0) and (1, 1).
struct DeadEnd : FabricBench {
  explicit DeadEnd(std::int64_t misroutes)
      : DeadEnd(misroutes, recovery_protocols().at("none").make({}, fully_adaptive(misroutes))) {}
  DeadEnd(std::int64_t misroutes, std::unique_ptr<RecoveryProtocol> none)
      : FabricBench(mesh_network({3, 3}), returning("backtrack"), fully_adaptive(misroutes), "fabric", 1,
                    none.get()),
        none_(std::move(none)) {
    fabric.add_observer(fates);
    run(1);
    for (PortId port = 0; port < topology().port_count(1); ++port)
      if (const auto far = topology().neighbour(1, port); far && far->router != 0)
        fabric.fail_link(1, port, false, true);
    run(4);
  }
  void send(NodeId destination) {
    fabric.network_interface(0).send(destination, 5);
    EXPECT_TRUE(drain(2000));
    EXPECT_TRUE(fabric.check_conservation().idle());
  }

  Fates fates;

 private:
  std::unique_ptr<RecoveryProtocol> none_;
};

TEST(Probes, AHeadComesBackFromADeadEnd) {
  DeadEnd bench(0);
  bench.send(5);  // (2, 1)
  EXPECT_EQ(bench.fates.kinds(), "d");
  ASSERT_EQ(bench.deliveries.size(), 1u);
  EXPECT_EQ(bench.deliveries[0].hops, 3u);
  EXPECT_EQ(counters(bench.fabric).turned_back, 1u);
  EXPECT_EQ(counters(bench.fabric).retries, 0u);
}

// All profitable ports end at dead ones: no later search would find more.
TEST(Probes, WithoutAPathAMessageIsUndeliverableAtOnce) {
  DeadEnd bench(0);
  bench.send(2);  // (2, 0)
  EXPECT_EQ(bench.fates.kinds(), "u");
  EXPECT_EQ(counters(bench.fabric).dead_ends, 1u);
  EXPECT_EQ(counters(bench.fabric).retries, 0u);
}

TEST(Probes, AMisrouteLeadsAroundTheDeadEnd) {
  DeadEnd bench(1);
  bench.send(2);
  EXPECT_EQ(bench.fates.kinds(), "d");
  ASSERT_EQ(bench.deliveries.size(), 1u);
  EXPECT_EQ(bench.deliveries[0].hops, 4u) << "(0, 0), (0, 1), (1, 1), (2, 1), (2, 0)";
}

struct OwnPathCase {
  const char* reallocation;
  std::int64_t misroutes;
};

class OwnPaths : public testing::TestWithParam<OwnPathCase> {};

// Both links of (2, 2) are dead. On its ways around them a head meets its own path again and again.
TEST_P(OwnPaths, AreNotTakenForBusyChannels) {
  HardwareSettings hardware = returning("backtrack");
  hardware.router.vc_reallocation = GetParam().reallocation;
  hardware.link.credit_latency = 20;
  const RoutingSettings routing = fully_adaptive(GetParam().misroutes);
  const auto none = recovery_protocols().at("none").make({}, routing);
  FabricBench bench(mesh_network({3, 3}), hardware, routing, "fabric", 1, none.get());
  Fates fates;
  bench.fabric.add_observer(fates);
  bench.run(1);
  for (PortId port = 0; port < bench.topology().port_count(8); ++port)
    if (bench.topology().neighbour(8, port)) bench.fabric.fail_link(8, port, false, true);
  bench.run(30);
  bench.fabric.network_interface(0).send(8, 5);
  EXPECT_TRUE(bench.drain(100000));
  EXPECT_EQ(fates.kinds(), "u");
  EXPECT_EQ(counters(bench.fabric).dead_ends, 1u);
  EXPECT_EQ(counters(bench.fabric).retries, 0u);
  EXPECT_TRUE(bench.fabric.check_conservation().idle());
}

INSTANTIATE_TEST_SUITE_P(Misroutes, OwnPaths,
                         testing::Values(OwnPathCase{"on-tail", 2}, OwnPathCase{"on-tail", 3},
                                         OwnPathCase{"atomic", 2}, OwnPathCase{"atomic", 3}));

// With waiting heads this is a deadlock: PipelinedCircuit.TheWatchdogSeesPathsThatWaitForEachOther.
TEST_P(ReturningHeads, DoNotDeadlock) {
  RoutingSettings routing;
  routing.algorithm = "dimension-order";
  routing.options.set("dateline", "none");
  routing.options.set("ties", "plus");
  HardwareSettings hardware = returning(GetParam());
  hardware.router.retry_backoff = 16;
  FabricBench bench(grid_network("torus", {4}), hardware, routing);
  for (NodeId node = 0; node < 4; ++node) bench.fabric.network_interface(node).send((node + 2) % 4, 4);
  EXPECT_TRUE(bench.drain(5000));
  EXPECT_EQ(bench.deliveries.size(), 4u);
  EXPECT_GT(counters(bench.fabric).retries, 0u);
  EXPECT_TRUE(bench.fabric.check_conservation().idle());
}

INSTANTIATE_TEST_SUITE_P(Busy, ReturningHeads, testing::Values("retry", "backtrack"));

struct RandomCase {
  const char* preset;
  const char* busy;
  const char* topology;
  std::int64_t misroutes;
};

/// Traffic far above saturation, with an algorithm that deadlocks where heads wait.
class RandomHeads : public testing::TestWithParam<RandomCase> {};

TEST_P(RandomHeads, AllArriveAndTheWatchdogIsSilent) {
  const RandomCase& c = GetParam();
  HardwareSettings hardware = returning(c.busy, preset(c.preset));
  hardware.router.retry_backoff = 32;
  FabricBench bench(grid_network(c.topology, {4, 4}), hardware, fully_adaptive(c.misroutes));
  SteadyTraffic traffic(bench.fabric, 0.9, 400);
  DeadlockWatchdog watchdog(bench.fabric);
  unsigned cycles = 0;
  for (; cycles < 100000 && !(traffic.done() && bench.fabric.quiet()); ++cycles) {
    bench.run(1);
    ASSERT_FALSE(watchdog.look()) << "cycle " << cycles;
    ASSERT_TRUE(bench.fabric.check_conservation().flits_conserved()) << "cycle " << cycles;
  }
  EXPECT_EQ(bench.deliveries.size(), 400u);
  bench.run(64);
  EXPECT_TRUE(bench.fabric.check_conservation().idle());
  const auto distance = [&](const FabricBench::Delivery& d) {
    return bench.topology().distance(d.source, d.destination);
  };
  for (const FabricBench::Delivery& d : bench.deliveries)
    EXPECT_LE(d.hops, distance(d) + 2 * static_cast<unsigned>(c.misroutes));
  const ProbeCounters& all = counters(bench.fabric);
  EXPECT_GT(all.turned_back, 0u);
  EXPECT_EQ(all.dead_ends, 0u);
  EXPECT_GE(all.hops_back, all.turned_back) << "a head that turns back releases at least one channel";
}

INSTANTIATE_TEST_SUITE_P(Hardware, RandomHeads,
                         testing::Values(RandomCase{"iq", "retry", "torus", 0},
                                         RandomCase{"iq", "backtrack", "torus", 0},
                                         RandomCase{"iq", "backtrack", "mesh", 2},
                                         RandomCase{"sbrp", "retry", "mesh", 0},
                                         RandomCase{"sbrp", "backtrack", "torus", 3},
                                         RandomCase{"kary-ncube", "backtrack", "mesh", 0}));

}  // namespace
}  // namespace flitmend
