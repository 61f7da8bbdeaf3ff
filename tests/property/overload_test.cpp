// SPDX-License-Identifier: Apache-2.0
// Every routing algorithm under more load than the network can carry: every message arrives exactly once over
// as many hops as the algorithm says, and no message goes from one channel to another that the checker does
// not know. The registers are read for this after every cycle, the algorithm is not asked. If it is proved
// free of deadlock, the watchdog finds nothing; if not, Disha ends the deadlocks, and there is one token.
#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "protocols/deadlock/dependency_graph.h"
#include "protocols/deadlock/disha/disha.h"
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

constexpr unsigned kTimeout = 32;  // of Disha

/// Tokens of Disha: free, on a wire, held by a head, or under way with its message.
unsigned tokens(const Fabric& fabric, Cycle next) {
  unsigned count = 0;
  for (RouterId r = 0; r < fabric.topology().router_count(); ++r) {
    const LaneState& lane = fabric.router(r).state().lane();
    count += lane.token + (lane.recovering != kNoVc) + (lane.full && is_tail(lane.flit.kind));
    for (PortId port = 0; port < fabric.topology().port_count(r); ++port) {
      const Channel* const channel = fabric.channel(r, port);
      if (!channel) continue;
      for (Cycle ahead = 0; ahead < fabric.context().hardware.ring; ++ahead) {
        count += channel->arriving(ControlLine::token, next + ahead) != 0;
        count += channel->arrives_on_lane(next + ahead) && is_tail(channel->arriving(next + ahead)->kind);
      }
    }
  }
  return count;
}

class Overloaded {
 public:
  Overloaded(const NetworkSettings& size, const HardwareSettings& hardware, const RoutingSettings& routing,
             const RoutingProperties& properties, const TrafficSettings& load, const std::string& name)
      : properties_(properties),
        network_(make_topology(size)),
        disha_(properties.proof == DeadlockProof::none ? std::make_unique<Disha>(*network_, kTimeout)
                                                       : nullptr),
        bench_(size, hardware, routing, name.c_str(), 7, disha_.get()),
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
    if (t % kLookEvery != 0) return;
    if (disha_) {
      EXPECT_EQ(tokens(bench_.fabric, bench_.fabric.cycles()), 1u) << text_ << ", cycle " << t;
    } else {
      EXPECT_FALSE(watchdog_.look()) << text_;
    }
  }
  std::uint64_t recovered() const { return bench_.fabric.context().lane_counters.messages; }
  bool relies_on_recovery() const { return disha_ != nullptr; }
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
    const ConservationReport conservation = bench_.fabric.check_conservation();
    EXPECT_TRUE(conservation.flits_conserved());
    EXPECT_TRUE(conservation.idle());
    for (const FabricBench::Delivery& d : bench_.deliveries) {
      const std::uint32_t shortest = bench_.topology().distance(d.source, d.destination);
      EXPECT_GE(d.hops, shortest);
      EXPECT_LE(d.hops, shortest + properties_.extra_hops);
    }
  }

 private:
  RoutingProperties properties_;
  std::unique_ptr<Topology> network_;
  std::unique_ptr<Disha> disha_;
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
        if (properties.proof == DeadlockProof::none && !is_grid(*network)) continue;
        if (network->node_count() < kFewestNodes || network->node_count() > kMostNodes) continue;
        const bool recovers = properties.proof == DeadlockProof::none;
        const char* const presets[] = {"iq", "kary-ncube", "sbrp"};
        HardwareSettings hardware = preset(recovers ? presets[all.size() % 3] : "iq");
        RouterSettings& router = hardware.router;
        router.virtual_channels = properties.virtual_channels + all.size() % 3;
        router.vc_reallocation = properties.atomic_vc_reallocation || recovers || all.size() % 2
                                     ? "atomic"
                                     : router.vc_reallocation;
        if (all.size() % 3 == 2 && !recovers) router.switching = "virtual-cut-through";
        if (hardware.router.preset != "sbrp") router.input_buffer = 8;
        if (all.size() % 2) routing.request = "all";
        if (all.size() % 4 < 2) hardware.network_interface.injection_limit = "alo";
        TrafficSettings load;
        load.message_length = 6;
        // Recovery takes one message at a time, so what relies on it saturates early.
        load.load = largest_load(load, *network, 1.0) * (recovers ? 0.3 : 0.95);
        all.push_back(std::make_unique<Overloaded>(size, hardware, routing, properties, load,
                                                   "overloaded" + std::to_string(all.size())));
      }
    }
  if (entry.name == "table") GTEST_SKIP() << "its routes are in a file";
  ASSERT_FALSE(all.empty());
  const auto busy = [&] {
    return std::any_of(all.begin(), all.end(), [](const auto& network) { return network->busy(); });
  };
  Cycle t = 0;
  do {
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    for (const auto& network : all) network->look(t);
  } while (++t < kMostCycles && (t <= kSendingTo || busy()));
  sc_core::sc_start(sc_core::sc_time(64, sc_core::SC_NS));  // the last credits return
  std::uint64_t recovered = 0;
  for (const auto& network : all) {
    network->check();
    recovered += network->recovered();
  }
  const bool recovers =
      std::any_of(all.begin(), all.end(), [](const auto& network) { return network->relies_on_recovery(); });
  EXPECT_EQ(recovered > 0, recovers);
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
