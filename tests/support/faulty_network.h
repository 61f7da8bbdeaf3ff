// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "protocols/deadlock/checker.h"
#include "rtl_tlm/mechanisms/vectors/vector_counters.h"
#include "support/fabric_bench.h"
#include "testbench/configured_network.h"
#include "topologies/fault_set.h"

namespace flitmend {

/// What the states that a message can be in say of the messages of two nodes, apart from deadlock.
struct PairRoutes {
  static constexpr std::uint32_t kUnbounded = ~0u;
  bool can_arrive = false;    ///< some choice of candidates leads to the destination
  bool can_strand = false;    ///< some choice ends without a candidate
  std::uint32_t longest = 0;  ///< hops of the longest path
};

/// By source and destination, with these faults, which the routing function knows.
class RoutesOfPairs {
 public:
  RoutesOfPairs(const RoutingFunction& routing, const FaultSet& faults)
      : nodes_(routing.topology().node_count()), routes_(std::size_t{nodes_} * nodes_) {
    const ChannelMap channels(routing);
    StateExplorer explorer(routing, channels, &faults);
    PointOrder order;
    for (NodeId to = 0; to < nodes_; ++to) {
      if (faults.router_faulty(to)) continue;
      const StateGraph& graph = explorer.explore(to);
      order.find(graph);
      add(graph, order);
    }
  }
  const PairRoutes& operator()(NodeId from, NodeId to) const {
    return routes_[std::size_t{from} * nodes_ + to];
  }

 private:
  void add(const StateGraph& g, const PointOrder& order) {
    std::vector<PairRoutes> from(g.points.size());
    order.until_stable([&](PointId p) {
      PairRoutes now = from[p];
      now.can_arrive |= g.points[p].consumed && g.at_destination(p);
      now.can_strand |= !g.points[p].consumed && g.points[p].edge_count == 0;
      for (const StateGraph::Edge& e : g.edges_of(p)) {
        const PairRoutes& next = from[g.states[e.next].point];
        now.can_arrive |= next.can_arrive;
        now.can_strand |= next.can_strand;
        now.longest = order.returns() ? PairRoutes::kUnbounded
                                      : std::max(now.longest, next.longest + (e.channel != kNoChannel));
      }
      const bool changed = now.can_arrive != from[p].can_arrive || now.can_strand != from[p].can_strand;
      from[p] = now;
      return changed;
    });
    for (const StateId s : g.sources) {  // a node may start in several states
      const PointId p = g.states[s].point;
      const NodeId source = g.points[p].here;
      PairRoutes& pair = routes_[std::size_t{source} * nodes_ + g.destination];
      pair.can_arrive |= from[p].can_arrive;
      pair.can_strand |= from[p].can_strand || !from[p].can_arrive;
      pair.longest = std::max(pair.longest, from[p].longest);
    }
  }

  NodeId nodes_;
  std::vector<PairRoutes> routes_;
};

/// Hops from a node to all others over healthy routers and channels, by breadth-first search; what is not
/// reached has ~0.
inline std::vector<std::uint32_t> healthy_distances(const FaultSet& faults, NodeId from) {
  const Topology& t = faults.topology();
  std::vector<std::uint32_t> distance(t.router_count(), ~0u);
  distance[from] = 0;
  std::vector<RouterId> todo{from};
  for (std::size_t i = 0; i < todo.size(); ++i)
    for (PortId port = 0; port < t.port_count(todo[i]); ++port) {
      if (faults.blocked(todo[i], port) || !t.carries_flits(todo[i], port)) continue;
      const RouterId far = t.neighbour(todo[i], port)->router;
      if (distance[far] != ~0u) continue;
      distance[far] = distance[todo[i]] + 1;
      todo.push_back(far);
    }
  return distance;
}

/// A fabric in which one set of nodes after the other is faulty, and sends a message between every two
/// healthy nodes. Its clock stands while another such fabric runs.
class FaultyNetwork : private MessageObserver {
 public:
  static constexpr std::uint32_t kLength = 4;
  static constexpr Cycle kLongest = 100'000;
  static constexpr std::uint64_t kSeed = 5;

  FaultyNetwork(const NetworkSettings& size, const RoutingSettings& routing, unsigned more_vcs,
                const std::string& name)
      : topology_(make_topology(size)),
        properties_(routing_properties(*topology_, routing)),
        configuration_(configuration(size, routing)),
        recovery_(configured_recovery(configuration_, *topology_)),
        vcs_(properties_.virtual_channels + more_vcs),
        checked_(make_routing(*topology_, vcs_, configuration_.routing)),
        bench_(size, hardware(), configuration_.routing, name.c_str(), kSeed, recovery_.get(),
               TransactionParameters::one_way(4096), 1, {}, &clock_) {
    checked_->set_seed(kSeed);
    bench_.fabric.add_observer(static_cast<MessageObserver&>(*this));
    text_ = routing.algorithm + " on a " + topology_->description();
    for (const auto& [key, value] : routing.options.given())
      text_ += ", " + key + " " +
               (std::holds_alternative<std::string>(value) ? std::get<std::string>(value)
                : std::holds_alternative<bool>(value) ? std::string(std::get<bool>(value) ? "true" : "false")
                                                      : std::to_string(std::get<std::int64_t>(value)));
  }

  const Topology& topology() const { return *topology_; }
  const RoutingProperties& properties() const { return properties_; }
  const std::string& text() const { return text_; }

  /// Sends a message between every two nodes that are healthy with that set. The algorithm's promise is kept:
  /// with no more faulty nodes than it tolerates, all messages between connected nodes in use arrive. With
  /// any set, those arrive for which the checker knows no other end, and those are dropped for which it
  /// knows no route. `detour`: hops that the algorithm's definition adds at most. No set may be smaller than
  /// the one before: where routers do not know all faults, they go by the greatest number that there has
  /// been.
  void try_set(const std::vector<NodeId>& faulty, std::uint32_t detour) {
    if (cycles_ == 0) cycle();
    FaultSet faults(*topology_);
    std::string set = text_ + " without";
    for (const NodeId node : faulty) {
      faults.fail_router(node);
      bench_.fabric.fail_router(node);
      set += ' ' + topology_->router_name(node);
    }
    SCOPED_TRACE(set);
    settle();
    checked_->update_faults(faults);
    const RoutesOfPairs routes(*checked_, faults);
    send_all(faults);
    ASSERT_TRUE(drain()) << "the checker says "
                         << to_string(
                                analyse_deadlock(*checked_, ChannelMap(*checked_), {false, &faults}).verdict);
    check(faults, routes, faulty.size() <= properties_.tolerated_faults, detour);
    if (testing::Test::HasFatalFailure()) return;
    for (const NodeId node : faulty) bench_.fabric.repair_router(node);
    settle();
    ASSERT_TRUE(drain());
    const ConservationReport report = bench_.fabric.check_conservation();
    ASSERT_TRUE(report.flits_conserved());
    // A message that is dropped between two injections is not in the network then.
    if (!properties_.absorbs) {
      ASSERT_EQ(report.flits_discarded, given_up * kLength);
    }
    ASSERT_LE(report.flits_discarded, given_up * kLength);
    ASSERT_TRUE(report.idle());
    ASSERT_EQ(bench_.fabric.context().messages.in_use(), 0u);
    ++sets;
  }

  std::uint64_t sets = 0;
  std::uint64_t sent = 0, delivered = 0;
  std::uint64_t promised = 0;  ///< messages that the algorithm promises to deliver
  std::uint64_t detours = 0;   ///< delivered over more hops than the distance without faults
  std::uint64_t undecided =
      0;  ///< the checker sees them arrive or dropped, depending on the candidates chosen
  std::uint64_t given_up = 0;
  std::uint64_t uncovered = 0;  ///< of these, between connected nodes

 private:
  struct Fate {
    unsigned delivered = 0, undeliverable = 0;
    std::uint32_t hops = 0;
  };

  static Configuration configuration(const NetworkSettings& size, RoutingSettings routing) {
    Configuration c;
    routing.head_wait_cycles = 20;
    c.network = size;
    c.routing = std::move(routing);
    c.recovery.protocol = "none";
    c.faults.node_rate = 1e-3;  // that there are faults; none is drawn here
    return c;
  }
  HardwareParameters hardware() const {
    HardwareSettings settings = preset(topology_->name() == "kns" ? "kns" : "iq");
    settings.router.virtual_channels = vcs_;
    if (properties_.atomic_vc_reallocation) settings.router.vc_reallocation = "atomic";
    HardwareParameters parameters = HardwareParameters::from(settings);
    parameters.hierarchy = Hierarchy::compact;
    return parameters;
  }

  void cycle() {
    for (const bool high : {true, false}) {
      clock_.write(high);
      sc_core::sc_start(sc_core::sc_time(500, sc_core::SC_PS));
    }
    ++cycles_;
  }
  /// Until routers have exchanged their probability vectors, and sources have new tables.
  void settle() {
    cycle(), cycle();
    const auto settling = [&] {
      const NetworkContext& context = bench_.fabric.context();
      return context.sources_stopped ||
             context.shared<VectorCounters>().exchanging(bench_.fabric.cycles() - 1);
    };
    for (Cycle t = 0; t < kLongest && settling(); ++t) cycle();
    ASSERT_FALSE(settling());
  }
  bool drain() {
    for (Cycle t = 0; t < kLongest && !bench_.fabric.quiet(); ++t) cycle();
    for (Cycle t = 0; t < 4 * bench_.fabric.context().hardware.ring; ++t) cycle();  // the last credits return
    return bench_.fabric.quiet();
  }
  /// Every source begins with another destination, so that they do not all meet at one.
  void send_all(const FaultSet& faults) {
    const NodeId nodes = topology_->node_count();
    bench_.deliveries.clear();
    fates_.assign(std::size_t{nodes} * nodes, {});
    lost_ = 0;
    for (NodeId from = 0; from < nodes; ++from)
      for (NodeId i = 1; i < nodes; ++i) {
        const NodeId to = (from + i) % nodes;
        if (faults.router_faulty(from) || faults.router_faulty(to)) continue;
        bench_.fabric.network_interface(from).send(to, kLength);
        ++sent;
      }
  }
  void check(const FaultSet& faults, const RoutesOfPairs& routes, bool tolerated, std::uint32_t detour) {
    const NodeId nodes = topology_->node_count();
    for (const FabricBench::Delivery& d : bench_.deliveries) {
      Fate& fate = fates_[std::size_t{d.source} * nodes + d.destination];
      ++fate.delivered;
      fate.hops = d.hops;
    }
    ASSERT_EQ(lost_, 0u);
    const std::vector<bool> disabled =
        properties_.disabled ? properties_.disabled(faults) : std::vector<bool>(nodes);
    for (NodeId from = 0; from < nodes; ++from) {
      if (faults.router_faulty(from)) continue;
      const std::vector<std::uint32_t> shortest = healthy_distances(faults, from);
      for (NodeId to = 0; to < nodes; ++to) {
        if (from == to || faults.router_faulty(to)) continue;
        const Fate& fate = fates_[std::size_t{from} * nodes + to];
        const PairRoutes& known = routes(from, to);
        SCOPED_TRACE(topology_->router_name(from) + " to " + topology_->router_name(to));
        ASSERT_EQ(fate.delivered + fate.undeliverable, 1u);
        const bool connected = shortest[to] != ~0u;
        const bool covered = tolerated && connected && !disabled[from] && !disabled[to];
        promised += covered;
        undecided += known.can_arrive && known.can_strand;
        if (covered || (known.can_arrive && !known.can_strand)) {
          ASSERT_EQ(fate.delivered, 1u) << (covered ? "a promise" : "the checker knows no other end");
        }
        if (!known.can_arrive || !connected || disabled[from] || disabled[to]) {
          ASSERT_EQ(fate.delivered, 0u);
        }
        if (fate.delivered == 0) {
          ++given_up;
          uncovered += connected;
          continue;
        }
        ++delivered;
        const std::uint32_t distance = topology_->distance(from, to);
        detours += fate.hops > distance;
        ASSERT_GE(fate.hops, shortest[to]);
        ASSERT_LE(fate.hops, known.longest);
        if (detour != PairRoutes::kUnbounded) {
          ASSERT_LE(fate.hops, distance + detour);
        }
      }
    }
  }

  void message_undeliverable(MessageIndex, const Message& m, Cycle) override {
    ++fates_[std::size_t{m.source} * topology_->node_count() + m.destination].undeliverable;
  }
  void message_lost(MessageIndex, const Message&, Cycle) override { ++lost_; }

  std::unique_ptr<Topology> topology_;
  RoutingProperties properties_;
  Configuration configuration_;
  std::unique_ptr<RecoveryProtocol> recovery_;
  unsigned vcs_;
  std::unique_ptr<RoutingFunction> checked_;
  sc_core::sc_signal<bool> clock_;
  FabricBench bench_;
  std::string text_;
  std::vector<Fate> fates_;  ///< by source and destination
  unsigned lost_ = 0;
  Cycle cycles_ = 0;
};

}  // namespace flitmend
