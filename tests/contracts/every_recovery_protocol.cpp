// SPDX-License-Identifier: Apache-2.0
// Random fault plans on random fabrics: every message is delivered once, undeliverable or void, or lost,
// where the protocol promises no delivery, because a fault hit it; no flit and no credit is unaccounted for;
// everything is idle after the drain. A second fabric with the same seed, evaluated in another order, gives
// the same results.
#include "contracts/every_recovery_protocol.h"

#include <unistd.h>

#include <boost/format.hpp>
#include <filesystem>
#include <fstream>

#include "support/checked_bindings.h"
#include "support/every_nth.h"
#include "support/fabric_bench.h"
#include "testbench/elements/traffic_generator.h"
#include "testbench/elements/traffic_sink.h"
#include "testbench/faults/fault_injector.h"
#include "testbench/scoreboard/scoreboard.h"
#include "testbench/traffic/synthetic_traffic.h"

namespace flitmend {
namespace {

constexpr unsigned kFaultPlans = 20;  // of a group
const unsigned kPlanStride = test::every_nth(4);
// Of the messages of a group; few plans vary more than their share of it.
const unsigned kFewestHit = kPlanStride == 1 ? 40 : 4, kFewestHurt = kPlanStride == 1 ? 30 : 3;
constexpr Cycle kStriking = 1500;
constexpr Cycle kLongestDrain = 400000;

struct FaultCase {
  NetworkSettings network;
  HardwareSettings hardware;
  RoutingSettings routing;
  TrafficSettings traffic;
  FaultSettings faults;
  RecoverySettings recovery;
  std::uint64_t seed = 1;
  std::string text;
};

template <class T>
T one_of(RandomStream& random, const std::vector<T>& of) {
  return of[random.below(static_cast<std::uint32_t>(of.size()))];
}

/// A random tree of 12 nodes whose links have latencies of 1 to 12 cycles, and take 1 to 8 cycles per flit.
/// There is only one path, so messages cannot deadlock when faults change routes.
NetworkSettings unequal_network(RandomStream& random, const std::filesystem::path& file) {
  std::ofstream out(file);
  out << R"(<graphml><key id="l" for="edge" attr.name="latency"/><key id="w" for="edge" attr.name="width"/>)"
      << R"(<graph><node id="n0"/>)";
  for (unsigned node = 1; node < 12; ++node)
    out << "<node id=\"n" << node << "\"/><edge source=\"n" << node << "\" target=\"n" << random.below(node)
        << "\"><data key=\"l\">" << 1 + random.below(12) << "</data><data key=\"w\">"
        << (8u << random.below(4)) << "</data></edge>";
  out << "</graph></graphml>\n";
  NetworkSettings network;
  network.topology = "file";
  network.graph = file.string();
  return network;
}

FaultCase draw_case(const RecoveryEntry& protocol, std::uint32_t index,
                    const std::filesystem::path& graph = {}) {
  RandomStream random(2027, RandomPurpose::test, index);
  FaultCase c;
  c.seed = random.bits64() >> 1;
  c.network = one_of(random, std::vector<NetworkSettings>{
                                 mesh_network({4, 4}), mesh_network({5, 3}), grid_network("torus", {4, 4}),
                                 grid_network("torus", {3, 5}), hypercube_network(3), hypercube_network(4)});
  if (!graph.empty()) c.network = unequal_network(random, graph);
  const auto topology = make_topology(c.network);
  c.routing.algorithm = one_of(random, std::vector<std::string>{"dimension-order", "duato"});
  if (!graph.empty()) c.routing.algorithm = "up-down";
  c.routing.head_wait_cycles = one_of(random, std::vector<std::int64_t>{0, 20, 100});

  c.recovery.protocol = protocol.name;
  c.recovery.guard_timeout = 500;  // abandons messages early where there is no route
  c.recovery.retry_limit = 8;
  c.recovery.guard_acknowledgement = one_of(random, std::vector<std::string>{"assumed", "real"});

  RouterSettings& router = c.hardware.router;
  apply_preset(one_of(random, std::vector<std::string>{"iq", "iq", "sbrp", "kary-ncube"}), c.hardware);
  c.traffic.message_length = one_of(random, std::vector<std::int64_t>{1, 2, 4, 8, 8, 20});
  // Where whole messages must fit, so must control messages.
  c.traffic.message_length = std::max<std::int64_t>(c.traffic.message_length, protocol.control_length);
  if (random.below(3) == 0) router.input_buffer = 1 + random.below(8);
  if (random.below(6) == 0 && !protocol.wormhole_only) {
    router.switching = one_of(random, std::vector<std::string>{"virtual-cut-through", "store-and-forward"});
    const std::int64_t packet =
        c.traffic.message_length +
        extra_flits(protocol, c.recovery, c.routing, HardwareParameters::from(c.hardware), *topology);
    router.input_buffer = packet + random.below(3);
    if (router.output_buffer > 0) router.output_buffer = packet;
  }
  c.hardware.link.latency = 1 + random.below(3);
  c.hardware.link.credit_latency = random.below(3);
  const RoutingProperties needs = routing_properties(*topology, c.routing);
  router.virtual_channels = needs.virtual_channels + random.below(3);
  if (needs.atomic_vc_reallocation || random.below(3) == 0 || protocol.atomic_reallocation)
    router.vc_reallocation = "atomic";
  c.traffic.load = std::min(0.05 + 0.4 * random.uniform(), largest_load(c.traffic, *topology, 1.0));
  // With a control message for each, short messages would saturate the network.
  if (protocol.control_length > 0) c.traffic.load = 0.02 * static_cast<double>(c.traffic.message_length) / 2;

  FaultSettings& f = c.faults;
  f.duration = {1 + random.below(60)};
  if (random.below(8) == 0) f.duration = {};
  const double rate = f.duration.cycles ? one_of(random, std::vector<double>{1e-4, 1e-3, 5e-3}) : 5e-5;
  if (random.below(3)) f.node_rate = rate;
  if (f.node_rate == 0 || random.below(2)) f.link_rate = rate;
  if (random.below(4) == 0) f.random_static_nodes = 1 + random.below(2);
  if (random.below(4) == 0) f.random_static_links = 1;
  if (!graph.empty()) f.random_static_nodes = f.random_static_links = 0;  // they would cut a tree
  if (random.below(3) == 0) {
    const std::int64_t node = random.below(topology->node_count());
    const auto far = topology->neighbour(static_cast<RouterId>(node), 0);
    FaultEvent event;
    event.cycle = 1 + random.below(200);
    event.duration = {1 + random.below(40)};
    if (event.cycle % 4 == 0) event.duration = {};
    event.one_way = true;
    if (far && f.random_static_nodes + f.random_static_links == 0) {
      event.link = LinkName{{{node}, true}, {{far->router}, true}};
      f.events.push_back(event);
    }
  }
  std::int64_t misroutes = 0;
  std::string escape = "returning";
  if (c.routing.algorithm == "duato") {
    misroutes = random.below(3);
    if (misroutes > 0 || random.below(2)) escape = "terminal";
    c.routing.options = {{"misroutes", misroutes}, {"escape", escape}};
  }
  std::int64_t scouting = 0;
  if (protocol.needs.has(Mechanism::circuits) && router.switching != "store-and-forward" && random.below(2))
    scouting = 1 + random.below(4);
  c.recovery.options.set("scouting", scouting);
  std::string handshake = "none";
  std::int64_t delay = 0;
  if (std::ranges::any_of(protocol.options,
                          [](const OptionKey* o) { return o->name() == "acknowledgement_delay"; })) {
    handshake = one_of(random, std::vector<std::string>{"none", "none", "six-step"});
    delay = one_of(random, std::vector<std::int64_t>{0, 32, 32, 300});
    c.recovery.options.set("handshake", handshake);
    c.recovery.options.set("acknowledgement_delay", delay);
  }
  c.text =
      (boost::format(
           "case %1%: %18%, %2%, %3%, preset %4%, %5%, %6% VCs of %7% + %8% flits, %9%, length %10%, load "
           "%11$.3f, link %12% / %13%, node rate %14%, link rate %15%, duration %16%, head wait %17%, "
           "misroutes %19%, escape %20%, scouting %21%, handshake %22%, acknowledgements after %23%") %
       index % topology->description() % c.routing.algorithm % router.preset % router.switching %
       router.virtual_channels % router.input_buffer % router.output_buffer % router.vc_reallocation %
       c.traffic.message_length % c.traffic.load % c.hardware.link.latency % c.hardware.link.credit_latency %
       f.node_rate % f.link_rate % f.duration.cycles.value_or(0) % c.routing.head_wait_cycles %
       c.recovery.protocol % misroutes % escape % scouting % handshake % delay)
          .str();
  return c;
}

class FaultBench {
 public:
  FaultBench(const RecoveryEntry& protocol, const FaultCase& c, const std::string& name)
      : text_(c.text),
        entry_(protocol),
        protocol_(entry_.make(c.recovery, c.routing)),
        may_lose_(entry_.may_lose(c.recovery, HardwareParameters::from(c.hardware))),
        network(c.network, c.hardware, c.routing, name.c_str(), c.seed, protocol_.get()),
        traffic_(c.traffic, network.topology(), 1.0),
        schedule_((name + "_schedule").c_str(), network.fabric) {
    const NodeId nodes = network.topology().node_count();
    scoreboard = std::make_unique<Scoreboard>(nodes, ScoreboardSettings{.may_lose = may_lose_, .keep = 20});
    network.fabric.add_observer(static_cast<MessageObserver&>(*scoreboard));
    FaultPlan plan(c.faults, network.topology(), c.seed);
    plan.last_strike_before(kStriking);
    injector = std::make_unique<FaultInjector>((name + "_faults").c_str(), network.fabric, std::move(plan));
    for (NodeId node = 0; node < nodes; ++node) {
      generators_.push_back(std::make_unique<TrafficGenerator>(
          (name + "_generator" + std::to_string(node)).c_str(), network.fabric, schedule_, payloads_,
          traffic_.source(node, c.seed), node, 4096, kStriking));
      sinks_.push_back(std::make_unique<TrafficSink>((name + "_sink" + std::to_string(node)).c_str()));
      bindings_.bind(generators_.back()->socket, network.fabric.sockets(node).target_socket);
      bindings_.bind(network.fabric.sockets(node).initiator_socket, sinks_.back()->socket);
    }
  }

  void check() {
    SCOPED_TRACE(text_);
    Fabric& fabric = network.fabric;
    EXPECT_TRUE(fabric.quiet());
    scoreboard->finish(fabric.cycles(), true);
    const MessageResults& m = scoreboard->messages();
    EXPECT_EQ(m.generated, m.delivered + m.lost + m.undeliverable + m.voided);
    EXPECT_EQ(m.duplicated, 0u);
    EXPECT_EQ(m.corrupted, 0u);
    EXPECT_LE(m.lost, may_lose_ == 0 ? 0 : m.hit);
    for (const Violation& v : scoreboard->first_violations())
      ADD_FAILURE() << v.what << ": message " << *v.message << " of " << *v.source << " to " << *v.destination
                    << " in cycle " << *v.cycle;
    const ConservationReport report = fabric.check_conservation();
    EXPECT_TRUE(report.flits_conserved()) << report.flits_injected << " " << report.flits_consumed << " "
                                          << report.flits_discarded << " " << report.flits_in_network;
    EXPECT_EQ(report.flits_in_network, 0u);
    EXPECT_EQ(report.credits_missing, 0u);
    EXPECT_EQ(report.busy_vcs, 0u);
    std::uint64_t sent = 0, answered = 0, failed = 0;
    for (const auto& g : generators_) {
      sent += g->sent();
      answered += g->answered();
      failed += g->failed();
    }
    EXPECT_EQ(sent, m.generated);
    EXPECT_EQ(answered, sent);
    EXPECT_EQ(failed, m.lost + m.undeliverable + m.voided);
    EXPECT_EQ(payloads_.in_use(), 0u);
    EXPECT_EQ(fabric.context().messages.in_use(), 0u);
  }

 private:
  std::string text_;
  const RecoveryEntry& entry_;
  std::unique_ptr<RecoveryProtocol> protocol_;
  std::uint32_t may_lose_;
  PayloadPool payloads_;

 public:
  FabricBench network;
  std::unique_ptr<Scoreboard> scoreboard;
  std::unique_ptr<FaultInjector> injector;

 private:
  SyntheticTraffic traffic_;
  GeneratorSchedule schedule_;
  std::vector<std::unique_ptr<TrafficGenerator>> generators_;
  std::vector<std::unique_ptr<TrafficSink>> sinks_;
  CheckedBindings bindings_{{.address_kept = true}};
};

}  // namespace

std::vector<RecoveryCase> recovery_cases(const std::vector<RecoveryEntry>& entries, unsigned groups) {
  std::vector<RecoveryCase> cases;
  for (const RecoveryEntry& entry : entries)
    for (unsigned group = 0; group < groups; ++group) cases.push_back({entry, group});
  return cases;
}

std::string recovery_test_name(const testing::TestParamInfo<RecoveryCase>& info) {
  std::string name(info.param.entry.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name + '_' + std::to_string(info.param.group);
}

TEST_P(EveryRecoveryProtocol, DescribesItself) {
  const RecoveryEntry& entry = GetParam().entry;
  EXPECT_FALSE(entry.description.empty());
  EXPECT_EQ(bool{entry.needs.control_messages}, entry.control_length > 0);
  EXPECT_FALSE(entry.traits.resends_whole && entry.traits.resends_part);
}

TEST_P(EveryRecoveryProtocol, BuildsItsRoutersWithJustWhatItNeeds) {
  const RecoveryNeeds& needs = GetParam().entry.needs;
  for (const char* name : {"iq", "sbrp"}) {
    const std::unique_ptr<RecoveryProtocol> protocol = GetParam().entry.make({}, {});
    EXPECT_EQ(protocol->needs(), needs);
    FabricBench bench(mesh_network({2}), preset(name), {}, (std::string("fabric_") + name).c_str(), 1,
                      protocol.get());
    const RouterLayout& layout = bench.fabric.router(0).state().layout();
    EXPECT_TRUE(layout.recovery_units);
    EXPECT_EQ(layout.flit_counters, needs.flit_counter);
    EXPECT_EQ(layout.has_head_copies, needs.head_copy);
    EXPECT_EQ(layout.has<rows::TailPorts>(), needs.has(Mechanism::tail_signals));
    EXPECT_EQ(layout.has<rows::Copies>(), needs.has(Mechanism::copies));
    EXPECT_EQ(layout.holds_paths, needs.has(Mechanism::circuits));
    for (PortId port = 0; port < bench.topology().port_count(0); ++port) {
      const Channel* const channel = bench.fabric.channel(0, port);
      if (!channel) continue;
      for (unsigned line = 0; line < kControlLines; ++line)
        EXPECT_EQ(channel->has(static_cast<ControlLine>(line)), (needs.control_lines >> line & 1) != 0)
            << line;
    }
  }
}

namespace {

/// Runs each case twice, evaluates the second fabric in another order, and holds both to the contract.
void hold_to_contract(const RecoveryEntry& entry, const std::vector<FaultCase>& cases) {
  std::vector<std::unique_ptr<FaultBench>> benches;
  for (unsigned i = 0; i < cases.size(); ++i)
    for (const char* twin : {"a", "b"})
      benches.push_back(std::make_unique<FaultBench>(entry, cases[i], "fabric" + std::to_string(i) + twin));
  for (unsigned i = 0; i < cases.size(); ++i) benches[2 * i + 1]->network.fabric.alternate_order(true);

  const auto run = [&](Cycle cycles) {
    sc_core::sc_start(sc_core::sc_time(static_cast<double>(cycles), sc_core::SC_NS));
  };
  run(kStriking + 1);
  const auto busy = [&] {
    for (const auto& bench : benches)
      if (!bench->network.fabric.quiet()) return true;
    return false;
  };
  for (Cycle t = 0; t < kLongestDrain && busy(); t += 50) run(50);
  for (auto& bench : benches) bench->injector->stop();
  run(100);

  std::uint64_t hit = 0, lost = 0, recovered = 0;
  for (unsigned i = 0; i < cases.size(); ++i) {
    benches[2 * i]->check();
    benches[2 * i + 1]->check();
    EXPECT_EQ(benches[2 * i]->network.deliveries, benches[2 * i + 1]->network.deliveries) << cases[i].text;
    EXPECT_EQ(benches[2 * i]->scoreboard->messages(), benches[2 * i + 1]->scoreboard->messages())
        << cases[i].text;
    hit += benches[2 * i]->scoreboard->messages().hit;
    lost += benches[2 * i]->scoreboard->messages().lost;
    recovered += benches[2 * i]->scoreboard->messages().recovered;
  }
  EXPECT_GT(hit, kFewestHit);
  EXPECT_GT(lost + recovered, kFewestHurt);
}

}  // namespace

TEST_P(EveryRecoveryProtocol, LeavesNothingInTheNetwork) {
  std::vector<FaultCase> cases;
  for (unsigned i = 0; i < kFaultPlans; i += kPlanStride)
    cases.push_back(draw_case(GetParam().entry, GetParam().group * kFaultPlans + i));
  hold_to_contract(GetParam().entry, cases);
}

TEST_P(EveryRecoveryProtocol, LeavesNothingOnUnequalLinks) {
  if (!GetParam().entry.unequal_links) GTEST_SKIP() << "the protocol needs links that are all alike";
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("flitmend_unequal_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::vector<FaultCase> cases;
  for (unsigned i = 0; i < kFaultPlans; i += kPlanStride)
    cases.push_back(draw_case(GetParam().entry, GetParam().group * kFaultPlans + i,
                              folder / ("net" + std::to_string(i) + ".graphml")));
  hold_to_contract(GetParam().entry, cases);
  std::filesystem::remove_all(folder);
}

}  // namespace flitmend
