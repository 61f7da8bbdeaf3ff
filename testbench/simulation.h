// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <memory>
#include <systemc>
#include <vector>

#include "rtl_tlm/fabric/fabric.h"
#include "testbench/configuration/configuration.h"
#include "testbench/exit_status.h"
#include "testbench/progress.h"
#include "testbench/scoreboard/scoreboard.h"
#include "testbench/statistics/results.h"
#include "testbench/statistics/run_statistics.h"

namespace flitmend {

class DeadlockWatchdog;
class NetracePlayer;
class NetraceReplay;
class SyntheticTraffic;
class GeneratorSchedule;
class TrafficGenerator;
class TrafficSink;

/// How a run ended.
struct Outcome {
  ExitStatus status = ExitStatus::done;
  std::string why;  ///< where status is not done: one sentence
  bool drained = false;
  Results results;
};

/// One simulation as a configuration describes it: a fabric, a traffic generator and a sink a node (or the
/// player of a trace), scoreboard and statistics. One a process, as the SystemC kernel.
class Simulation {
 public:
  /// Elaborates everything. The configuration is settled and outlives this. Throws ConfigurationError.
  explicit Simulation(const Configuration&);
  ~Simulation();

  Fabric& fabric() { return *fabric_; }
  const Topology& topology() const { return *topology_; }
  Cycle cycles() const { return fabric_->cycles(); }
  const sc_core::sc_time& clock_period() const { return clock_->period(); }

  /// Runs warm-up, measurement and drain (a trace: to its last packet) unless `stop` is set, a limit is
  /// reached or the contract breaks. Once.
  Outcome run(ProgressSink* progress, const std::atomic<bool>& stop);

 private:
  /// Why the run ends early; empty while it may go on.
  std::string interruption(const std::atomic<bool>& stop) const;
  /// Advances to `cycle` (or, with until_empty, to the first moment without a message) in steps that look for
  /// an interruption. False when one came.
  bool advance(Cycle cycle, bool until_empty, ProgressSink*, const std::atomic<bool>& stop);
  bool traffic_finished() const;
  /// Messages that elements saw fail beyond those that the network counts as undeliverable, lost or void.
  std::uint64_t unexplained_failures(const Results&) const;
  void look_for_deadlock();
  /// Reads the whole trace once, so that what is wrong with it is said before anything runs.
  void open_trace(const HardwareParameters&);
  void elaborate_synthetic();
  void elaborate_trace();
  Results results(bool drained, const class HostClock&);
  void snapshot_channels(std::vector<std::uint64_t>& flits) const;

  const Configuration& configuration_;
  std::unique_ptr<Topology> topology_;
  std::unique_ptr<RoutingFunction> routing_;
  std::unique_ptr<SelectionFunction> selection_;
  MeasuredWindow window_;
  Cycle expected_end_ = 0;
  std::unique_ptr<sc_core::sc_clock> clock_;
  std::unique_ptr<RunStatistics> statistics_;
  std::unique_ptr<Scoreboard> scoreboard_;
  std::unique_ptr<PayloadPool> payloads_;
  std::unique_ptr<Fabric> fabric_;
  std::unique_ptr<SyntheticTraffic> synthetic_;
  std::unique_ptr<GeneratorSchedule> schedule_;
  std::vector<std::unique_ptr<TrafficGenerator>> generators_;
  std::unique_ptr<NetraceReplay> replay_;
  std::unique_ptr<NetracePlayer> player_;
  std::vector<std::unique_ptr<TrafficSink>> sinks_;
  std::vector<std::uint64_t> flits_before_;  ///< by channel: before the measured window
  std::vector<std::uint64_t> flits_after_;
  double deadline_seconds_ = 0;  ///< of the steady clock, 0: none
  std::string interruption_;
  std::unique_ptr<DeadlockWatchdog> watchdog_;  ///< made for its first look
  std::string deadlock_;                        ///< what it found
};

}  // namespace flitmend
