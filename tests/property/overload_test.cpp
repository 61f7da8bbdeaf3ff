// SPDX-License-Identifier: Apache-2.0
// Every routing algorithm that is proved free of deadlock, under more load than the network can carry: every
// message arrives exactly once over as many hops as the algorithm says, the watchdog finds nothing, and no
// message goes from one channel to another that the checker does not know. The registers are read for this
// after every cycle, the algorithm is not asked.
#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "protocols/deadlock/dependency_graph.h"
#include "protocols/deadlock/watchdog.h"
#include "support/checked_bindings.h"
#include "support/fabric_bench.h"
#include "testbench/elements/traffic_generator.h"
#include "testbench/elements/traffic_sink.h"
#include "testbench/scoreboard/scoreboard.h"

namespace flitmend {
namespace {

constexpr Cycle kSendingTo = 1200;
constexpr Cycle kMostCycles = 60000;
constexpr NodeId kFewestNodes = 9, kMostNodes = 64;
constexpr Cycle kLookEvery = 64;

/// Which channel leads to which, as far as heads were seen to go, next to what the checker says.
class ObservedDependencies {
 public:
  explicit ObservedDependencies(const Fabric& fabric)
      : fabric_(fabric),
        channels_(fabric.context().routing),
        proved_(dependency_graph(fabric.context().routing, channels_).edges()) {}

  void look() {
    const Topology& t = fabric_.context().routing.topology();
    for (RouterId r = 0; r < t.router_count(); ++r) {
      const RouterState& state = fabric_.router(r).state();
      for (unsigned id = 0; id < state.ids(); ++id) {
        if (state.route_fsm(id) != RouteFsm::routed) continue;
        const unsigned from = state.port_of(id), output = state.input(id).output;
        const unsigned to = state.port_of(output);
        if (from >= t.port_count(r) || to >= t.port_count(r)) continue;  // injected, or ejected
        const RouterPort before = *t.neighbour(r, static_cast<PortId>(from));
        seen_.insert({channel(before.router, before.port, state.vc_of(id)),
                      channel(r, static_cast<PortId>(to), state.vc_of(output))});
      }
    }
  }
  void check() const {
    EXPECT_FALSE(seen_.empty());
    for (const auto& [from, to] : seen_) {
      ASSERT_NE(from, kNoChannel) << "a virtual channel of no class";
      ASSERT_NE(to, kNoChannel) << "a virtual channel of no class, after " << channels_.name(from);
      EXPECT_TRUE(std::binary_search(proved_[from].begin(), proved_[from].end(), to))
          << channels_.name(from) << " to " << channels_.name(to);
    }
  }

 private:
  ChannelId channel(RouterId router, PortId port, unsigned vc) const {
    for (unsigned c = 0; c < fabric_.context().routing.classes(); ++c)
      for (const ChannelId i : channels_.of_class(router, port, c))
        if (channels_[i].vcs >> vc & 1) return i;
    return kNoChannel;
  }

  const Fabric& fabric_;
  ChannelMap channels_;
  Digraph proved_;
  std::set<std::pair<ChannelId, ChannelId>> seen_;
};

class Overloaded {
 public:
  Overloaded(const NetworkSettings& size, const HardwareSettings& hardware, const RoutingSettings& routing,
             const RoutingProperties& properties, const TrafficSettings& load, const std::string& name)
      : properties_(properties),
        bench_(size, hardware, routing, name.c_str(), 7),
        traffic_(load, bench_.topology(), 1.0),
        schedule_((name + "_schedule").c_str(), bench_.fabric),
        scoreboard_(bench_.topology().node_count(), ScoreboardSettings{}),
        observed_(bench_.fabric),
        watchdog_(bench_.fabric),
        text_(routing.algorithm + " on a " + bench_.topology().description() + ", " +
              hardware.router.switching) {
    bench_.fabric.add_observer(static_cast<MessageObserver&>(scoreboard_));
    for (NodeId node = 0; node < bench_.topology().node_count(); ++node) {
      generators_.push_back(std::make_unique<TrafficGenerator>(
          (name + "_generator" + std::to_string(node)).c_str(), bench_.fabric, schedule_, payloads_,
          traffic_.source(node, 7), node, 4096, kSendingTo));
      sinks_.push_back(std::make_unique<TrafficSink>((name + "_sink" + std::to_string(node)).c_str()));
      bindings_.bind(generators_.back()->socket, bench_.fabric.sockets(node).target_socket);
      bindings_.bind(bench_.fabric.sockets(node).initiator_socket, sinks_.back()->socket);
    }
  }

  void look(Cycle t) {
    observed_.look();
    if (t % kLookEvery == 0) {
      EXPECT_FALSE(watchdog_.look()) << text_;
    }
  }
  bool busy() const { return bench_.fabric.messages_in_network() > 0; }
  void check() {
    SCOPED_TRACE(text_);
    observed_.check();
    scoreboard_.finish(bench_.fabric.cycles(), true);
    const MessageResults& m = scoreboard_.messages();
    EXPECT_GT(m.generated, 0u);
    EXPECT_EQ(m.delivered, m.generated);
    EXPECT_EQ(m.duplicated, 0u);
    EXPECT_EQ(m.corrupted, 0u);
    EXPECT_EQ(scoreboard_.violations(), 0u);
    EXPECT_EQ(bench_.fabric.check_conservation().credits_missing, 0u);
    for (const FabricBench::Delivery& d : bench_.deliveries) {
      const std::uint32_t shortest = bench_.topology().distance(d.source, d.destination);
      EXPECT_GE(d.hops, shortest);
      EXPECT_LE(d.hops, shortest + properties_.extra_hops);
    }
  }

 private:
  RoutingProperties properties_;
  PayloadPool payloads_;
  FabricBench bench_;
  SyntheticTraffic traffic_;
  GeneratorSchedule schedule_;
  std::vector<std::unique_ptr<TrafficGenerator>> generators_;
  std::vector<std::unique_ptr<TrafficSink>> sinks_;
  CheckedBindings bindings_{{.address_kept = true}};
  Scoreboard scoreboard_;
  ObservedDependencies observed_;
  DeadlockWatchdog watchdog_;
  std::string text_;
};

class Overload : public testing::TestWithParam<std::size_t> {};

TEST_P(Overload, EveryMessageArrivesOnceAsTheCheckerSays) {
  const RoutingEntry& entry = routing_algorithms().entries()[GetParam()];
  std::vector<std::unique_ptr<Overloaded>> all;
  std::vector<RoutingSettings> settings = entry.examples;
  settings.emplace_back();
  bool provable = false;
  for (const TopologyEntry& topology : topologies().entries())
    for (NetworkSettings size : topology.examples) {
      size.topology = topology.name;
      const auto network = make_topology(size);
      if (!entry.applies_to(*network)) continue;
      for (RoutingSettings routing : settings) {
        routing.algorithm = entry.name;
        try {
          entry.check_options(*network, routing);
        } catch (const ConfigurationError&) {  // an option that has no meaning there
          continue;
        }
        const RoutingProperties properties = entry.properties(*network, routing);
        if (properties.proof == DeadlockProof::none) continue;
        provable = true;
        if (network->node_count() < kFewestNodes || network->node_count() > kMostNodes) continue;
        HardwareSettings hardware = preset("iq");
        RouterSettings& router = hardware.router;
        router.virtual_channels = properties.virtual_channels + all.size() % 3;
        router.vc_reallocation =
            properties.atomic_vc_reallocation || all.size() % 2 ? "atomic" : router.vc_reallocation;
        if (all.size() % 3 == 2) router.switching = "virtual-cut-through";
        router.input_buffer = 8;
        if (all.size() % 2) routing.request = "all";
        if (all.size() % 4 < 2) hardware.network_interface.injection_limit = "alo";
        TrafficSettings load;
        load.message_length = 6;
        load.load = largest_load(load, *network, 1.0) * 0.95;
        all.push_back(std::make_unique<Overloaded>(size, hardware, routing, properties, load,
                                                   "overloaded" + std::to_string(all.size())));
      }
    }
  if (!provable) GTEST_SKIP() << entry.name << " can deadlock";
  ASSERT_FALSE(all.empty());
  const auto busy = [&] {
    return std::any_of(all.begin(), all.end(), [](const auto& network) { return network->busy(); });
  };
  Cycle t = 0;
  do {
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    for (const auto& network : all) network->look(t);
  } while (++t < kMostCycles && (t <= kSendingTo || busy()));
  for (const auto& network : all) network->check();
}

std::string name_of_algorithm(const testing::TestParamInfo<std::size_t>& info) {
  std::string name(routing_algorithms().entries()[info.param].name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Algorithm, Overload,
                         testing::Range(std::size_t{0}, routing_algorithms().entries().size()),
                         name_of_algorithm);

}  // namespace
}  // namespace flitmend
