// SPDX-License-Identifier: Apache-2.0
// Probability vectors in a fabric against the analysis, on one set of faults after the other: the vectors
// that the exchange ends with, the next hop and the verdict of every pair, and what becomes of messages.
#pragma once
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <vector>

#include "analysis/probability_vectors/faults.h"
#include "analysis/probability_vectors/route.h"
#include "protocols/probability_vectors/fabric_cases.h"
#include "protocols/probability_vectors/vector_registers.h"
#include "protocols/recovery/registry.h"
#include "protocols/routing/probability_vector_exchange.h"
#include "rtl_tlm/mechanisms/vectors/vector_counters.h"
#include "support/fabric_bench.h"

namespace flitmend::test {

class VectorFabric : private MessageObserver {
 public:
  explicit VectorFabric(const VectorCase& c) : case_(c), cube_(c.k, c.n) {
    settings_.algorithm = "probability-vectors";
    settings_.options = {{"vector_bits", c.bits}};
    settings_.head_wait_cycles = 20;
    const NetworkSettings network = grid_network("torus", std::vector<std::int64_t>(c.n, c.k));
    RecoverySettings recovery;
    recovery.retry_limit = 4;  // abandons unreachable destinations soon
    recovery.backoff_limit = 1;
    recovery_ = std::make_unique<ProbabilityVectorExchange>(
        *make_topology(network), static_cast<unsigned>(c.bits),
        recovery_protocols().at(c.protocol).make(recovery, settings_));
    HardwareSettings hardware = preset("iq");
    hardware.router.virtual_channels = 8;
    hardware.router.vc_reallocation = "atomic";
    bench_ = std::make_unique<FabricBench>(network, hardware, settings_, "fabric", 1, recovery_.get());
    bench_->fabric.add_observer(static_cast<MessageObserver&>(*this));
  }

  /// `sets` sets, from number `first` on.
  void compare(std::uint32_t first, std::uint32_t sets) {
    bench_->run(1);
    for (std::uint32_t set = first; set < first + sets; ++set) {
      SCOPED_TRACE("set " + std::to_string(set));
      RandomStream random(set, RandomPurpose::test);
      const KaryCubeFaults faults = random_faults(cube_, case_.nodes, case_.links, random);
      strike(faults, true);
      settle();
      compare_with_analysis(faults, set);
      if (testing::Test::HasFatalFailure()) return;
      strike(faults, false);
      settle();
      ASSERT_TRUE(bench_->drain(20'000));
    }
    EXPECT_EQ(lost_, 0u);
    const ConservationReport report = bench_->fabric.check_conservation();
    EXPECT_TRUE(report.flits_conserved());
    EXPECT_TRUE(report.idle());
    EXPECT_EQ(bench_->fabric.context().messages.in_use(), 0u);
  }

  std::uint64_t detours = 0, failed = 0, looping = 0;  ///< of all pairs of the analysis
  std::uint64_t sent = 0, undeliverable = 0;

 private:
  using Pair = std::pair<NodeId, NodeId>;

  void strike(const KaryCubeFaults& faults, bool fail) {
    Fabric& fabric = bench_->fabric;
    for (const KaryCubeFaults::Link& link : faults.links) {
      const auto port = static_cast<PortId>(2 * link.dimension);
      fail ? fabric.fail_link(link.node, port) : fabric.repair_link(link.node, port);
    }
    for (const NodeId node : faults.nodes) fail ? fabric.fail_router(node) : fabric.repair_router(node);
  }
  /// Until the exchange of vectors has ended.
  void settle() {
    const VectorCounters& counters = bench_->fabric.context().shared<VectorCounters>();
    // The elements of a round have all arrived in the cycle after it.
    bench_->run(2);
    for (int i = 0; i < 100'000 && counters.exchanging(bench_->fabric.cycles() - 1); ++i) bench_->run(1);
    ASSERT_FALSE(counters.exchanging(bench_->fabric.cycles() - 1));
  }

  void compare_with_analysis(const KaryCubeFaults& faults, std::uint32_t set) {
    const ProbabilityVectorTable table(cube_, PvArithmetic::plain, faults);
    expect_vectors(bench_->fabric, cube_, table);
    if (testing::Test::HasFatalFailure()) return;
    PvRouter router(table, {}, faults.count());
    std::map<Pair, unsigned> expected_hops;
    std::vector<Pair> expected_undeliverable;
    bench_->deliveries.clear();
    undeliverable_.clear();
    // Few messages at a time, so that all find a virtual channel for the hop that the vectors choose.
    const NodeId nodes = cube_.node_count();
    const NodeId shift = 1 + set % (nodes - 1);
    for (NodeId source = 0; source < nodes; ++source)
      for (NodeId destination = 0; destination < nodes; ++destination) {
        if (source == destination || table.faulty(source) || table.faulty(destination)) continue;
        const PvRoute route = router.route(source, destination, nullptr, true);
        compare_way(route, table, source, destination);
        detours +=
            route.status == PvStatus::delivered && route.hops > cube_.lee_distance(source, destination);
        failed += route.status == PvStatus::failed;
        looping += route.status == PvStatus::looping;
        if ((source + shift) % nodes != destination) continue;
        bench_->fabric.network_interface(source).send(destination, 2);
        ++sent;
        if (route.status == PvStatus::delivered)
          expected_hops[{source, destination}] = static_cast<unsigned>(route.hops);
        else
          expected_undeliverable.emplace_back(source, destination);
      }
    ASSERT_TRUE(bench_->drain(200'000));
    std::map<Pair, unsigned> hops;
    for (const FabricBench::Delivery& m : bench_->deliveries)
      EXPECT_TRUE(hops.emplace(Pair(m.source, m.destination), m.hops).second) << "delivered twice";
    ASSERT_EQ(hops, expected_hops);
    std::sort(undeliverable_.begin(), undeliverable_.end());
    ASSERT_EQ(undeliverable_, expected_undeliverable);
    undeliverable += undeliverable_.size();
  }

  /// What a head on an idle network asks for, hop by hop, by the registers of the fabric's routers.
  void compare_way(const PvRoute& expected, const ProbabilityVectorTable& table, NodeId source,
                   NodeId destination) {
    const RoutingFunction& routing = bench_->fabric.context().routing;
    std::vector<RouteCandidate> storage(routing.max_candidates());
    RouteRequest q{source, source, destination, RouteRequest::kInjected, 0, 0, nullptr, nullptr};
    std::vector<KaryCube::Node> way{source};
    while (q.here != destination) {
      CandidateList list(storage.data(), routing.max_candidates());
      routing.route(q, list);
      if (list.empty()) break;
      ASSERT_FALSE(list[0].escape);
      ASSERT_TRUE(list[list.size() - 1].escape);
      const RouterPort far = *bench_->topology().neighbour(q.here, list[0].port);
      q.here = far.router;
      q.arrival_port = far.port;
      q.head_state = list[0].head_state;
      way.push_back(q.here);
    }
    if (expected.status == PvStatus::delivered || way.size() > 1) {
      ASSERT_EQ(way, expected.path) << "from " << source << " to " << destination;
      return;
    }
    // Dropped at the source: the analysis fails there too, or there is no route at all, and it goes in
    // circles before it finds out.
    ASSERT_TRUE((expected.status == PvStatus::failed && expected.path.size() == 1) ||
                !connected(table, source, destination))
        << "from " << source << " to " << destination;
  }

  bool connected(const ProbabilityVectorTable& table, NodeId source, NodeId destination) const {
    std::vector<bool> seen(cube_.node_count());
    std::vector<NodeId> reached{source};
    seen[source] = true;
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (unsigned port = 0; port < cube_.ports(); ++port) {
        const auto next = static_cast<NodeId>(cube_.neighbour(reached[i], port));
        if (!(table.usable_ports(reached[i]) >> port & 1) || seen[next]) continue;
        seen[next] = true;
        reached.push_back(next);
      }
    return seen[destination];
  }

  void message_undeliverable(MessageIndex, const Message& m, Cycle) override {
    undeliverable_.emplace_back(m.source, m.destination);
  }
  void message_lost(MessageIndex, const Message&, Cycle) override { ++lost_; }

  VectorCase case_;
  KaryCube cube_;
  RoutingSettings settings_;
  std::unique_ptr<ProbabilityVectorExchange> recovery_;
  std::unique_ptr<FabricBench> bench_;
  std::vector<Pair> undeliverable_;
  unsigned lost_ = 0;
};

}  // namespace flitmend::test
