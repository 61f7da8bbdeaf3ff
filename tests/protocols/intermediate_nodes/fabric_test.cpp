// SPDX-License-Identifier: Apache-2.0
// The algorithm in a fabric against the analysis: who arrives, over how many channels, and the flits that
// each channel has carried.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "protocols/recovery/registry.h"
#include "protocols/routing/intermediate_nodes/chooser.h"
#include "support/fabric_bench.h"
#include "support/kns_fault_sets.h"

namespace flitmend {
namespace {

constexpr std::uint32_t kLength = 4;
constexpr std::uint64_t kSeed = 9;

struct FabricCase {
  std::uint32_t k, n;
  unsigned faults, intermediates;
  const char* policy;
  const char* segments;
  std::uint32_t sets;
};

class KnsFabric : public testing::TestWithParam<FabricCase>, private MessageObserver {
 protected:
  KnsFabric() {
    const FabricCase& c = GetParam();
    settings_.algorithm = "intermediate-nodes";
    settings_.options = {{"intermediates", c.intermediates},
                         {"intermediate_policy", c.policy},
                         {"segments", c.segments},
                         {"recomputation_cycles", 7}};
    settings_.head_wait_cycles = 20;
    recovery_ = recovery_protocols().at("none").make({}, settings_);
    HardwareSettings hardware = preset("kns");
    const NetworkSettings network = kns_network(c.k, c.n);
    hardware.router.virtual_channels =
        routing_properties(*make_topology(network), settings_).virtual_channels;
    bench_ = std::make_unique<FabricBench>(network, hardware, settings_, "fabric", kSeed, recovery_.get());
    bench_->fabric.add_observer(static_cast<MessageObserver&>(*this));
  }

  /// Until the tables are new.
  void manage() {
    for (int i = 0; i < 1000 && bench_->fabric.context().sources_stopped; ++i) bench_->run(1);
    ASSERT_FALSE(bench_->fabric.context().sources_stopped);
  }
  using Pair = std::pair<NodeId, NodeId>;
  /// By router and port.
  std::map<Pair, std::uint64_t> flits_sent() {
    std::map<Pair, std::uint64_t> flits;
    for (RouterId r = 0; r < bench_->topology().router_count(); ++r)
      for (PortId p = 0; p < bench_->topology().port_count(r); ++p)
        flits[{r, p}] = bench_->fabric.router(r).output(p).flits_sent();
    return flits;
  }
  /// Adds a message on its Hybrid-DOR path to the flits of the channels.
  void add_segment(std::map<Pair, std::uint64_t>& flits, NodeId from, NodeId to) const {
    const Topology& t = bench_->topology();
    for (unsigned i = 0; i < t.dimensions(); ++i) {
      if (t.coordinate(from, i) == t.coordinate(to, i)) continue;
      const RouterPort at_switch = *t.neighbour(from, static_cast<PortId>(i));
      flits[{from, i}] += kLength;
      flits[{at_switch.router, t.coordinate(to, i)}] += kLength;
      from = t.neighbour(at_switch.router, static_cast<PortId>(t.coordinate(to, i)))->router;
    }
  }

  RoutingSettings settings_;
  std::unique_ptr<RecoveryProtocol> recovery_;
  std::unique_ptr<FabricBench> bench_;
  std::vector<Pair> undeliverable_;
  unsigned lost_ = 0;

 private:
  void message_undeliverable(MessageIndex, const Message& m, Cycle) override {
    undeliverable_.emplace_back(m.source, m.destination);
  }
  void message_lost(MessageIndex, const Message&, Cycle) override { ++lost_; }
};

TEST_P(KnsFabric, AgreesWithTheAnalysisPairByPair) {
  const FabricCase& c = GetParam();
  const KnsShape shape(c.k, c.n);
  const bool deterministic = std::string(c.segments) == "deterministic";
  Fabric& fabric = bench_->fabric;
  bench_->run(1);
  std::uint64_t detours = 0, cut_off = 0;
  for (std::uint32_t set = 0; set < c.sets; ++set) {
    const std::vector<KnsLink> links = test::random_links(shape, c.faults, set);
    for (const KnsLink& link : links) fabric.fail_link(link.node, static_cast<PortId>(link.dimension));
    manage();
    const KnsFaults dead(shape, links);
    const IntermediateChooser chooser(
        dead, {c.intermediates, intermediate_policy(c.policy), IntermediateTies::random, kSeed});

    std::map<Pair, std::uint64_t> expected_flits = flits_sent();
    std::map<Pair, unsigned> expected_hops;
    std::vector<Pair> expected_undeliverable;
    bench_->deliveries.clear();
    undeliverable_.clear();
    for (NodeId s = 0; s < shape.node_count(); ++s)
      for (NodeId d = 0; d < shape.node_count(); ++d) {
        if (s == d) continue;
        fabric.network_interface(s).send(d, kLength);
        const IntermediateChain chain = chooser.choose(s, d);
        if (!chain.reachable) {
          expected_undeliverable.emplace_back(s, d);
          continue;
        }
        expected_hops[{s, d}] = 2u * chain.hops;
        detours += chain.count > 0;
        NodeId at = s;
        for (const NodeId next : chain.intermediates()) {
          add_segment(expected_flits, at, next);
          at = next;
        }
        add_segment(expected_flits, at, d);
      }
    ASSERT_TRUE(bench_->drain(100'000)) << "set " << set;

    std::map<Pair, unsigned> hops;
    for (const FabricBench::Delivery& m : bench_->deliveries)
      EXPECT_TRUE(hops.emplace(Pair(m.source, m.destination), m.hops).second) << "delivered twice";
    ASSERT_EQ(hops, expected_hops) << "set " << set;
    std::sort(undeliverable_.begin(), undeliverable_.end());
    ASSERT_EQ(undeliverable_, expected_undeliverable) << "set " << set;
    if (deterministic) {
      ASSERT_EQ(flits_sent(), expected_flits) << "set " << set;
    }
    cut_off += undeliverable_.size();

    for (const KnsLink& link : links) fabric.repair_link(link.node, static_cast<PortId>(link.dimension));
    manage();
    ASSERT_TRUE(bench_->drain(1000));
  }
  EXPECT_EQ(lost_, 0u);
  EXPECT_GT(detours, 10u * c.sets);
  EXPECT_GT(cut_off, c.sets / 10);
  const ConservationReport report = fabric.check_conservation();
  EXPECT_TRUE(report.flits_conserved());
  EXPECT_TRUE(report.idle());
  EXPECT_EQ(fabric.context().messages.in_use(), 0u);
  EXPECT_EQ(fabric.context().management_counters.steps, 2 * c.sets);
}

const std::vector<FabricCase> kFabricCases = {{3, 2, 4, 2, "minimal-first", "deterministic", 500},
                                              {4, 2, 7, 1, "fewest", "deterministic", 400},
                                              {2, 4, 12, 2, "minimal-first", "deterministic", 120},
                                              {3, 3, 18, 2, "minimal-first", "deterministic", 90},
                                              {3, 2, 4, 2, "minimal-first", "adaptive", 100}};

INSTANTIATE_TEST_SUITE_P(Networks, KnsFabric, testing::ValuesIn(kFabricCases), [](const auto& c) {
  return "KNS_" + std::to_string(c.param.k) + "_" + std::to_string(c.param.n) + "_" +
         std::to_string(c.param.faults) + "_faults_" + c.param.segments;
});

TEST(KnsFabricCases, HaveAThousandDifferentSetsOfFaults) {
  std::set<std::vector<std::uint32_t>> different;
  for (const FabricCase& c : kFabricCases)
    for (std::uint32_t set = 0; set < c.sets; ++set) {
      std::vector<std::uint32_t> links;
      for (const KnsLink& link : test::random_links(KnsShape(c.k, c.n), c.faults, set))
        links.push_back(link.node * c.n + link.dimension);
      std::sort(links.begin(), links.end());
      links.insert(links.end(), {c.k, c.n});
      different.insert(links);
    }
  EXPECT_GE(different.size(), 1000u);
}

}  // namespace
}  // namespace flitmend
