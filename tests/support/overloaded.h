// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "protocols/deadlock/dependency_graph.h"
#include "protocols/deadlock/disha/disha.h"
#include "protocols/deadlock/watchdog.h"
#include "rtl_tlm/mechanisms/deadlock_lane/deadlock_lane.h"
#include "rtl_tlm/mechanisms/deadlock_lane/lane_counters.h"
#include "support/checked_bindings.h"
#include "support/fabric_bench.h"
#include "support/routing_rules.h"
#include "testbench/elements/traffic_generator.h"
#include "testbench/elements/traffic_sink.h"
#include "testbench/scoreboard/scoreboard.h"
#include "testbench/traffic/synthetic_traffic.h"

namespace flitmend {

/// Which channel leads to which, as far as heads were seen to go, next to what the checker says.
class ObservedDependencies {
 public:
  explicit ObservedDependencies(const Fabric& fabric)
      : fabric_(fabric),
        channels_(fabric.context().routing),
        proved_(dependency_graph(fabric.context().routing, channels_).edges()) {
    for (RouterId r = 0; r < fabric.context().routing.topology().router_count(); ++r)
      last_.emplace_back(fabric.router(r).state().ids(), kNoVc);
  }

  void look() {
    const Topology& t = fabric_.context().routing.topology();
    for (RouterId r = 0; r < t.router_count(); ++r) {
      const RouterState& state = fabric_.router(r).state();
      for (unsigned id = 0; id < state.ids(); ++id) {
        if (state.route_fsm(id) != RouteFsm::routed) continue;
        const unsigned from = state.port_of(id), output = state.input(id).output;
        if (std::exchange(last_[r][id], output) == output) continue;
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
  std::vector<std::vector<unsigned>> last_;  ///< by router and input virtual channel: its last output
  std::set<std::pair<ChannelId, ChannelId>> seen_;
};

/// Tokens of Disha: free, on a wire, held by a head, or under way with its message.
inline unsigned tokens(const Fabric& fabric, Cycle next) {
  unsigned count = 0;
  for (RouterId r = 0; r < fabric.topology().router_count(); ++r) {
    const LaneState& lane = DeadlockLane::registers(fabric.router(r).state());
    count += lane.token + (lane.recovering != kNoVc) + (lane.full && is_tail(lane.flit.kind));
    for (PortId port = 0; port < fabric.topology().port_count(r); ++port) {
      const Channel* const channel = fabric.channel(r, port);
      if (!channel) continue;
      for (Cycle ahead = 0; ahead < fabric.context().hardware.ring; ++ahead) {
        count += channel->arriving(ControlLine::token, next + ahead) != 0;
        count += channel->arrives_beside_vcs(next + ahead) && is_tail(channel->arriving(next + ahead)->kind);
      }
    }
  }
  return count;
}

/// A network with traffic, and everything that watches it. What is not proved free of deadlock gets Disha.
class Overloaded {
 public:
  static constexpr Cycle kLookEvery = 64;   // for deadlock, and for the token
  static constexpr unsigned kTimeout = 32;  // of Disha

  Overloaded(const NetworkSettings& size, const HardwareSettings& hardware, const RoutingSettings& routing,
             const RoutingProperties& properties, const TrafficSettings& load, Cycle sending_to,
             const std::string& name)
      : properties_(properties),
        network_(make_topology(size)),
        disha_(properties.proof == DeadlockProof::none ? std::make_unique<Disha>(*network_, kTimeout)
                                                       : nullptr),
        bench_(size, hardware, routing, name.c_str(), 7, disha_.get()),
        traffic_(load, bench_.topology(), bench_.fabric.context().hardware.injection_limit()),
        schedule_((name + "_schedule").c_str(), bench_.fabric),
        scoreboard_(bench_.topology().node_count(), ScoreboardSettings{}),
        observed_(bench_.fabric),
        watchdog_(bench_.fabric),
        text_(routing.algorithm + " on a " + bench_.topology().description() + ", " +
              hardware.router.switching) {
    bench_.fabric.add_observer(static_cast<MessageObserver&>(scoreboard_));
    if (auto rule = routing_rule(bench_.topology(), routing, hardware.router.virtual_channels))
      rules_.emplace(bench_.fabric, std::move(rule));
    for (NodeId node = 0; node < bench_.topology().node_count(); ++node) {
      generators_.push_back(std::make_unique<TrafficGenerator>(
          (name + "_generator" + std::to_string(node)).c_str(), bench_.fabric, schedule_, payloads_,
          traffic_.source(node, 7), node, 4096, sending_to));
      sinks_.push_back(std::make_unique<TrafficSink>((name + "_sink" + std::to_string(node)).c_str()));
      bindings_.bind(generators_.back()->socket, bench_.fabric.sockets(node).target_socket);
      bindings_.bind(bench_.fabric.sockets(node).initiator_socket, sinks_.back()->socket);
    }
  }

  void look(Cycle t) {
    observed_.look();
    if (rules_) rules_->look();
    if (t % kLookEvery != 0) return;
    if (disha_) {
      EXPECT_EQ(tokens(bench_.fabric, bench_.fabric.cycles()), 1u) << text_ << ", cycle " << t;
    } else {
      EXPECT_FALSE(watchdog_.look()) << text_;
    }
  }
  std::uint64_t recovered() const { return bench_.fabric.context().shared<LaneCounters>().messages; }
  bool relies_on_recovery() const { return disha_ != nullptr; }
  bool busy() const { return bench_.fabric.messages_in_network() > 0; }
  const std::string& text() const { return text_; }
  NodeId nodes() const { return bench_.topology().node_count(); }
  /// Messages created, and messages that have arrived, from a cycle on and before another.
  std::pair<std::uint64_t, std::uint64_t> messages_between(Cycle from, Cycle to) const {
    const auto count = [&](Cycle FabricBench::Delivery::*when) {
      return static_cast<std::uint64_t>(
          std::count_if(bench_.deliveries.begin(), bench_.deliveries.end(),
                        [&](const FabricBench::Delivery& d) { return d.*when >= from && d.*when < to; }));
    };
    return {count(&FabricBench::Delivery::created), count(&FabricBench::Delivery::delivered)};
  }
  void check() {
    SCOPED_TRACE(text_);
    observed_.check();
    if (rules_) {
      EXPECT_EQ(rules_->violations(), 0u) << rules_->first();
      EXPECT_GT(rules_->hops(), 0u);
    }
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
  std::optional<RuleWatch> rules_;  ///< where a rule is written
  DeadlockWatchdog watchdog_;
  std::string text_;
};

/// Names a test after the routing algorithm with that number in the registry.
inline std::string name_of_algorithm(const testing::TestParamInfo<std::size_t>& info) {
  std::string name(routing_algorithms().entries()[info.param].name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace flitmend
