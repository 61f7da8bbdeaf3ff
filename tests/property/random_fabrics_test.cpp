// SPDX-License-Identifier: Apache-2.0
// Random fabrics under random loads: every message arrives exactly once with its bytes, no flit and no credit
// is lost, everything is idle after the drain, and a second fabric with the same seed gives the same results
// while its waveform is recorded, and some of them with several threads.
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/format.hpp>
#include <filesystem>
#include <stdexcept>

#include "support/checked_bindings.h"
#include "support/every_nth.h"
#include "support/fabric_bench.h"
#include "support/pick.h"
#include "testbench/elements/traffic_generator.h"
#include "testbench/elements/traffic_sink.h"
#include "testbench/scoreboard/scoreboard.h"
#include "testbench/traffic/length.h"
#include "testbench/traffic/synthetic_traffic.h"
#include "topologies/topology.h"
#include "traces/waves/fabric_waves.h"

namespace flitmend {
namespace {

constexpr unsigned kGroups = 12;   // one process each
constexpr unsigned kFabrics = 18;  // in one elaboration; 216 combinations in all
// The sanitizers see a part of each group.
#ifdef __SANITIZE_ADDRESS__
const unsigned kFabricStride = test::every_nth(6);
#else
constexpr unsigned kFabricStride = 1;
#endif
constexpr Cycle kSending = 1500;
constexpr Cycle kDrainLimit = 60000;
constexpr Cycle kFirstRecorded = 300, kLastRecorded = 420;

struct Combination {
  NetworkSettings network;
  HardwareSettings hardware;
  RoutingSettings routing;
  TrafficSettings traffic;
  std::uint64_t seed = 1;
  std::string text;
};

/// The algorithms that apply and cannot deadlock, with the options of their examples.
std::vector<RoutingSettings> safe_routings(const Topology& topology) {
  std::vector<RoutingSettings> all;
  for (const RoutingEntry& entry : routing_algorithms().entries()) {
    if (!entry.applies_to(topology)) continue;
    std::vector<RoutingSettings> settings = entry.examples;
    settings.emplace_back();
    for (RoutingSettings& s : settings) {
      s.algorithm = entry.name;
      try {
        if (routing_properties(topology, s).proof != DeadlockProof::none) all.push_back(s);
      } catch (const ConfigurationError&) {  // an option that has no meaning there
      }
    }
  }
  return all;
}

template <class Entry>
std::string pick_name(RandomStream& random, const Registry<Entry>& registry) {
  return std::string(pick(random, registry.entries()).name);
}

Combination draw(std::uint32_t index) {
  RandomStream random(2026, RandomPurpose::test, index);
  Combination c;
  c.seed = random.bits64() >> 1;
  const TopologyEntry& kind = pick(random, topologies().entries());
  c.network = pick(random, kind.examples);
  c.network.topology = kind.name;

  RouterSettings& router = c.hardware.router;
  apply_preset(random.below(4) == 0 ? "iq" : std::string(pick(random, router_presets()).name), c.hardware);
  router.switching = pick(random, std::vector<std::string>{"wormhole", "wormhole", "virtual-cut-through",
                                                           "store-and-forward", "pipelined-circuit"});
  router.busy = std::array{"wait", "retry", "backtrack"}[random.below(3)];
  if (random.below(4) == 0) router.input_buffer = 1 + random.below(16);
  if (random.below(4) == 0) router.output_buffer = random.below(4);
  if (random.below(2) == 0)
    router.pipeline = {random.below(3), random.below(3), random.below(3), random.below(3), random.below(3)};
  router.allocator_iterations = 1 + random.below(2);
  c.hardware.link.latency = 1 + random.below(3);
  c.hardware.link.credit_latency = random.below(3);
  router.head_copy = random.below(2) == 0;
  c.hardware.network_interface.source_queue = random.below(3) == 0 ? 1 + random.below(4) : 0;
  if (router.crossbar == "virtual-channel") router.output_buffer = std::max(router.output_buffer, 1u);

  c.traffic.message_length = 1 + random.below(8);
  c.traffic.length_distribution = random.below(3) == 0 ? pick_name(random, length_distributions()) : "fixed";
  const unsigned longest =
      length_distributions().at(c.traffic.length_distribution).make(c.traffic)->longest();
  if (router.needs_whole_room()) {
    router.input_buffer = std::max(router.input_buffer, longest);
    if (router.output_buffer > 0) router.output_buffer = std::max(router.output_buffer, longest);
  }
  c.traffic.injection = pick_name(random, injection_processes());
  const auto topology = make_topology(c.network);
  if (router.switching == "pipelined-circuit" && narrowest_link(*topology, 64)) router.switching = "wormhole";
  c.traffic.load = std::min(0.02 + 0.6 * random.uniform(), largest_load(c.traffic, *topology, 1.0));
  // Where heads go back, each message holds a path to its destination until an acknowledgement is back: far
  // above saturation short ones would drain for longer than the limit.
  if (router.heads_go_back()) c.traffic.load *= 0.25;
  c.traffic.options.set("include_self", random.below(4) == 0);

  const std::vector<RoutingSettings> routings = safe_routings(*topology);
  if (routings.empty()) throw std::logic_error("no algorithm routes on the " + topology->description());
  c.routing = pick(random, routings);
  const RoutingProperties needs = routing_properties(*topology, c.routing);
  router.virtual_channels = needs.virtual_channels + random.below(4);
  if (needs.atomic_vc_reallocation || random.below(3) == 0) router.vc_reallocation = "atomic";
  if (random.below(3) == 0) c.routing.request = "all";
  if (random.below(3) == 0) c.hardware.network_interface.injection_limit = "alo";
  if (random.below(3) == 0) router.crossbar = "virtual-channel-inputs";
  if (random.below(3) == 0) router.vc_selection = "random";
  c.text =
      (boost::format("combination %1%: %2%, %3%, preset %4%, %5%, %6% VCs of %7% + %8% flits, pipeline "
                     "%9% %10% %11% %12%, "
                     "link %13%, load %14$.3f, crossbar %16%, VCs %17%, seed %15%") %
       index % topology->description() % c.routing.algorithm % router.preset % router.switching %
       router.virtual_channels % router.input_buffer % router.output_buffer % router.pipeline.routing %
       router.pipeline.vc_allocation % router.pipeline.switch_allocation % router.pipeline.switch_traversal %
       c.hardware.link.latency % c.traffic.load % c.seed % router.crossbar % router.vc_selection)
          .str();
  return c;
}

/// A fabric with generators, sinks and a scoreboard.
class Bench {
 public:
  Bench(const Combination& c, const std::string& name)
      : c_(c),
        network(c.network, c.hardware, c.routing, name.c_str(), c.seed),
        traffic_(c.traffic, network.topology(), 1.0),
        schedule_((name + "_schedule").c_str(), network.fabric) {
    const NodeId nodes = network.topology().node_count();
    scoreboard = std::make_unique<Scoreboard>(nodes, ScoreboardSettings{});
    network.fabric.add_observer(static_cast<MessageObserver&>(*scoreboard));
    for (NodeId node = 0; node < nodes; ++node) {
      generators_.push_back(std::make_unique<TrafficGenerator>(
          (name + "_generator" + std::to_string(node)).c_str(), network.fabric, schedule_, payloads_,
          traffic_.source(node, c.seed), node, 4096, kSending));
      sinks_.push_back(std::make_unique<TrafficSink>((name + "_sink" + std::to_string(node)).c_str()));
      bindings_.bind(generators_.back()->socket, network.fabric.sockets(node).target_socket);
      bindings_.bind(network.fabric.sockets(node).initiator_socket, sinks_.back()->socket);
    }
  }

  void record(const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    WaveSettings settings;
    settings.enabled = true;
    settings.from = kFirstRecorded;
    settings.to = kLastRecorded;
    waves_ = std::make_unique<FabricWaves>(network.fabric);
    waves_->start(settings, folder.string(), sc_core::sc_time(1, sc_core::SC_NS));
  }

  void check() {
    SCOPED_TRACE(c_.text);
    Fabric& fabric = network.fabric;
    EXPECT_EQ(fabric.messages_in_network(), 0u);
    scoreboard->finish(fabric.cycles(), true);
    const MessageResults& m = scoreboard->messages();
    EXPECT_GT(m.generated, 0u);
    EXPECT_EQ(m.generated, m.delivered);
    EXPECT_EQ(m.corrupted, 0u);
    EXPECT_EQ(scoreboard->violations(), 0u);
    const ConservationReport report = fabric.check_conservation();
    EXPECT_TRUE(report.flits_conserved());
    EXPECT_EQ(report.flits_in_network, 0u);
    EXPECT_EQ(report.credits_missing, 0u);
    EXPECT_EQ(report.busy_vcs, 0u);
    std::uint64_t sent = 0, answered = 0, failed = 0, received = 0;
    for (const auto& g : generators_) {
      sent += g->sent();
      answered += g->answered();
      failed += g->failed();
    }
    for (const auto& s : sinks_) received += s->received();
    EXPECT_EQ(sent, m.generated);
    EXPECT_EQ(answered, sent);
    EXPECT_EQ(failed, 0u);
    EXPECT_EQ(received, sent);
    EXPECT_EQ(payloads_.in_use(), 0u);
    if (waves_) {
      EXPECT_TRUE(waves_->recorder().begun());
      EXPECT_FALSE(waves_->recorder().recording()) << "the window is over";
      EXPECT_EQ(waves_->recorder().failure(), "");
    }
  }

 private:
  const Combination& c_;
  PayloadPool payloads_;

 public:
  FabricBench network;
  std::unique_ptr<Scoreboard> scoreboard;

 private:
  SyntheticTraffic traffic_;
  GeneratorSchedule schedule_;
  std::vector<std::unique_ptr<TrafficGenerator>> generators_;
  std::vector<std::unique_ptr<TrafficSink>> sinks_;
  CheckedBindings bindings_{{.address_kept = true}};
  std::unique_ptr<FabricWaves> waves_;
};

class RandomFabrics : public testing::TestWithParam<unsigned> {};

TEST_P(RandomFabrics, DeliverEverythingOnceAndComeToRest) {
  std::vector<Combination> combinations;
  for (unsigned i = 0; i < kFabrics; i += kFabricStride)
    combinations.push_back(draw(GetParam() * kFabrics + i));
  std::vector<std::unique_ptr<Bench>> benches;
  for (unsigned i = 0; i < combinations.size(); ++i)
    for (const char* twin : {"a", "b"})
      benches.push_back(std::make_unique<Bench>(combinations[i], "fabric" + std::to_string(i) + twin));
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("flitmend_random_" + std::to_string(getpid()));
  for (unsigned i = 0; i < combinations.size(); ++i) {
    benches[2 * i + 1]->record(folder / std::to_string(i));
    benches[2 * i + 1]->network.fabric.alternate_order(true);
    if (i % 3 == 0) benches[2 * i + 1]->network.fabric.set_threads({2 + i % 2});
  }

  const auto run = [&](Cycle cycles) {
    sc_core::sc_start(sc_core::sc_time(static_cast<double>(cycles), sc_core::SC_NS));
  };
  run(kSending + 1);
  const auto busy = [&] {
    for (const auto& bench : benches)
      if (bench->network.fabric.messages_in_network() > 0) return true;
    return false;
  };
  for (Cycle t = 0; t < kDrainLimit && busy(); t += 100) run(100);
  run(100);

  for (unsigned i = 0; i < combinations.size(); ++i) {
    benches[2 * i]->check();
    benches[2 * i + 1]->check();
    EXPECT_EQ(benches[2 * i]->network.deliveries, benches[2 * i + 1]->network.deliveries)
        << combinations[i].text;
  }
  benches.clear();
  std::filesystem::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Group, RandomFabrics, testing::Range(0u, kGroups));

}  // namespace
}  // namespace flitmend
