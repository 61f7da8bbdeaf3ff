// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/interfaces/message_observer.h"
#include "testbench/statistics/latency_statistic.h"
#include "testbench/statistics/mean.h"
#include "testbench/statistics/results.h"
#include "testbench/statistics/settings.h"

namespace flitmend {

/// The measured window: cycles begin ≤ c < end. end = kNever: to the end of the run.
struct MeasuredWindow {
  Cycle begin = 0;
  Cycle end = kNever;
  bool contains(Cycle c) const { return begin <= c && c < end; }
};

/// Gathers latency, throughput and hops of a run. Stands behind the Scoreboard, which passes on only first
/// deliveries. Whole numbers throughout, so the order of calls within a cycle cannot matter; allocates only
/// when it is made.
class RunStatistics final : public MessageObserver {
 public:
  RunStatistics(const Topology&, MeasuredWindow);

  void message_created(MessageIndex, const Message&) override;
  void message_delivered(MessageIndex, const Message&, NodeId at, Cycle) override;

  /// From cycle `from` on so many processing elements are not dead for good (at first all); `from` never goes
  /// back.
  void set_processing_elements(NodeId count, Cycle from);
  /// The run ended; `cycles` were simulated. Once, before fill().
  void finish(Cycle cycles);

  /// Sets simulation.cycles and measured_cycles, traffic, hops and latency.
  void fill(Results&, const StatisticsSettings&) const;

 private:
  /// Measured cycles before `cycle`.
  Cycle measured_before(Cycle cycle) const;

  MeasuredWindow window_;
  double capacity_;  // flits a cycle and node
  NodeId processing_elements_;
  Cycle counted_to_ = 0;
  std::uint64_t element_cycles_ = 0;  // of processing elements in the window
  Cycle cycles_ = 0;

  std::uint64_t offered_flits_ = 0;
  std::uint64_t accepted_flits_ = 0;
  Mean hops_;
  LatencyStatistic total_;
  LatencyStatistic network_;
};

}  // namespace flitmend
