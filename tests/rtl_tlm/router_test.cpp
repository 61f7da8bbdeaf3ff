// SPDX-License-Identifier: Apache-2.0
// Routers, cycle by cycle: the registers that a message moves through, and a routing function that looks at
// outputs.
#include <gtest/gtest.h>

#include "rtl_tlm/fabric/clocked_router.h"
#include "rtl_tlm/hierarchy/register_objects.h"
#include "support/fabric_bench.h"

namespace flitmend {
namespace {

/// The cycles in these tests are those of flits: credit processing takes none.
HardwareSettings hardware(std::int64_t vcs, std::int64_t buffer) {
  HardwareSettings s;
  s.router.pipeline.credit = 0;
  s.router.virtual_channels = vcs;
  s.router.input_buffer = buffer;
  return s;
}

/// Runs until cycle t has been evaluated.
void finish(FabricBench& bench, Cycle t) {
  bench.run(t + 1 - bench.fabric.cycles());
}

unsigned port_named(const Topology& topology, RouterId router, const std::string& name) {
  for (PortId p = 0; p < topology.port_count(router); ++p)
    if (topology.port_name(router, p) == name) return p;
  throw std::out_of_range(name);
}

// A message of three flits through a line of three routers with four stages of one cycle each: it leaves the
// source in cycle 1 and is in the first router in cycle 2; a hop takes 5 cycles.
TEST(RouterByTheCycle, RegistersFollowTheMessage) {
  FabricBench bench(mesh_network({3}), hardware(2, 8));
  Fabric& fabric = bench.fabric;
  const unsigned east = port_named(bench.topology(), 0, "dim0_plus");
  const unsigned west = port_named(bench.topology(), 1, "dim0_minus");
  bench.run(1);
  const MessageIndex message = fabric.network_interface(0).send(2, 3);
  const VirtualChannel first = fabric.router(0).input(fabric.router(0).local_port()).vc(0);
  const VirtualChannel second = fabric.router(1).input(west).vc(0);
  const OutputController& output = fabric.router(0).output(east);
  const auto credits = [&] { return output.vc(0).credits; };

  finish(bench, 1);
  EXPECT_EQ(first.route_fsm(), RouteFsm::idle) << "the head is on the injection channel";
  EXPECT_EQ(fabric.network_interface(0).injector.sending(0), message);
  finish(bench, 2);
  EXPECT_EQ(first.route_fsm(), RouteFsm::needs_route);
  EXPECT_EQ(first.stage(), PipelineStage::routing);
  EXPECT_EQ(first.input_buffer(), 1u);
  finish(bench, 3);
  EXPECT_EQ(first.route_fsm(), RouteFsm::routed);
  EXPECT_EQ(first.stage(), PipelineStage::vc_allocation) << "up to the end of the cycle";
  EXPECT_EQ(first.output_vc(), east * 2);
  EXPECT_EQ(output.vc(0).owner, first.id());
  EXPECT_EQ(first.input_buffer(), 2u);
  EXPECT_EQ(first.credits(), 8u);
  finish(bench, 4);
  EXPECT_EQ(first.flit_counter(), 1u) << "the head has crossed";
  EXPECT_EQ(first.input_buffer(), 2u) << "and the tail has arrived";
  EXPECT_EQ(first.credits(), 7u);
  EXPECT_EQ(output.granted_at(), 4u);
  EXPECT_EQ(output.granted_input(), first.id());
  finish(bench, 5);
  EXPECT_EQ(first.flit_counter(), 2u);
  EXPECT_EQ(first.credits(), 6u);
  EXPECT_EQ(second.route_fsm(), RouteFsm::idle);
  finish(bench, 6);
  EXPECT_EQ(first.route_fsm(), RouteFsm::idle) << "after the tail";
  EXPECT_EQ(first.output_vc(), std::nullopt);
  EXPECT_EQ(first.input_buffer(), 0u);
  EXPECT_EQ(credits(), 5u);
  EXPECT_EQ(output.vc(0).owner, kNoVc);
  finish(bench, 7);
  EXPECT_EQ(second.stage(), PipelineStage::routing) << "4 stages and the link after it was in the first";
  finish(bench, 9);
  EXPECT_EQ(second.flit_counter(), 1u);
  EXPECT_EQ(credits(), 5u) << "the credit of the head is on its way";
  finish(bench, 10);
  EXPECT_EQ(credits(), 6u);
  finish(bench, 12);
  EXPECT_EQ(credits(), 8u);
  finish(bench, 19);
  EXPECT_TRUE(bench.deliveries.empty());
  finish(bench, 20);
  ASSERT_EQ(bench.deliveries.size(), 1u);
  EXPECT_EQ(bench.deliveries[0].delivered, 20u);
}

TEST(RouterByTheCycle, AFullBufferStopsTheSenderAndOneCreditLetsOneFlitGo) {
  FabricBench bench(mesh_network({2}), hardware(1, 2));
  Fabric& fabric = bench.fabric;
  const OutputController& output = fabric.router(0).output(port_named(bench.topology(), 0, "dim0_plus"));
  bench.run(1);
  fabric.network_interface(0).send(1, 9);
  // Two flits cross in cycles 4 and 5; the head reaches the next router in 7 and leaves it in 9, and its
  // credit is back in 10. From then on the two credits of the ejection channel limit the rate: two cycles
  // through the switch, two to the receiver, one back.
  std::vector<Cycle> crossed;
  for (Cycle t = 1; t <= 40; ++t) {
    finish(bench, t);
    if (output.granted_at() == t) crossed.push_back(t);
  }
  EXPECT_EQ(crossed, (std::vector<Cycle>{4, 5, 10, 11, 15, 16, 20, 21, 25}));
}

class Reallocation : public testing::TestWithParam<const char*> {};

TEST_P(Reallocation, AnAtomicVirtualChannelWaitsUntilTheTailHasLeftIt) {
  HardwareSettings s = hardware(1, 8);
  s.router.vc_reallocation = GetParam();
  FabricBench bench(mesh_network({2}), s);
  const OutputController& output =
      bench.fabric.router(0).output(port_named(bench.topology(), 0, "dim0_plus"));
  bench.run(1);
  bench.fabric.network_interface(0).send(1, 2);
  bench.fabric.network_interface(0).send(1, 2);
  std::vector<Cycle> crossed;
  for (Cycle t = 1; t < 40; ++t) {
    finish(bench, t);
    if (output.granted_at() == t) crossed.push_back(t);
  }
  // In the source's router the second head follows the first tail, which crosses in 5, and is routed in 7;
  // that tail crosses the next router in 10 and its credit is back in 11, which frees the atomic channel.
  const bool atomic = s.router.vc_reallocation == "atomic";
  EXPECT_EQ(crossed, (atomic ? std::vector<Cycle>{4, 5, 12, 13} : std::vector<Cycle>{4, 5, 8, 9}));
}
INSTANTIATE_TEST_SUITE_P(Both, Reallocation, testing::Values("on-tail", "atomic"), [](const auto& p) {
  return std::string(p.param) == "atomic" ? "atomic" : "on_tail";
});

/// Dimension order that looks at outputs: it records what it sees.
class LookingRouting : public RoutingFunction {
 public:
  explicit LookingRouting(const Topology& topology) : RoutingFunction(topology) {
    RoutingSettings s;
    s.algorithm = "dimension-order";
    inner_ = make_routing(topology, 1, s);
  }
  void route(const RouteRequest& request, CandidateList& list) const override {
    const unsigned before = list.size();
    inner_->route(request, list);
    if (request.here != 1 || !request.outputs) return;
    ++asked;
    RouteCandidate c = list[before];
    if (request.outputs->free_vcs(c.port) == 0) seen.push_back(request.outputs->holder_state(c.port, 0));
  }
  unsigned max_candidates() const override { return inner_->max_candidates(); }
  bool looks_at_outputs() const override { return true; }
  VcMask class_vcs(RouterId r, PortId p, unsigned c) const override { return inner_->class_vcs(r, p, c); }
  unsigned classes() const override { return inner_->classes(); }

  mutable unsigned asked = 0;
  mutable std::vector<std::uint64_t> seen;

 private:
  std::unique_ptr<RoutingFunction> inner_;
};

TEST(RouterByTheCycle, ARoutingFunctionThatLooksAtOutputsIsAskedEveryCycleAndSeesTheHolders) {
  const auto topology = make_topology(mesh_network({3}));
  LookingRouting routing(*topology);
  const auto selection = make_selection(*topology, {});
  HardwareSettings s = hardware(1, 4);
  s.router.pipeline.vc_allocation = 2;
  sc_core::sc_clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  Fabric fabric("fabric", *topology, routing, *selection, HardwareParameters::from(s));
  fabric.clock(clock);
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
  fabric.network_interface(0).send(2, 30);
  sc_core::sc_start(sc_core::sc_time(12, sc_core::SC_NS));
  routing.asked = 0;
  fabric.network_interface(1).send(2, 2);  // the long message holds the output to the east
  sc_core::sc_start(sc_core::sc_time(20, sc_core::SC_NS));
  EXPECT_GE(routing.asked, 15u);
  EXPECT_GE(routing.seen.size(), 15u);
  for (const std::uint64_t h : routing.seen) EXPECT_EQ(h, 0u);
  sc_core::sc_start(sc_core::sc_time(200, sc_core::SC_NS));
  EXPECT_EQ(fabric.messages_in_network(), 0u);
  EXPECT_TRUE(fabric.check_conservation().idle());
}

// The middle router of a line of three, stand-alone with a clock and two channels.
struct RouterAlone : testing::Test {
  /// A message of one flit from west to east that reaches the router in that cycle.
  void send(Cycle arrival) {
    Flit flit;
    flit.message = context.messages.allocate();
    context.messages[flit.message].destination = 2;
    context.messages[flit.message].length = 1;
    flit.kind = FlitKind::head_tail;
    flit.vc = 1;
    from_west.write(arrival, flit);
  }
  void run(Cycle cycles) { sc_core::sc_start(sc_core::sc_time(static_cast<double>(cycles), sc_core::SC_NS)); }

  std::unique_ptr<Topology> topology = make_topology(mesh_network({3}));
  std::unique_ptr<RoutingFunction> routing = make_routing(*topology, 2, {});
  std::unique_ptr<SelectionFunction> selection = make_selection(*topology, {});
  NetworkContext context{*topology, *routing, *selection, HardwareParameters::from(hardware(2, 8)),
                         1,         {},       {}};
  const unsigned west = port_named(*topology, 1, "dim0_minus"), east = port_named(*topology, 1, "dim0_plus");
  Channel from_west{"from_west", 1, 1, context.hardware.ring};
  Channel to_east{"to_east", 1, 1, context.hardware.ring};
  sc_core::sc_clock clock{"clock", sc_core::sc_time(1, sc_core::SC_NS)};
  sc_core::sc_signal<bool> reset{"reset"};
  ClockedRouter router{"router", context, 1};

  void SetUp() override {
    router.clock(clock);
    router.reset.bind(reset);
    router.in[west].bind(from_west);
    router.out[east].bind(to_east);
    run(1);  // cycle 0
  }
};

TEST_F(RouterAlone, PassesAFlitOnAndReturnsItsCredit) {
  send(2);
  run(3);  // to cycle 3
  EXPECT_EQ(router.input(west).vc(1).input_buffer(), 1u);
  EXPECT_EQ(to_east.flits_underway(0) + to_east.flits_underway(1), 0u);
  run(1);
  EXPECT_EQ(router.input(west).vc(1).input_buffer(), 0u);
  EXPECT_EQ(from_west.take_credits(5), 0b10u);
  const Flit* flit = to_east.arriving(7);
  ASSERT_NE(flit, nullptr);
  EXPECT_EQ(flit->kind, FlitKind::head_tail);
  EXPECT_EQ(context.messages[flit->message].hops, 1u);
  EXPECT_EQ(context.next_cycle, 5u);
}

TEST_F(RouterAlone, ItsRegistersAreObjects) {
  const auto text = [](const std::string& name) {
    const auto* found = dynamic_cast<const RegisterObject*>(sc_core::sc_find_object(name.c_str()));
    return found ? found->text() : "no such object";
  };
  send(2);
  run(1);  // to cycle 1
  EXPECT_EQ(text("router.dim0_minus.input_flit.kind"), "head_tail");
  EXPECT_EQ(text("router.dim0_minus.vc1.input_buffer"), "0");
  run(1);
  EXPECT_EQ(text("router.dim0_minus.vc1.input_buffer"), "1");
  EXPECT_EQ(text("router.dim0_minus.vc1.route_fsm"), "NEEDS_ROUTE");
  EXPECT_EQ(text("router.dim0_minus.input_flit.kind"), "none");
  run(2);
  EXPECT_TRUE(text("router.dim0_plus.output.granted_input").starts_with("dim0_minus.vc"));
  EXPECT_EQ(text("router.dim0_minus.output_flit.kind"), "no such object") << "no channel leaves there";
}

TEST_F(RouterAlone, AResetLosesWhatIsInIt) {
  send(2);
  run(2);
  EXPECT_EQ(router.input(west).vc(1).input_buffer(), 1u);
  reset.write(true);
  run(1);
  reset.write(false);
  EXPECT_EQ(router.input(west).vc(1).input_buffer(), 0u);
  EXPECT_EQ(context.flits_discarded, 1u);
  run(8);
  EXPECT_EQ(to_east.flits_underway(0) + to_east.flits_underway(1), 0u);
}

TEST_F(RouterAlone, AFaultDuringAResetIsKnownAfterwards) {
  to_east.fail(0);  // both ends see it from cycle 1 on: the cycle of the reset
  reset.write(true);
  run(1);
  reset.write(false);
  EXPECT_TRUE(router.state().arbiter(east).faulty);
  EXPECT_FALSE(router.state().arbiter(west).faulty);
  send(4);
  run(10);
  EXPECT_EQ(router.input(west).vc(1).input_buffer(), 1u) << "the only way is faulty";
}

// Routers whose masks of virtual channels and of ports take several words.
class WideRouters : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(WideRouters, DeliverEverythingOnceAndComeToRest) {
  const auto [ports, output_buffer] = GetParam();
  HardwareSettings h = hardware(3, 4);
  h.router.output_buffer = output_buffer;
  RoutingSettings routing;
  routing.algorithm = "hybrid-dor";
  FabricBench bench(kns_network(ports, 1), h, routing);
  RandomStream random(1, RandomPurpose::test);
  const NodeId nodes = bench.fabric.node_count();
  bench.run(1);
  for (int i = 0; i < 2000; ++i) {
    const NodeId from = random.below(nodes);
    bench.fabric.network_interface(from).send((from + 1 + random.below(nodes - 1)) % nodes,
                                              1 + random.below(9));
    if (i % 40 == 0) bench.run(5);
  }
  EXPECT_TRUE(bench.drain(20000));
  EXPECT_EQ(bench.deliveries.size(), 2000u);
  const ConservationReport report = bench.fabric.check_conservation();
  EXPECT_TRUE(report.flits_conserved());
  EXPECT_TRUE(report.idle()) << report.credits_missing << " " << report.busy_vcs;
}

INSTANTIATE_TEST_SUITE_P(All, WideRouters,
                         testing::Values(std::pair{24, 0}, std::pair{24, 5}, std::pair{70, 0},
                                         std::pair{70, 5}));

}  // namespace
}  // namespace flitmend
