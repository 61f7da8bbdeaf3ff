// SPDX-License-Identifier: Apache-2.0
// Faults that are discovered during the run: messages are delivered once, or somebody says that they are not.
#include <gtest/gtest.h>

#include <functional>

#include "protocols/recovery/registry.h"
#include "support/fabric_bench.h"

namespace flitmend {
namespace {

constexpr NodeId kSource = 0;       // (0, 0)
constexpr NodeId kDestination = 5;  // (1, 1)
constexpr NodeId kCorner = 4;       // (0, 1): the intermediate node if the source cannot cross dimension 0
constexpr Cycle kRecomputation = 50;
constexpr Cycle kLastAction = 600;
constexpr Cycle kLongest = 100'000;

/// What happens to a fabric before a cycle.
struct Action {
  Cycle cycle;
  std::function<void(Fabric&)> act;
};

Action link_fails(Cycle cycle, NodeId node, unsigned dimension) {
  return {cycle, [=](Fabric& f) { f.fail_link(node, static_cast<PortId>(dimension)); }};
}
Action node_dies(Cycle cycle, NodeId node) {
  return {cycle, [=](Fabric& f) { f.fail_router(node, true); }};
}

/// KNS(4, 2), messages in both directions between two nodes and among others, and its faults.
class Incident : private MessageObserver {
 public:
  Incident(const char* protocol, std::vector<Action> actions, unsigned number)
      : actions_(std::move(actions)) {
    RoutingSettings routing;
    routing.algorithm = "intermediate-nodes";
    routing.options = {{"recomputation_cycles", std::int64_t{kRecomputation}}};
    RecoverySettings recovery;
    recovery.retry_limit = 4;  // requests to a node that nothing reaches end soon
    recovery.backoff_limit = 1;
    recovery_ = recovery_protocols().at(protocol).make(recovery, routing);
    bench_ = std::make_unique<FabricBench>(kns_network(4, 2), preset("kns"), routing,
                                           ("fabric" + std::to_string(number)).c_str(), 1, recovery_.get());
    bench_->fabric.add_observer(static_cast<MessageObserver&>(*this));
  }

  void step(Cycle t) {
    for (const Action& action : actions_)
      if (action.cycle == t) action.act(bench_->fabric);
    if (t % 10 == 0 && t < 200)
      for (const auto& [from, to] : {std::pair{kSource, kDestination}, {kDestination, kSource}, {10u, 15u}}) {
        bench_->fabric.network_interface(from).send(to, 16);
        ++sent;
      }
  }
  bool quiet() const { return bench_->fabric.quiet() && !bench_->fabric.context().sources_stopped; }
  const ManagementCounters& management() const { return bench_->fabric.context().management_counters; }
  void check(const std::string& text) {
    SCOPED_TRACE(text);
    EXPECT_TRUE(quiet());
    EXPECT_EQ(bench_->deliveries.size() + undeliverable + lost + voided, sent);
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
  std::unique_ptr<RecoveryProtocol> recovery_;
  std::unique_ptr<FabricBench> bench_;
};

struct Totals {
  unsigned sent = 0, undeliverable = 0, lost = 0, voided = 0;
  ManagementCounters management{};
};

class KnsManagement : public testing::TestWithParam<const char*> {
 protected:
  void add(std::vector<Action> actions) {
    const auto number = static_cast<unsigned>(incidents_.size());
    incidents_.push_back(std::make_unique<Incident>(GetParam(), std::move(actions), number));
  }
  /// Every message has one end.
  Totals run() {
    for (Cycle t = 0; t < kLastAction; ++t) {
      for (auto& incident : incidents_) incident->step(t);
      cycles(1);
    }
    for (Cycle t = kLastAction; t < kLongest && busy(); t += 50) cycles(50);
    cycles(50);
    Totals sum;
    for (std::size_t i = 0; i < incidents_.size(); ++i) {
      Incident& incident = *incidents_[i];
      incident.check("incident " + std::to_string(i));
      sum.sent += incident.sent;
      sum.undeliverable += incident.undeliverable;
      sum.lost += incident.lost;
      sum.voided += incident.voided;
      sum.management.steps += incident.management().steps;
      sum.management.restarts += incident.management().restarts;
      sum.management.drain_cycles += incident.management().drain_cycles;
      sum.management.recomputation_cycles += incident.management().recomputation_cycles;
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
  std::vector<std::unique_ptr<Incident>> incidents_;
};

}  // namespace

// From the start the source cannot cross dimension 0 and goes over the corner. Then the corner dies, and it
// goes over another node of its column.
TEST_P(KnsManagement, SurvivesTheDeathOfTheIntermediateNode) {
  for (Cycle cycle = 20; cycle < 180; cycle += 4) add({link_fails(0, kSource, 0), node_dies(cycle, kCorner)});
  const Totals sum = run();
  EXPECT_EQ(sum.management.steps, incidents());
  EXPECT_EQ(sum.management.recomputation_cycles, incidents() * kRecomputation);
  EXPECT_GT(sum.management.drain_cycles, 10 * incidents());
  EXPECT_EQ(sum.voided, 0u);
  if (repairs()) {
    EXPECT_EQ(sum.lost + sum.undeliverable, 0u);
  } else {
    EXPECT_GT(sum.lost, 0u);
    EXPECT_LT(sum.lost + sum.undeliverable, sum.sent / 5);
  }
}

// The second fault comes in every phase of the management step after the first one.
TEST_P(KnsManagement, BeginsAnewIfAFaultComesDuringTheRecomputation) {
  for (Cycle later = 1; later < 420; later += 9)
    add({link_fails(50, kSource, 0), link_fails(50 + later, kCorner, 0)});
  const Totals sum = run();
  EXPECT_GT(sum.management.restarts, 5u);
  EXPECT_LT(sum.management.restarts, incidents());
  EXPECT_EQ(sum.management.steps + sum.management.restarts, 2 * incidents());
  if (repairs()) {
    EXPECT_EQ(sum.lost + sum.undeliverable, 0u);
  } else {
    EXPECT_LT(sum.lost + sum.undeliverable, sum.sent / 5);
  }
}

// The source loses its last link: nothing reaches it, and nothing that it sends arrives.
TEST_P(KnsManagement, SaysWhatCannotBeDeliveredWhenTheOnlyPathFails) {
  for (Cycle cycle = 20; cycle < 180; cycle += 4)
    add({link_fails(0, kSource, 0), link_fails(cycle, kSource, 1)});
  const Totals sum = run();
  EXPECT_EQ(sum.management.steps, incidents());
  EXPECT_GT(sum.undeliverable, 10 * incidents());
  if (repairs()) {
    EXPECT_EQ(sum.lost, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Protocols, KnsManagement, testing::Values("none", "sbrp-2", "end-to-end"),
                         [](const auto& c) {
                           std::string name = c.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace flitmend
