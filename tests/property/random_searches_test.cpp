// SPDX-License-Identifier: Apache-2.0
// Heads that go back at busy channels and dead ports (router.busy: backtrack) on random small networks with
// random faults. Every node sends to every other one at once, so searches meet each other. Every message
// ends: it arrives exactly if the routing function has a way for it.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "protocols/deadlock/state_graph.h"
#include "protocols/recovery/registry.h"
#include "support/every_nth.h"
#include "support/fabric_bench.h"
#include "support/pick.h"

namespace flitmend {
namespace {

constexpr unsigned kSearchGroups = 20;     // one process each
constexpr unsigned kSearchesAtOnce = 100;  // in one elaboration
constexpr Cycle kSearchLimit = 1000000;

using FromTo = std::pair<NodeId, NodeId>;

struct SearchCase {
  NetworkSettings network;
  HardwareSettings hardware;
  RoutingSettings routing;
  std::string text;
};

std::vector<RoutingSettings> searching_routings(const Topology& topology) {
  std::vector<RoutingSettings> all;
  const auto add = [&](RoutingSettings s) {
    try {
      const RoutingProperties p = routing_properties(topology, s);
      if (p.absorbs || p.vector_wires > 0) return;
      if (!make_routing(topology, p.virtual_channels, s)->needs_management()) all.push_back(std::move(s));
    } catch (const ConfigurationError&) {  // an option that has no meaning there
    }
  };
  for (const RoutingEntry& entry : routing_algorithms().entries()) {
    if (!entry.applies_to(topology)) continue;
    for (RoutingSettings s : entry.examples) {
      s.algorithm = entry.name;
      add(s);
    }
    RoutingSettings s;
    s.algorithm = entry.name;
    add(s);
    for (const std::int64_t misroutes : {1, 2, 3}) {
      if (entry.name == "duato") s.options.set("escape", std::string("terminal"));
      s.options.set("misroutes", misroutes);
      add(s);
    }
  }
  return all;
}

SearchCase draw_search(std::uint32_t index) {
  RandomStream random(99, RandomPurpose::test, index);
  SearchCase c;
  c.network = pick(random, std::vector<NetworkSettings>{
                               mesh_network({5}), mesh_network({2, 2}), mesh_network({3, 2}),
                               mesh_network({3, 3}), mesh_network({2, 2, 2}), hypercube_network(2),
                               hypercube_network(3), grid_network("torus", {4}), grid_network("torus", {5}),
                               grid_network("torus", {3, 3}), kns_network(3, 2)});
  const auto topology = make_topology(c.network);
  const std::vector<RoutingSettings> routings = searching_routings(*topology);
  c.routing = pick(random, routings);
  apply_preset(std::array{"iq", "sbrp", "kary-ncube"}[random.below(3)], c.hardware);
  RouterSettings& router = c.hardware.router;
  router.switching = "pipelined-circuit";
  router.busy = "backtrack";
  router.retry_backoff = 1 + random.below(64);
  router.vc_reallocation = std::array{"on-tail", "atomic"}[random.below(2)];
  router.virtual_channels = routing_properties(*topology, c.routing).virtual_channels + random.below(3);
  if (random.below(2) == 0)
    router.pipeline = {random.below(3), random.below(3), random.below(3), random.below(3), random.below(3)};
  c.hardware.link.latency = 1 + random.below(3);
  c.hardware.link.credit_latency = random.below(20);
  c.text = formatted("combination %1%: %2%, %3% %4%, preset %5%, %6% VCs, %7%, credits %8%", index,
                     topology->description(), c.routing.algorithm,
                     c.routing.options.given().contains("misroutes") ? "with misroutes" : "", router.preset,
                     router.virtual_channels, router.vc_reallocation, c.hardware.link.credit_latency);
  return c;
}

/// By pair of living nodes: whether a message arrives. No entry: with some of its initial states only.
std::map<FromTo, bool> searches_that_arrive(const RoutingFunction& routing, const FaultSet& faults) {
  std::map<FromTo, bool> all;
  const ChannelMap channels(routing);
  StateExplorer explorer(routing, channels, &faults);
  PointOrder order;
  for (NodeId to = 0; to < routing.topology().node_count(); ++to) {
    if (!explorer.alive(to)) continue;
    const StateGraph& g = explorer.explore(to);
    order.find(g);
    std::vector<char> arrives(g.points.size());
    order.until_stable([&](PointId p) {
      const bool before = arrives[p];
      arrives[p] |= g.points[p].consumed && g.at_destination(p);
      for (const StateGraph::Edge& e : g.edges_of(p)) arrives[p] |= arrives[g.states[e.next].point];
      return before != static_cast<bool>(arrives[p]);
    });
    std::map<FromTo, std::array<unsigned, 2>> counts;
    for (const StateId s : g.sources) {
      const PointId p = g.states[s].point;
      ++counts[{g.points[p].here, to}][arrives[p] != 0];
    }
    for (const auto& [pair, count] : counts)
      if (count[0] == 0 || count[1] == 0) all[pair] = count[1] > 0;
  }
  return all;
}

class Search : private MessageObserver {
 public:
  Search(std::uint32_t index, const std::string& name)
      : c_(draw_search(index)),
        none_(recovery_protocols().at("none").make({}, c_.routing)),
        bench_(c_.network, c_.hardware, c_.routing, name.c_str(), 1, none_.get()),
        random_(37, RandomPurpose::test, index) {
    bench_.fabric.add_observer(static_cast<MessageObserver&>(*this));
  }

  void break_parts() {
    const Topology& t = bench_.topology();
    for (unsigned left = random_.below(4); left > 0; --left) {
      const RouterId router = random_.below(t.router_count());
      const PortId port = static_cast<PortId>(random_.below(t.port_count(router)));
      if (random_.below(4) == 0 && router < t.node_count())
        bench_.fabric.fail_router(router, true);
      else if (t.neighbour(router, port))
        bench_.fabric.fail_link(router, port, false, true);
    }
  }
  void send() {
    const NodeId nodes = bench_.topology().node_count();
    const FaultSet& faults = bench_.fabric.context().faults;
    for (NodeId from = 0; from < nodes; ++from)
      for (NodeId to = 0; to < nodes; ++to)
        if (from != to && !faults.router_faulty(from) && !faults.router_faulty(to)) {
          bench_.fabric.network_interface(from).send(to, 1 + random_.below(4));
          ++sent_;
        }
  }
  bool busy() const { return !bench_.fabric.quiet(); }
  void check() {
    SCOPED_TRACE(c_.text);
    const FaultSet& faults = bench_.fabric.context().faults;
    std::string dead;
    for (RouterId r = 0; r < bench_.topology().router_count(); ++r)
      for (PortId p = 0; p < bench_.topology().port_count(r); ++p)
        if (bench_.topology().neighbour(r, p) && faults.blocked(r, p))
          dead += bench_.topology().router_name(r) + "." + bench_.topology().port_name(r, p) + " ";
    SCOPED_TRACE("dead: " + dead);
    EXPECT_FALSE(busy());
    EXPECT_EQ(ended_.size(), sent_);
    const auto routing = make_routing(bench_.topology(), c_.hardware.router.virtual_channels, c_.routing);
    routing->update_faults(faults);
    for (const auto& [pair, arrives] : searches_that_arrive(*routing, faults))
      EXPECT_TRUE(ended_.contains(pair) && ended_[pair] == arrives)
          << "from " << pair.first << " to " << pair.second << ": " << arrives;
    EXPECT_TRUE(busy() || bench_.fabric.check_conservation().idle());
  }

 private:
  void message_delivered(MessageIndex, const Message& m, NodeId at, Cycle) override {
    EXPECT_TRUE(ended_.emplace(FromTo(m.source, at), true).second);
  }
  void message_undeliverable(MessageIndex, const Message& m, Cycle) override {
    EXPECT_TRUE(ended_.emplace(FromTo(m.source, m.destination), false).second);
  }

  SearchCase c_;
  std::unique_ptr<RecoveryProtocol> none_;
  FabricBench bench_;
  RandomStream random_;
  std::size_t sent_ = 0;
  std::map<FromTo, bool> ended_;  ///< whether it has arrived
};

class RandomSearches : public testing::TestWithParam<unsigned> {};

TEST_P(RandomSearches, EndAndFindTheWaysThatThereAre) {
  std::vector<std::unique_ptr<Search>> searches;
  for (unsigned i = 0; i < kSearchesAtOnce; i += test::every_nth(5))
    searches.push_back(
        std::make_unique<Search>(GetParam() * kSearchesAtOnce + i, "fabric" + std::to_string(i)));
  const auto run = [](double cycles) { sc_core::sc_start(sc_core::sc_time(cycles, sc_core::SC_NS)); };
  run(1);
  for (auto& search : searches) search->break_parts();
  run(100);
  for (auto& search : searches) search->send();
  const auto busy = [&] {
    for (const auto& search : searches)
      if (search->busy()) return true;
    return false;
  };
  for (Cycle t = 0; t < kSearchLimit && busy(); t += 1000) run(1000);
  run(100);
  for (auto& search : searches) search->check();
}

INSTANTIATE_TEST_SUITE_P(Group, RandomSearches, testing::Range(0u, kSearchGroups));

}  // namespace
}  // namespace flitmend
