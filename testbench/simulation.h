// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "testbench/configuration/configuration.h"
#include "testbench/configured_network.h"
#include "testbench/faults/fault_injector.h"
#include "testbench/gated_clock.h"
#include "testbench/progress.h"
#include "testbench/progress_limit.h"
#include "testbench/run_end.h"
#include "testbench/statistics/results.h"
#include "testbench/workloads/workload.h"

namespace flitmend {

class DeadlockCounter;
class DeadlockWatchdog;
class FlowStatistic;
class HitLedger;
class MemoryReserve;
class TrafficSink;

/// The cycles around a deadlock that ended a run.
struct DeadlockTime {
  Cycle since = 0;  ///< it is not older
  Cycle found = 0;
};

/// What a run tells its caller.
struct Outcome {
  ExitStatus status = ExitStatus::done;
  std::string why;  ///< if status is not done: the reason in the results, and what helps to mend it
  bool drained = false;
  std::optional<DeadlockTime> deadlock;  ///< with status deadlock
  Results results;
};

/// One simulation as a configuration describes it: a fabric, a traffic generator and a sink per node (or the
/// player of a trace), scoreboard and statistics. Only one per process, like the SystemC kernel.
class Simulation : private FaultObserver {
 public:
  /// Elaborates everything. The configuration must be complete (settle()) and valid (validate()), and
  /// outlive this.
  explicit Simulation(const Configuration&);
  ~Simulation() override;

  Fabric& fabric() { return network_.fabric(); }
  const Fabric& fabric() const { return network_.fabric(); }
  const Topology& topology() const { return network_.topology(); }
  /// The files that it has read besides the configuration.
  const std::vector<InputFileResults>& inputs() const { return inputs_; }
  Cycle cycles() const { return fabric().cycles(); }
  const sc_core::sc_time& clock_period() const { return clock_.period(); }

  /// For what records the run (ConfiguredNetwork::record_events, record_fault). Before run().
  ConfiguredNetwork& network() { return network_; }
  const Workload& workload() const { return *workload_; }

  /// Runs warm-up, measured window and drain (a trace: to its last packet), unless `stop` is set, a limit is
  /// reached or the contract is broken. Call once.
  Outcome run(ProgressSink* progress, const std::atomic<bool>& stop);

 private:
  /// Why the run must end early; complete if it may continue.
  StatusResults ending(const std::atomic<bool>& stop) const;
  enum class Until { cycle, workload_done, empty };
  /// Advances in steps to `cycle`, or until the workload is done, or until no message is under way either.
  /// After each step, checks for a reason to end. False if there was one.
  bool advance(Cycle cycle, Until, ProgressSink*, const std::atomic<bool>& stop);
  /// Messages that elements saw fail, beyond those that the network counts as undeliverable or lost.
  std::uint64_t unexplained_failures(const Results&) const;
  void look_for_deadlock();
  void look_for_progress();
  /// Whether a deadlock that is there now can only end with the run.
  bool deadlock_is_final(bool draining) const;
  void elaborate_faults();
  void elaborate_flows();
  void part_failed(const FaultyPart&, bool permanent, Cycle) override;
  /// Nodes that are not permanently dead.
  NodeId living_nodes() const;
  /// Exit status and message for the status of the results.
  void tell_end(Outcome&) const;
  /// Messages that were created and that no source queue has taken. Those that a generator or the player of a
  /// trace still has are unknown to the fabric: only the scoreboard and its observers are told.
  void tell_held_back();
  Results results(bool drained, const class HostClock&);

  const Configuration& configuration_;
  std::vector<InputFileResults> inputs_;
  GatedClock clock_;
  PayloadPool payloads_;
  const WorkloadEntry& workload_kind_;
  MeasuredWindow window_;
  ConfiguredNetwork network_;
  ProgressLimit progress_limit_;
  Cycle expected_end_ = 0;
  std::unique_ptr<HitLedger> hits_;
  std::unique_ptr<Workload> workload_;
  std::unique_ptr<FlowStatistic> flows_;
  std::vector<std::unique_ptr<TrafficSink>> sinks_;
  double deadline_seconds_ = 0;             ///< on the steady clock; 0: none
  std::unique_ptr<MemoryReserve> reserve_;  ///< lets a run that is out of memory end with its results
  StatusResults ending_;
  std::unique_ptr<DeadlockCounter> counter_;    ///< with deadlock.watchdog: count
  std::unique_ptr<DeadlockWatchdog> watchdog_;  ///< created for its first check
  Cycle last_look_ = 0;                         ///< of the watchdog
  unsigned blocked_looks_ = 0;  ///< checks in a row that found a deadlock, perhaps one that a repair ends
  std::string deadlock_;        ///< what it found: the reason in the results
  DeadlockTime deadlock_time_;
  std::string deadlock_text_;  ///< which virtual channel waits for which, a line each
  std::vector<WaitingVcResults> deadlock_cycle_;
};

}  // namespace flitmend
