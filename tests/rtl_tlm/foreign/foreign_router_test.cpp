// SPDX-License-Identifier: Apache-2.0
// Routers of one's own in a fabric: examples/own_router.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "base/errors.h"
#include "examples/own_router/simple_router.h"
#include "protocols/deadlock/watchdog.h"
#include "rtl_tlm/mechanisms/narrow_links/narrow_links.h"
#include "support/fabric_bench.h"
#include "support/incidents.h"
#include "support/steady_traffic.h"
#include "traces/waves/channel_comparer.h"

namespace flitmend {
namespace {

RouterFactory simple_routers() {
  return [](RouterBoundary& place) { return std::make_unique<SimpleRouter>("simple", place); };
}

class ForeignBench : public FabricBench {
 public:
  ForeignBench(const NetworkSettings& network, const HardwareSettings& hardware, const RouterFactory& foreign,
               const char* algorithm = "")
      : FabricBench(network, hardware, routing(algorithm), "fabric", 1, nullptr,
                    TransactionParameters::one_way(4096), 1, foreign) {}

 private:
  static RoutingSettings routing(const char* algorithm) {
    RoutingSettings s;
    if (*algorithm) s.algorithm = algorithm;
    return s;
  }
};

void deliver_all(ForeignBench& bench, double load, std::uint64_t messages) {
  SteadyTraffic traffic(bench.fabric, load, messages);
  while (!traffic.done()) {
    bench.run(100);
    ASSERT_TRUE(bench.fabric.check_conservation().flits_conserved());
    ASSERT_EQ(bench.fabric.check_conservation().credits_missing, 0u);
    ASSERT_FALSE(find_deadlock(bench.fabric));
  }
  ASSERT_TRUE(bench.drain(50000));
  EXPECT_EQ(bench.deliveries.size(), messages);
  for (const auto& d : bench.deliveries)
    ASSERT_GE(d.hops, bench.topology().distance(d.source, d.destination));
  const ConservationReport report = bench.fabric.check_conservation();
  EXPECT_TRUE(report.flits_conserved());
  EXPECT_TRUE(report.idle()) << report.flits_in_network << " flits, " << report.credits_missing
                             << " credits, " << report.busy_vcs << " virtual channels";
}

TEST(ForeignRouter, OneInAMesh) {
  ForeignBench bench(mesh_network({4, 4}), preset("iq"), routers_at({{1, 2}}, simple_routers()));
  EXPECT_NE(bench.fabric.boundary(9), nullptr);
  EXPECT_EQ(bench.fabric.boundary(8), nullptr);
  EXPECT_NE(sc_core::sc_find_object("fabric.router_1_2.simple"), nullptr);
  deliver_all(bench, .2, 3000);
  EXPECT_GT(bench.fabric.router(9).output(0).flits_sent(), 0u);
}
TEST(ForeignRouter, AllOfATorus) {
  ForeignBench bench(grid_network("torus", {4, 4}), preset("iq"), simple_routers());
  deliver_all(bench, .6, 6000);
}
TEST(ForeignRouter, AdaptiveRoutingBeyondSaturation) {
  ForeignBench bench(mesh_network({4, 4}), preset("iq"), routers_at({{1, 1}, {2, 2}}, simple_routers()),
                     "north-last");
  deliver_all(bench, .8, 6000);
}

/// Three nodes in a row; a flit takes four cycles over the second link.
NetworkSettings row_with_a_narrow_link() {
  NetworkSettings s;
  s.topology = "file";
  s.graph =
      "<graphml><key id=\"w\" for=\"edge\" attr.name=\"width\"/><graph><node id=\"a\"/><node id=\"b\"/><node "
      "id=\"c\"/><edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"c\"><data key=\"w\">16</data>"
      "</edge></graph></graphml>";
  return s;
}

TEST(ForeignRouter, HeedsNarrowLinks) {
  ForeignBench bench(row_with_a_narrow_link(), preset("iq"), routers_at({{1}}, simple_routers()), "up-down");
  const RouterBoundary& place = *bench.fabric.boundary(1);
  EXPECT_EQ(place.flit_cycles(0), 1u);
  EXPECT_EQ(place.flit_cycles(1), 4u);
  for (int i = 0; i < 10; ++i) bench.fabric.network_interface(0).send(2, 100);
  bench.run(200);
  const std::uint64_t before = bench.fabric.router(1).output(1).flits_sent();
  EXPECT_TRUE(NarrowLinks::busy(bench.fabric.router(1).state(), bench.fabric.cycles(), 1));
  bench.run(400);
  EXPECT_EQ(bench.fabric.router(1).output(1).flits_sent() - before, 100u);
  ASSERT_TRUE(bench.drain(10000));
  EXPECT_EQ(bench.deliveries.size(), 10u);
  EXPECT_TRUE(bench.fabric.check_conservation().idle());
  EXPECT_EQ(place.violations().size(), 0u);
}

/// Passes on what arrives from port 0 at once, whatever the link does.
struct HastyRouter : ForeignRouter {
  explicit HastyRouter(RouterBoundary& boundary) : place(boundary) {}
  void evaluate(Cycle t) override {
    const Flit* const flit = place.arrived(0);
    if (!flit) return;
    const Flit copy = *flit;
    place.send(t, 1, copy);
    place.return_credit(t, 0, copy.vc);
  }
  void clear(Cycle) override {}
  RouterBoundary& place;
};

TEST(ForeignRouter, MayNotSendToABusyLink) {
  sc_core::sc_report_handler::set_actions("flitmend/contract", sc_core::SC_DO_NOTHING);
  ForeignBench bench(
      row_with_a_narrow_link(), preset("iq"),
      routers_at({{1}}, [](RouterBoundary& place) { return std::make_unique<HastyRouter>(place); }),
      "up-down");
  bench.fabric.network_interface(0).send(2, 3);
  bench.run(30);
  const std::vector<ContractViolation>& found = bench.fabric.boundary(1)->violations();
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().kind, ViolationKind::two_flits);
  EXPECT_EQ(found.front().port, 1u);
  EXPECT_NE(found.front().text.find("while the link is busy with another: a flit takes 4 cycles on it"),
            std::string::npos)
      << found.front().text;
}

// The registers of the place show what crosses.
TEST(ForeignRouter, ItsRegistersFollowItsChannels) {
  ForeignBench bench(mesh_network({3, 3}), preset("iq"), routers_at({{1, 1}}, simple_routers()));
  bench.fabric.network_interface(3).send(5, 6);
  const RouterState& state = bench.fabric.router(4).state();
  const unsigned east = 0, west = 1;
  bool buffered = false, owned = false;
  for (int i = 0; i < 40; ++i) {
    bench.run(1);
    for (unsigned vc = 0; vc < state.vcs(); ++vc) {
      buffered |= state.input(west * state.vcs() + vc).count > 0;
      owned |= state.output(east * state.vcs() + vc).owner / state.vcs() == west;
    }
  }
  EXPECT_TRUE(buffered);
  EXPECT_TRUE(owned);
  EXPECT_EQ(state.port(east).flits_sent, 6u);
  ASSERT_EQ(bench.deliveries.size(), 1u);
  EXPECT_EQ(bench.deliveries[0].hops, 2u);
}

TEST(ForeignRouter, AResetEmptiesIt) {
  ForeignBench bench(mesh_network({3, 3}), preset("iq"), simple_routers());
  sc_core::sc_signal<bool> reset("reset", false);
  bench.fabric.reset(reset);
  SteadyTraffic traffic(bench.fabric, .3, 500);
  for (int i = 0; i < 5; ++i) {
    bench.run(50);
    reset.write(true);
    bench.run(2);
    reset.write(false);
    EXPECT_EQ(bench.fabric.boundary(4)->flits_inside(), 0u);
  }
  bench.run(2000);
  EXPECT_TRUE(bench.drain(2000));
  EXPECT_TRUE(bench.fabric.check_conservation().idle());
}

/// How many tails that end a piece of a message have arrived.
struct TailCounts {
  unsigned broken_tails = 0, virtual_tails = 0;
};

/// Counts them.
class CountingRouter : public SimpleRouter {
 public:
  CountingRouter(RouterBoundary& place, TailCounts& tails)
      : SimpleRouter("simple", place), place_(place), tails_(tails) {}
  void evaluate(Cycle t) override {
    for (unsigned port = 0; port < place_.ports(); ++port)
      if (const Flit* const flit = place_.arrived(port)) {
        tails_.broken_tails += flit->kind == FlitKind::broken_tail;
        tails_.virtual_tails += flit->kind == FlitKind::virtual_tail;
      }
    SimpleRouter::evaluate(t);
  }

 private:
  RouterBoundary& place_;
  TailCounts& tails_;
};

/// A 5x5 mesh with a router of one's own at (2, 2). A base class has the counts: they must exist before the
/// fabric is made.
class ForeignIncident : public TailCounts, public Incident {
 public:
  ForeignIncident(const char* protocol, std::vector<Action> actions, unsigned number)
      : Incident(mesh_network({5, 5}), preset("iq"), {},
                 recovery_protocols().at(protocol).make(impatient(), {}), std::move(actions), number,
                 routers_at({{2, 2}}, [tails = static_cast<TailCounts*>(this)](RouterBoundary& place) {
                   return std::make_unique<CountingRouter>(place, *tails);
                 })) {}

 private:
  // Over the row of the router, and over its column. Long ones are still being sent when they are cut.
  void send_messages(Cycle t) override {
    if (t == 17) send(12, 14, 150);
    if (t >= 200 || t % 8 != 0) return;
    for (const auto& [from, to] :
         {std::pair{10u, 14u}, {14u, 10u}, {2u, 22u}, {22u, 2u}, {12u, 0u}, {24u, 12u}})
      send(from, to, 9);
  }
};

/// Protocols whose signals do not pass through routers.
class ForeignRouterNextToFaults : public Incidents<ForeignIncident> {};

// Faults before it and after it on the path of a message, of links and of whole routers.
TEST_P(ForeignRouterNextToFaults, EndsPiecesOfMessages) {
  constexpr PortId kEast = 0, kNorth = 2;
  for (Cycle at = 20; at < 120; at += 6)
    add({{at, [](Fabric& f) { f.fail_link(10, kEast); }},
         {at + 7, [](Fabric& f) { f.fail_link(13, kEast); }},
         {at + 10, [](Fabric& f) { f.repair_link(10, kEast); }},
         {at + 17, [](Fabric& f) { f.repair_link(13, kEast); }},
         {at + 19, [](Fabric& f) { f.fail_router(2); }},
         {at + 30, [](Fabric& f) { f.repair_router(2); }},
         {at + 35, [](Fabric& f) { f.fail_link(17, kNorth); }},
         {at + 45, [](Fabric& f) { f.repair_link(17, kNorth); }}});
  const Ends sum = run();
  EXPECT_EQ(sum.voided, 0u);
  EXPECT_EQ(sum.undeliverable, 0u);
  if (repairs())
    EXPECT_EQ(sum.lost, 0u);
  else
    EXPECT_GT(sum.lost, 0u);
  unsigned broken_tails = 0, virtual_tails = 0;
  for (const auto& incident : incidents()) {
    broken_tails += incident->broken_tails;
    virtual_tails += incident->virtual_tails;
  }
  EXPECT_GT(broken_tails, incidents().size() / 2);
  EXPECT_EQ(virtual_tails > 0, std::string(GetParam()) == "sbrp-2");
}

INSTANTIATE_TEST_SUITE_P(Protocols, ForeignRouterNextToFaults,
                         testing::Values("none", "sbrp-2", "end-to-end"), name_of_protocol);

TEST(ForeignRouter, NeitherItNorItsLinksNorItsNeighboursFail) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  const auto none = recovery_protocols().at("none").make({}, {});
  FabricBench bench(mesh_network({4, 4}), preset("iq"), {}, "fabric", 1, none.get(),
                    TransactionParameters::one_way(4096), 1, routers_at({{1, 1}}, simple_routers()));
  Fabric& fabric = bench.fabric;
  constexpr PortId kEast = 0;
  EXPECT_THROW(fabric.fail_router(5), sc_core::sc_report);
  EXPECT_THROW(fabric.fail_router(6), sc_core::sc_report);
  EXPECT_THROW(fabric.fail_link(5, kEast), sc_core::sc_report);
  EXPECT_THROW(fabric.fail_link(4, kEast, true), sc_core::sc_report);
  EXPECT_NO_THROW(fabric.fail_link(6, kEast));
  EXPECT_NO_THROW(fabric.fail_router(0));
}

TEST(ForeignRouter, ProtocolsWhoseSignalsPassThroughRoutersAreRefused) {
  for (const char* name : {"sbrp-0", "sbrp-1", "utp", "fcr", "apcs"}) {
    const auto protocol = recovery_protocols().at(name).make({}, {});
    HardwareSettings hardware = preset("iq");
    hardware.router.vc_reallocation = "atomic";
    try {
      FabricBench bench(mesh_network({3, 3}), hardware, {}, name, 1, protocol.get(),
                        TransactionParameters::one_way(4096), 1, simple_routers());
      ADD_FAILURE() << name;
    } catch (const KeyError& error) {
      EXPECT_EQ(error.keys().front(), "recovery.protocol");
    }
  }
}

TEST(ForeignRouter, HardwareThatCannotHaveOneIsRefused) {
  const auto refused = [](const HardwareSettings& hardware) {
    try {
      ForeignBench bench(mesh_network({3, 3}), hardware, simple_routers());
    } catch (const KeyError& error) {
      return error.keys().front();
    }
    return std::string();
  };
  HardwareSettings unlimited = preset("iq");
  unlimited.network_interface.ejection = "unlimited";
  EXPECT_EQ(refused(unlimited), "network_interface.ejection");
  HardwareSettings circuits = preset("iq");
  circuits.router.switching = "pipelined-circuit";
  EXPECT_EQ(refused(circuits), "router.switching");
}
TEST(ForeignRouter, HardwareWithoutAnInjectionChannelIsRefused) {
  HardwareSettings direct = preset("iq");
  direct.network_interface.injection_latency = 0;
  EXPECT_THROW(ForeignBench(mesh_network({3, 3}), direct, simple_routers()), KeyError);
}
TEST(ForeignRouter, CoordinatesOutsideTheNetworkAreRefused) {
  EXPECT_THROW(ForeignBench(mesh_network({3, 3}), preset("iq"), routers_at({{3, 0}}, simple_routers())),
               ConfigurationError);
}

// Two fabrics that differ: one has a router that is faster.
TEST(ChannelComparer, ReportsTheFirstDifference) {
  FabricBench expected(mesh_network({3, 3}), preset("iq"), {}, "expected");
  FabricBench found(mesh_network({3, 3}), preset("iq"), {}, "found", 1, nullptr,
                    TransactionParameters::one_way(4096), 1, routers_at({{1, 1}}, simple_routers()));
  ChannelComparer comparer(expected.fabric, found.fabric, 8);
  expected.run(10);
  EXPECT_FALSE(comparer.first());
  for (Fabric* fabric : {&expected.fabric, &found.fabric}) fabric->network_interface(4).send(5, 3);
  expected.run(40);
  ASSERT_TRUE(comparer.first());
  EXPECT_EQ(comparer.first()->channel, "router_1_1.east");
  EXPECT_EQ(comparer.first()->expected, "no flit");
  EXPECT_EQ(comparer.first()->found, "head 0 of message 0 of router_1_1 to router_2_1 on virtual channel 0");
  const std::string file = testing::TempDir() + "comparer.vcd";
  comparer.write_waves(file, 1'000'000);
  std::ifstream in(file);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  EXPECT_NE(text.find("#" + std::to_string(comparer.first()->cycle) + "\n"), std::string::npos);
  EXPECT_NE(text.find("router_1_1.east"), std::string::npos);
}

// Two fabrics of which one takes a cycle longer for credits: no flit ever waits for one.
TEST(ChannelComparer, ReportsACreditThatDiffers) {
  HardwareSettings later = preset("iq");
  ++later.router.pipeline.credit;
  FabricBench expected(mesh_network({3, 3}), preset("iq"), {}, "expected");
  FabricBench found(mesh_network({3, 3}), later, {}, "found");
  ChannelComparer comparer(expected.fabric, found.fabric, 8);
  for (Fabric* fabric : {&expected.fabric, &found.fabric}) fabric->network_interface(4).send(5, 3);
  expected.run(40);
  EXPECT_EQ(expected.deliveries, found.deliveries);
  ASSERT_TRUE(comparer.first());
  EXPECT_EQ(comparer.first()->channel, "router_1_1.interface.injector");
  EXPECT_EQ(comparer.first()->expected, "credit of virtual channel 0");
  EXPECT_EQ(comparer.first()->found, "no credit");
  EXPECT_EQ(comparer.credits_compared(), comparer.flits_compared());
  const std::string file = testing::TempDir() + "credits.vcd";
  comparer.write_waves(file, 1'000'000);
  std::ifstream in(file);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  EXPECT_NE(text.find(" credits "), std::string::npos);
}

}  // namespace
}  // namespace flitmend
