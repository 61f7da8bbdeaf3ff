// SPDX-License-Identifier: Apache-2.0
// Fat trees and RUFTs in a fabric: every pair of nodes, without faults and with every single fault inside.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "protocols/recovery/registry.h"
#include "protocols/routing/intermediate_nodes/chooser.h"
#include "support/fabric_bench.h"
#include "support/subnetwork_cases.h"

namespace flitmend {
namespace {

using test::inside_parts;
using test::InsidePart;
using test::kFatTree;
using test::kRuft;
using test::SubnetworkCase;

constexpr std::uint32_t kLength = 4;
constexpr std::uint64_t kSeed = 9;

struct FabricCase {
  SubnetworkCase network;
  const char* algorithm;
  const char* preset = "kns";
};

void PrintTo(const FabricCase& c, std::ostream* out) {
  *out << c.network.kns().description() << ", " << c.algorithm << ", " << c.preset;
}

class SubnetworkFabric : public testing::TestWithParam<FabricCase>, private MessageObserver {
 protected:
  using Pair = std::pair<NodeId, NodeId>;

  SubnetworkFabric() {
    const FabricCase& c = GetParam();
    settings_.algorithm = c.algorithm;
    settings_.head_wait_cycles = 20;
    if (through_nodes()) settings_.options = {{"intermediates", 2}, {"recomputation_cycles", 7}};
    recovery_ = recovery_protocols().at("none").make({}, settings_);
    HardwareSettings hardware = preset(c.preset);
    hardware.router.virtual_channels = 3;
    bench_ = std::make_unique<FabricBench>(c.network.settings(), hardware, settings_, "fabric", kSeed,
                                           recovery_.get());
    bench_->fabric.add_observer(static_cast<MessageObserver&>(*this));
  }

  bool through_nodes() const { return std::string(GetParam().algorithm) == "intermediate-nodes"; }
  const Topology& topology() const { return bench_->topology(); }
  /// Until the tables are new.
  void manage() {
    for (int i = 0; i < 1000 && bench_->fabric.context().sources_stopped; ++i) bench_->run(1);
    ASSERT_FALSE(bench_->fabric.context().sources_stopped);
  }
  /// A message between every two nodes at once.
  void send_all() {
    bench_->deliveries.clear();
    undeliverable_.clear();
    for (NodeId a = 0; a < topology().node_count(); ++a)
      for (NodeId b = 0; b < topology().node_count(); ++b)
        if (a != b) bench_->fabric.network_interface(a).send(b, kLength);
    ASSERT_TRUE(bench_->drain(200'000));
    std::sort(undeliverable_.begin(), undeliverable_.end());
  }
  std::map<Pair, unsigned> hops() const {
    std::map<Pair, unsigned> hops;
    for (const FabricBench::Delivery& m : bench_->deliveries)
      EXPECT_TRUE(hops.emplace(Pair(m.source, m.destination), m.hops).second) << "delivered twice";
    return hops;
  }
  void expect_empty() {
    const ConservationReport report = bench_->fabric.check_conservation();
    EXPECT_TRUE(report.flits_conserved());
    EXPECT_TRUE(report.idle());
    EXPECT_EQ(bench_->fabric.context().messages.in_use(), 0u);
    EXPECT_EQ(lost_, 0u);
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

using FaultFreeFabric = SubnetworkFabric;
using FabricWithFaultInside = SubnetworkFabric;

}  // namespace

TEST_P(FaultFreeFabric, DeliversEveryPair) {
  send_all();
  const Topology& t = topology();
  std::map<Pair, unsigned> expected;
  for (NodeId a = 0; a < t.node_count(); ++a)
    for (NodeId b = 0; b < t.node_count(); ++b)
      if (a != b) expected[{a, b}] = t.distance(a, b);
  EXPECT_EQ(hops(), expected);
  EXPECT_TRUE(undeliverable_.empty());
  for (RouterId at = 0; at < t.router_count(); ++at)
    for (PortId p = 0; p < t.port_count(at); ++p)
      EXPECT_EQ(bench_->fabric.router(at).output(p).flits_sent() > 0, t.carries_flits(at, p))
          << t.router_name(at) << '.' << t.port_name(at, p);
  expect_empty();
}

INSTANTIATE_TEST_SUITE_P(Sizes, FaultFreeFabric,
                         testing::Values(FabricCase{{4, 1, kFatTree, 2}, "hybrid-dor"},
                                         FabricCase{{4, 3, kFatTree, 2}, "hybrid-dor", "iq"},
                                         FabricCase{{8, 2, kFatTree, 2}, "hybrid-dor"},
                                         FabricCase{{27, 1, kFatTree, 3}, "hybrid-dor", "iq"},
                                         FabricCase{{64, 1, kFatTree, 4}, "hybrid-dor", "iq"},
                                         FabricCase{{8, 2, kFatTree, 2}, "intermediate-nodes"},
                                         FabricCase{{4, 1, kRuft, 2}, "hybrid-dor"},
                                         FabricCase{{4, 3, kRuft, 2}, "hybrid-dor", "iq"},
                                         FabricCase{{8, 2, kRuft, 2}, "hybrid-dor"},
                                         FabricCase{{27, 1, kRuft, 3}, "hybrid-dor", "iq"},
                                         FabricCase{{64, 1, kRuft, 4}, "hybrid-dor", "iq"},
                                         FabricCase{{8, 2, kRuft, 2}, "intermediate-nodes"}));

// Hybrid-DOR delivers to every pair that any path joins. Through intermediate nodes every other pair is
// reached too, where the analysis finds a chain.
TEST_P(FabricWithFaultInside, DeliversEveryPairThatIsLeft) {
  Fabric& fabric = bench_->fabric;
  const Topology& t = topology();
  const Kns kns = GetParam().network.kns();
  bench_->run(1);
  std::uint64_t cut = 0, detours = 0;
  for (const InsidePart& part : inside_parts(t)) {
    FaultSet faults(t);
    if (part.port == InsidePart::kWhole) {
      faults.fail_router(part.router);
      fabric.fail_router(part.router);
    } else {
      faults.fail_link(part.router, part.port);
      fabric.fail_link(part.router, part.port);
    }
    manage();
    bench_->run(2);  // the fault status bits arrive
    send_all();
    std::vector<Pair> expected_undeliverable;
    const auto hops = this->hops();
    const KnsFaults dead = kns_faults_of(kns, faults);
    const IntermediateChooser chooser(
        dead, {2, intermediate_policy("minimal-first"), IntermediateTies::random, kSeed});
    for (NodeId a = 0; a < t.node_count(); ++a)
      for (NodeId b = 0; b < t.node_count(); ++b) {
        if (a == b) continue;
        const bool expected =
            through_nodes() ? chooser.choose(a, b).reachable : test::joined_in_order(t, faults, a, b);
        if (!expected) {
          expected_undeliverable.emplace_back(a, b);
          continue;
        }
        ASSERT_TRUE(hops.contains({a, b})) << part.name(t) << ": " << a << " to " << b;
        detours += hops.at({a, b}) > t.distance(a, b);
      }
    ASSERT_EQ(undeliverable_, expected_undeliverable) << part.name(t);
    cut += undeliverable_.size();
    part.port == InsidePart::kWhole ? fabric.repair_router(part.router)
                                    : fabric.repair_link(part.router, part.port);
    manage();
    bench_->run(2);
  }
  if (through_nodes()) {
    EXPECT_EQ(cut, 0u);
    EXPECT_GT(detours, 0u);
  } else {
    EXPECT_GT(cut, 0u);
    EXPECT_EQ(detours, 0u);
  }
  bench_->run(4 * fabric.context().hardware.ring);  // credits of the repaired channels arrive
  expect_empty();
}

INSTANTIATE_TEST_SUITE_P(EverySingleFault, FabricWithFaultInside,
                         testing::Values(FabricCase{{4, 1, kFatTree, 2}, "hybrid-dor"},
                                         FabricCase{{16, 1, kFatTree, 2}, "hybrid-dor", "iq"},
                                         FabricCase{{27, 1, kFatTree, 3}, "hybrid-dor"},
                                         FabricCase{{4, 2, kFatTree, 2}, "hybrid-dor"},
                                         FabricCase{{4, 2, kFatTree, 2}, "intermediate-nodes"},
                                         FabricCase{{4, 1, kRuft, 2}, "hybrid-dor"},
                                         FabricCase{{16, 1, kRuft, 2}, "hybrid-dor", "iq"},
                                         FabricCase{{27, 1, kRuft, 3}, "hybrid-dor"},
                                         FabricCase{{4, 2, kRuft, 2}, "hybrid-dor"},
                                         FabricCase{{4, 2, kRuft, 2}, "intermediate-nodes"}));

}  // namespace flitmend
