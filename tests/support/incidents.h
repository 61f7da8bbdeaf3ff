// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "protocols/recovery/registry.h"
#include "support/fabric_bench.h"

namespace flitmend {

/// What happens to a fabric before a cycle.
struct Action {
  Cycle cycle;
  std::function<void(Fabric&)> act;
};

/// How many messages were sent, and how those ended that were not delivered.
struct Ends {
  unsigned sent = 0, undeliverable = 0, lost = 0, voided = 0;

  void add(const Ends& other) {
    sent += other.sent;
    undeliverable += other.undeliverable;
    lost += other.lost;
    voided += other.voided;
  }
};

/// A fabric, its messages, and what happens to it meanwhile. Each message has one end, and only one that a
/// fault has cut is lost.
class Incident : private MessageObserver {
 public:
  Incident(const NetworkSettings& network, const HardwareSettings& hardware, const RoutingSettings& routing,
           std::unique_ptr<RecoveryProtocol> recovery, std::vector<Action> actions, unsigned number,
           const RouterFactory& foreign = {})
      : actions_(std::move(actions)),
        recovery_(std::move(recovery)),
        bench_(network, hardware, routing, ("fabric" + std::to_string(number)).c_str(), 1, recovery_.get(),
               TransactionParameters::one_way(4096), 1, foreign) {
    bench_.fabric.add_observer(static_cast<MessageObserver&>(*this));
  }

  void step(Cycle t) {
    for (const Action& action : actions_)
      if (action.cycle == t) action.act(bench_.fabric);
    send_messages(t);
  }
  virtual bool quiet() const { return bench_.fabric.quiet(); }
  const Ends& ends() const { return ends_; }
  const NetworkContext& context() const { return bench_.fabric.context(); }
  const Fabric& fabric() const { return bench_.fabric; }
  /// Messages that a fault has cut.
  std::size_t cut() const { return cut_.size(); }
  const std::vector<FabricBench::Delivery>& deliveries() const { return bench_.deliveries; }
  void check(const std::string& text) const {
    SCOPED_TRACE(text);
    EXPECT_TRUE(quiet());
    EXPECT_EQ(lost_uncut_, 0u) << "lost, although no fault has cut them";
    EXPECT_EQ(bench_.deliveries.size() + ends_.undeliverable + ends_.lost + ends_.voided, ends_.sent);
    std::set<std::tuple<NodeId, NodeId, Cycle>> seen;
    for (const FabricBench::Delivery& m : bench_.deliveries)
      EXPECT_TRUE(seen.emplace(m.source, m.destination, m.created).second) << "delivered twice";
    const ConservationReport report = bench_.fabric.check_conservation();
    EXPECT_TRUE(report.flits_conserved());
    EXPECT_TRUE(report.idle());
    EXPECT_EQ(context().messages.in_use(), context().copies_of_delivered);
  }

  /// The settings of a protocol whose requests to a node that nothing reaches end soon.
  static RecoverySettings impatient() {
    RecoverySettings recovery;
    recovery.retry_limit = 4;
    recovery.backoff_limit = 1;
    return recovery;
  }

 protected:
  /// Sends the messages of a cycle, at most one per pair of nodes.
  virtual void send_messages(Cycle) = 0;
  void send(NodeId source, NodeId destination, std::uint32_t length) {
    bench_.fabric.network_interface(source).send(destination, length);
    ++ends_.sent;
  }

 private:
  void message_hit(MessageIndex, const Message& m, Cycle) override { cut_.emplace(m.source, m.id); }
  void message_undeliverable(MessageIndex, const Message&, Cycle) override { ++ends_.undeliverable; }
  void message_lost(MessageIndex, const Message& m, Cycle) override {
    ++ends_.lost;
    lost_uncut_ += !cut_.contains({m.source, m.id});
  }
  void message_void(MessageIndex, const Message&, Cycle) override { ++ends_.voided; }

  std::vector<Action> actions_;
  std::unique_ptr<RecoveryProtocol> recovery_;
  FabricBench bench_;
  Ends ends_;
  std::set<std::pair<NodeId, std::uint32_t>> cut_;  ///< source and id
  unsigned lost_uncut_ = 0;
};

/// Incidents side by side, under the recovery protocol with the parameter's name. `Kind` is an Incident made
/// from (const char* protocol, std::vector<Action>, unsigned number).
template <class Kind>
class Incidents : public testing::TestWithParam<const char*> {
 protected:
  void add(std::vector<Action> actions) {
    const auto number = static_cast<unsigned>(incidents_.size());
    incidents_.push_back(std::make_unique<Kind>(GetParam(), std::move(actions), number));
  }
  /// Runs them until nothing moves, and checks each.
  Ends run() {
    constexpr Cycle kLastAction = 600, kLongest = 100'000;
    for (Cycle t = 0; t < kLastAction; ++t) {
      for (auto& incident : incidents_) incident->step(t);
      cycles(1);
    }
    for (Cycle t = kLastAction; t < kLongest && busy(); t += 50) cycles(50);
    cycles(50);
    Ends sum;
    for (std::size_t i = 0; i < incidents_.size(); ++i) {
      incidents_[i]->check("incident " + std::to_string(i));
      sum.add(incidents_[i]->ends());
    }
    return sum;
  }
  bool repairs() const { return std::string(GetParam()) != "none"; }
  const std::vector<std::unique_ptr<Kind>>& incidents() const { return incidents_; }

 private:
  static void cycles(unsigned count) { sc_core::sc_start(sc_core::sc_time(count, sc_core::SC_NS)); }
  bool busy() const {
    return !std::all_of(incidents_.begin(), incidents_.end(), [](const auto& i) { return i->quiet(); });
  }
  std::vector<std::unique_ptr<Kind>> incidents_;
};

/// The name of a test under a recovery protocol.
inline std::string name_of_protocol(const testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace flitmend
