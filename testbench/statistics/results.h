// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rtl_tlm/fabric/control_line_pulses.h"
#include "rtl_tlm/mechanisms/circuits/probe_counters.h"
#include "rtl_tlm/mechanisms/deadlock_lane/lane_counters.h"
#include "rtl_tlm/mechanisms/tail_signals/tail_waits.h"
#include "rtl_tlm/mechanisms/vectors/vector_counters.h"
#include "rtl_tlm/signals/byte_series.h"
#include "rtl_tlm/signals/counters.h"
#include "testbench/statistics/collective_results.h"
#include "testbench/statistics/flow_results.h"
#include "testbench/statistics/hit_results.h"
#include "testbench/statistics/optional_statistic.h"
#include "testbench/statistics/results_visitor.h"
#include "testbench/statistics/task_graph_results.h"

namespace flitmend {

/// A file that a run has read besides its configuration.
struct InputFileResults {
  std::string key;   ///< of the configuration
  std::string path;  ///< absolute
  std::string sha256;
  void visit(ResultsVisitor&) const;
  friend bool operator==(const InputFileResults&, const InputFileResults&) = default;
};

/// The layout of stats.json. Increases whenever a key is removed or changes its name, place or meaning.
inline constexpr std::uint64_t kResultsSchema = 2;

/// How a run ended.
enum class RunOutcome {
  complete,     ///< all phases were simulated
  deadlock,     ///< messages wait for each other forever
  interrupted,  ///< by a signal
  limit,        ///< max_cycles, time_limit_seconds, memory, or in a platform accept_limit and response_limit
  contract,     ///< the model broke its contract
  incomplete,   ///< all that could happen has, but collectives or iterations of a task graph are not complete
};
const char* to_string(RunOutcome);

struct StatusResults {
  RunOutcome outcome = RunOutcome::complete;
  std::string reason;     ///< one sentence, empty where the run is complete
  bool platform = false;  ///< the traffic was that of a platform's elements (NetworkOnChip)
  void visit(ResultsVisitor&) const;
};

struct SimulationResults {
  std::uint64_t cycles = 0;
  std::uint64_t measured_cycles = 0;
  std::optional<std::uint64_t> last_delivery;
  std::uint64_t flit_hops = 0;
  void visit(ResultsVisitor&) const;
};

struct MessageResults {
  std::uint64_t generated = 0;
  std::uint64_t delivered = 0;
  std::uint64_t lost = 0;
  std::uint64_t discarded = 0;  ///< of those lost
  std::uint64_t undeliverable = 0;
  std::uint64_t abandoned = 0;  ///< part of undeliverable
  std::uint64_t voided = 0;
  std::uint64_t in_flight = 0;
  std::uint64_t held_back = 0;
  std::uint64_t duplicated = 0;
  std::uint64_t corrupted = 0;
  std::uint64_t hit = 0;
  std::uint64_t recovered = 0;
  std::uint64_t absorptions = 0;
  void visit(ResultsVisitor&) const;
  friend bool operator==(const MessageResults&, const MessageResults&) = default;
};

/// Faults that struck after the start of the run.
struct FaultResults {
  std::uint64_t nodes = 0;
  std::uint64_t channels = 0;
  void visit(ResultsVisitor&) const;
};

/// Activity of the control lines, by line.
struct ControlLineResults {
  ControlLinePulses pulses{};
  void visit(ResultsVisitor&) const;
};

/// What senders kept, over time.
struct SenderMemoryResults {
  const ByteSeries& series;
  void visit(ResultsVisitor&) const;
};

struct RecoveryResults : RecoveryCounters {
  TailWaits tail_waits;
  std::uint64_t extra_flits = 0;
  std::optional<double> mean_sender_bytes;
  std::optional<double> assumed_mean_sender_bytes;
  ControlLineResults control_lines;
  void visit(ResultsVisitor&) const;
};

/// A virtual channel of the deadlock that ended a run; it waits for the next one of the cycle.
struct WaitingVcResults {
  std::string router;
  std::string port;  ///< the input port; "local": from the network interface
  std::uint64_t vc = 0;
  // Of the message at its front; none: it waits for the rest of a message.
  std::optional<std::uint64_t> message;
  std::string source;
  std::string destination;
  /// "router_3_4.east.vc1"
  std::string name() const;
  void visit(ResultsVisitor&) const;
};

/// Deadlocks and recovery from them.
struct DeadlockResults {
  std::optional<std::uint64_t> deadlocks;
  LaneCounters lane;
  std::optional<std::uint64_t> right_captures;
  std::vector<WaitingVcResults> cycle;  ///< of the deadlock that ended the run
  void visit(ResultsVisitor&) const;
};

struct ManagementResults : ManagementCounters {
  std::uint64_t table_entries = 0;  ///< of all routing tables, at the end
  std::uint64_t table_bits = 0;
  void visit(ResultsVisitor&) const;
};

struct VectorResults : VectorCounters {
  void visit(ResultsVisitor&) const;
};

struct ProbeResults : ProbeCounters {
  void visit(ResultsVisitor&) const;
};

struct TrafficResults {
  std::optional<double> offered;
  std::optional<double> accepted;
  std::optional<double> normalised_accepted;
  void visit(ResultsVisitor&) const;
};

struct HopResults {
  std::optional<double> mean;
  void visit(ResultsVisitor&) const;
};

/// Parallel lists: number of messages for each latency in cycles.
struct HistogramResults {
  std::vector<std::uint64_t> cycles;
  std::vector<std::uint64_t> messages;
  void visit(ResultsVisitor&) const;
};

struct LatencyResults {
  std::uint64_t count = 0;
  std::optional<double> mean;
  std::optional<double> ci95;
  std::string ci95_reason = "there are no messages";  ///< why there is none, if there is none
  std::optional<std::uint64_t> p50;
  std::optional<std::uint64_t> p95;
  std::optional<std::uint64_t> p99;
  std::optional<std::uint64_t> max;
  std::optional<HistogramResults> histogram;
  void visit(ResultsVisitor&) const;
};

struct LatencySection {
  LatencyResults total;
  LatencyResults network;
  LatencyResults corrupted;
  LatencyResults corrupted_unguarded;
  LatencyResults recovery;
  void visit(ResultsVisitor&) const;
};

/// Requests with their replies. Figures of none are undefined.
struct RoundTripResults {
  std::uint64_t requesters = 0;
  std::uint64_t finished = 0;
  std::optional<double> throughput;
  std::optional<double> outstanding;
  std::uint64_t count = 0;
  std::optional<double> mean, request_mean, reply_mean;
  std::optional<double> by_little;
  std::optional<std::uint64_t> p50, p95, p99, max;
  void visit(ResultsVisitor&) const;
};

/// The network's own count of its flits at the end of the run.
struct FlitResults {
  std::uint64_t injected = 0;
  std::uint64_t consumed = 0;
  std::uint64_t discarded = 0;
  std::uint64_t in_network = 0;
  void visit(ResultsVisitor&) const;
};

/// One violation of the contract. Numbers are none if they do not apply.
struct Violation {
  std::string what;
  std::optional<std::uint64_t> message;
  std::optional<std::uint64_t> source;
  std::optional<std::uint64_t> destination;
  std::optional<std::uint64_t> node;
  std::optional<std::uint64_t> cycle;
  void visit(ResultsVisitor&) const;
};

struct ContractResults {
  bool holds = true;
  std::uint64_t violations = 0;
  std::uint64_t credits_missing = 0;
  std::uint64_t virtual_channels_not_idle = 0;
  std::vector<Violation> first;
  void visit(ResultsVisitor&) const;
};

struct HostResults {
  double cpu_seconds = 0;
  std::optional<double> flit_hops_per_second;
  std::uint64_t peak_rss_bytes = 0;
  std::string started;
  std::string finished;
  std::vector<InputFileResults> inputs;  ///< files that the configuration names
  void visit(ResultsVisitor&) const;
};

/// All results of a run.
struct Results {
  StatusResults status;
  SimulationResults simulation;
  MessageResults messages;
  TrafficResults traffic;
  HopResults hops;
  LatencySection latency;
  std::vector<std::shared_ptr<const OptionalStatistic>> optional;  ///< those requested
  FaultResults faults;
  RecoveryResults recovery;
  DeadlockResults deadlock;
  std::optional<ManagementResults> management;   ///< if the routing algorithm needs management
  std::optional<VectorResults> vectors;          ///< if the routers exchange probability vectors
  std::optional<ProbeResults> probes;            ///< if heads go back at busy channels
  std::optional<std::vector<HitResults>> hits;   ///< if requested
  std::optional<RoundTripResults> round_trips;   ///< of closed-loop traffic
  std::optional<TaskGraphResults> task_graph;    ///< of a task graph
  std::optional<CollectiveSection> collectives;  ///< if the run has collectives
  std::optional<FlowSection> flows;              ///< if requested, or a flow has a target
  FlitResults flits;
  ContractResults contract;
  HostResults host;
  void visit(ResultsVisitor&) const;
};

/// Results with everything that a run may leave out, for what lists the keys: every optional statistic, a
/// violation, a histogram.
Results complete_results();

/// stats.json: indented by two spaces, keys in the order of declaration, undefined numbers null, with a final
/// newline. Equal results give equal bytes.
std::string to_json(const Results&);
/// A summary of several lines for the terminal; undefined numbers are "-".
std::string to_text(const Results&);
/// docs/statistics.md: every key of stats.json with its unit and definition.
std::string statistics_reference();

}  // namespace flitmend
