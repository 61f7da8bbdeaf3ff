// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <optional>

#include "rtl_tlm/fabric/fabric.h"
#include "rtl_tlm/fabric/recovery_protocol.h"
#include "testbench/configuration/configuration.h"
#include "testbench/faults/fault_injector.h"
#include "testbench/scoreboard/scoreboard.h"
#include "testbench/statistics/results.h"
#include "testbench/statistics/run_statistics.h"
#include "testbench/traffic/classes.h"

namespace flitmend {

class AbandonmentJudge;
class EventLog;
class RecordedFault;

/// The network that a configuration describes, elaborated: its graph, its algorithms and its fabric, the
/// scoreboard and the statistics that watch it, and its faults. What sends and receives is the owner's:
/// generators of traffic, the player of a trace, or the elements of a platform.
class ConfiguredNetwork {
 public:
  struct Use {
    /// Empty: messages are one-way, with network.node_address_bytes for each node.
    std::function<TransactionParameters(const Topology&)> transactions{};
    MeasuredWindow window{};
    /// Requests and replies have virtual channels of their own.
    bool separate_classes = false;
    /// Messages have the classes of traffic.classes.
    bool traffic_classes = false;
    RouterFactory foreign{};  ///< makes routers of your own; empty: all are the network's
  };
  /// The configuration must be complete (settle()) and valid (validate()), and outlive this. Throws
  /// KeyError if its routing algorithm cannot work with routers of your own.
  ConfiguredNetwork(const Configuration&, const Use&);
  ~ConfiguredNetwork();

  const Topology& topology() const { return *topology_; }
  const RoutingFunction& routing() const { return *routing_; }
  const MessageClasses& classes() const { return classes_; }
  Fabric& fabric() { return *fabric_; }
  const Fabric& fabric() const { return *fabric_; }
  RunStatistics& statistics() { return *statistics_; }
  Scoreboard& scoreboard() { return *scoreboard_; }

  /// What fails and when, until add_faults(); none if the configuration has no faults.
  std::optional<FaultPlan>& plan() { return plan_; }
  /// Nodes that are dead from the start; until add_faults().
  std::vector<NodeId> dead_nodes() const;
  /// Adds the injector of the plan, if there is one, and injects its static faults.
  void add_faults();
  /// Null without faults.
  FaultInjector* faults() { return faults_.get(); }

  /// Writes what happens to faulty parts and to the messages that they hit into that log, from the static
  /// faults on. Before the first cycle; the log must outlive the run.
  void record_events(EventLog&);
  /// Follows the first message that a fault hits while waves are recorded; null if there are no faults.
  /// Before the first cycle; what it returns must outlive the run.
  std::unique_ptr<RecordedFault> record_fault();

  /// The run has ended. Once, before fill().
  void finish(bool drained);
  /// The results of fabric, scoreboard, statistics and faults.
  void fill(Results&) const;

 private:
  const Configuration& configuration_;
  std::unique_ptr<Topology> topology_;
  MessageClasses classes_;
  std::unique_ptr<RoutingFunction> routing_;
  std::unique_ptr<SelectionFunction> selection_;
  std::unique_ptr<RecoveryProtocol> recovery_;  ///< null: there are no faults
  std::optional<FaultPlan> plan_;
  std::unique_ptr<RunStatistics> statistics_;
  std::unique_ptr<Scoreboard> scoreboard_;
  std::unique_ptr<Fabric> fabric_;
  std::unique_ptr<AbandonmentJudge> judge_;  ///< null: nothing is sent again
  std::unique_ptr<FaultInjector> faults_;
};

/// The recovery protocol that a run has, or Disha: null without faults, with protocol none and without Disha.
/// With the exchange of probability vectors, where the routing algorithm uses them. The topology must outlive
/// it.
std::unique_ptr<RecoveryProtocol> configured_recovery(const Configuration&, const Topology&);

}  // namespace flitmend
