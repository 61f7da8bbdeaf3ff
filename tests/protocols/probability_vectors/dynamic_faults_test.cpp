// SPDX-License-Identifier: Apache-2.0
// Faults and repairs that strike while vectors are exchanged and traffic flows: messages are delivered once,
// or somebody says that they are not.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "protocols/recovery/registry.h"
#include "protocols/routing/probability_vector_exchange.h"
#include "support/fabric_bench.h"

namespace flitmend {
namespace {

constexpr std::int64_t kRadix = 4;
constexpr NodeId kNodes = 16;
constexpr Cycle kFirstFault = 100;  // after the exchange at the start
constexpr Cycle kLastSend = 210;
constexpr Cycle kLastAction = 600;
constexpr Cycle kLongest = 100'000;
// An exchange takes 5 rounds of 16 cycles.
constexpr std::int64_t kBits = 4;
constexpr Cycle kExchange = 5 * 16;
#ifdef __SANITIZE_ADDRESS__
constexpr Cycle kStride = 23;
#else
constexpr Cycle kStride = 8;
#endif

struct Action {
  Cycle cycle;
  std::function<void(Fabric&)> act;
};

/// A 4-ary 2-cube with a message per node and 10 cycles, and its faults.
class VectorIncident : private MessageObserver {
 public:
  VectorIncident(const char* protocol, std::vector<Action> actions, unsigned number)
      : actions_(std::move(actions)) {
    RoutingSettings routing;
    routing.algorithm = "probability-vectors";
    routing.options = {{"vector_bits", kBits}};
    RecoverySettings recovery;
    recovery.retry_limit = 4;  // requests to a node that nothing reaches end soon
    recovery.backoff_limit = 1;
    const NetworkSettings network = grid_network("torus", {kRadix, kRadix});
    recovery_ = std::make_unique<ProbabilityVectorExchange>(
        *make_topology(network), static_cast<unsigned>(kBits),
        recovery_protocols().at(protocol).make(recovery, routing));
    HardwareSettings hardware = preset("iq");
    hardware.router.vc_reallocation = "atomic";
    bench_ = std::make_unique<FabricBench>(network, hardware, routing,
                                           ("fabric" + std::to_string(number)).c_str(), 1, recovery_.get());
    bench_->fabric.add_observer(static_cast<MessageObserver&>(*this));
  }

  void step(Cycle t) {
    for (const Action& action : actions_)
      if (action.cycle == t) action.act(bench_->fabric);
    if (t > kLastSend) return;
    for (NodeId source = t % 10; source < kNodes; source += 10) {
      const auto destination = static_cast<NodeId>((source + 1 + t * 7 % (kNodes - 1)) % kNodes);
      bench_->fabric.network_interface(source).send(destination, 8);
      ++sent;
    }
  }
  bool quiet() const { return bench_->fabric.quiet(); }
  const VectorCounters& counters() const { return bench_->fabric.context().vector_counters; }
  std::size_t delivered() const { return bench_->deliveries.size(); }
  void check(const std::string& text) {
    SCOPED_TRACE(text);
    EXPECT_TRUE(quiet());
    EXPECT_EQ(delivered() + undeliverable + lost + voided, sent);
    std::set<std::tuple<NodeId, NodeId, Cycle>> seen;
    for (const FabricBench::Delivery& m : bench_->deliveries)
      EXPECT_TRUE(seen.emplace(m.source, m.destination, m.created).second) << "delivered twice";
    const ConservationReport report = bench_->fabric.check_conservation();
    EXPECT_TRUE(report.flits_conserved());
    EXPECT_TRUE(report.idle());
    EXPECT_EQ(bench_->fabric.context().messages.in_use(), 0u);
  }

  unsigned sent = 0, undeliverable = 0, lost = 0, voided = 0;

 private:
  void message_undeliverable(MessageIndex, const Message&, Cycle) override { ++undeliverable; }
  void message_lost(MessageIndex, const Message&, Cycle) override { ++lost; }
  void message_void(MessageIndex, const Message&, Cycle) override { ++voided; }

  std::vector<Action> actions_;
  std::unique_ptr<ProbabilityVectorExchange> recovery_;
  std::unique_ptr<FabricBench> bench_;
};

struct VectorTotals {
  unsigned sent = 0, undeliverable = 0, lost = 0, voided = 0;
  std::uint64_t exchanges = 0, longest = 0;
};

class VectorsUnderFaults : public testing::TestWithParam<const char*> {
 protected:
  void add(std::vector<Action> actions) {
    const auto number = static_cast<unsigned>(incidents_.size());
    incidents_.push_back(std::make_unique<VectorIncident>(GetParam(), std::move(actions), number));
  }
  /// Every message has one end.
  VectorTotals run() {
    for (Cycle t = 0; t < kLastAction; ++t) {
      for (auto& incident : incidents_) incident->step(t);
      cycles(1);
    }
    for (Cycle t = kLastAction; t < kLongest && busy(); t += 50) cycles(50);
    cycles(50);
    VectorTotals sum;
    for (std::size_t i = 0; i < incidents_.size(); ++i) {
      VectorIncident& incident = *incidents_[i];
      incident.check("incident " + std::to_string(i));
      sum.sent += incident.sent;
      sum.undeliverable += incident.undeliverable;
      sum.lost += incident.lost;
      sum.voided += incident.voided;
      sum.exchanges += incident.counters().exchanges;
      sum.longest = std::max(sum.longest, incident.counters().longest);
    }
    return sum;
  }
  bool repairs() const { return std::string(GetParam()) != "none"; }
  std::size_t incidents() const { return incidents_.size(); }

 private:
  static void cycles(unsigned count) { sc_core::sc_start(sc_core::sc_time(count, sc_core::SC_NS)); }
  bool busy() const {
    return !std::all_of(incidents_.begin(), incidents_.end(), [](const auto& i) { return i->quiet(); });
  }
  std::vector<std::unique_ptr<VectorIncident>> incidents_;
};

}  // namespace

// The second fault comes in every phase of the exchange after the first one.
TEST_P(VectorsUnderFaults, LoseNoMessageSilentlyIfALinkFailsDuringAnExchange) {
  for (Cycle later = 1; later < kExchange; later += kStride)
    add({{kFirstFault, [](Fabric& f) { f.fail_link(5, 0); }},
         {kFirstFault + later, [](Fabric& f) { f.fail_link(5, 2); }}});
  const VectorTotals sum = run();
  // One at the start, and one for both faults: the second comes before the first one's exchange has ended.
  EXPECT_EQ(sum.exchanges, 2 * incidents());
  EXPECT_GT(sum.longest, kExchange);
  EXPECT_LE(sum.longest, 2 * kExchange + 16);
  EXPECT_EQ(sum.voided, 0u);
  if (repairs()) {
    EXPECT_EQ(sum.lost, 0u);
    EXPECT_EQ(sum.undeliverable, 0u);
  } else {
    EXPECT_GT(sum.lost, 0u);
    EXPECT_LT(sum.lost + sum.undeliverable, sum.sent / 10);
  }
}

TEST_P(VectorsUnderFaults, LoseNoMessageSilentlyIfANodeDiesDuringAnExchange) {
  for (Cycle later = 1; later < kExchange; later += kStride)
    add({{kFirstFault, [](Fabric& f) { f.fail_router(5, true); }},
         {kFirstFault + later, [](Fabric& f) { f.fail_router(10, true); }}});
  const VectorTotals sum = run();
  EXPECT_EQ(sum.exchanges, 2 * incidents());
  EXPECT_GT(sum.voided, 0u);
  EXPECT_GT(sum.undeliverable, 0u) << "those to the dead nodes";
  if (repairs()) {
    EXPECT_EQ(sum.lost, 0u);
  }
}

// A repaired router knows nothing, and its neighbours nothing of it.
TEST_P(VectorsUnderFaults, LoseNoMessageSilentlyIfARouterIsRepairedDuringAnExchange) {
  for (Cycle later = 1; later < kExchange; later += kStride)
    add({{kFirstFault, [](Fabric& f) { f.fail_router(5); }},
         {kFirstFault + later, [](Fabric& f) { f.repair_router(5); }},
         {kFirstFault + later + 3, [](Fabric& f) { f.fail_link(6, 0); }}});
  const VectorTotals sum = run();
  if (repairs()) {
    EXPECT_EQ(sum.lost, 0u);
    EXPECT_EQ(sum.undeliverable, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Protocols, VectorsUnderFaults, testing::Values("none", "sbrp-1", "end-to-end"),
                         [](const auto& c) {
                           std::string name = c.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace flitmend
