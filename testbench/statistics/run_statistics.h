// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/interfaces/message_observer.h"
#include "testbench/statistics/latency_statistic.h"
#include "testbench/statistics/mean.h"
#include "testbench/statistics/results.h"
#include "testbench/statistics/settings.h"

namespace flitmend {

/// The measured window: cycles begin ≤ c < end. end = kNever: until the end of the run.
struct MeasuredWindow {
  Cycle begin = 0;
  Cycle end = kNever;
  bool contains(Cycle c) const { return begin <= c && c < end; }
};

/// Collects latency, throughput and hops of a run. It receives its calls from the Scoreboard, which forwards
/// only first deliveries. All sums are whole numbers, so the order of calls within a cycle does not matter.
/// Allocates only when constructed.
class RunStatistics final : public MessageObserver {
 public:
  RunStatistics(const Topology&, MeasuredWindow);

  void message_created(MessageIndex, const Message&) override;
  void message_delivered(MessageIndex, const Message&, NodeId at, Cycle) override;

  /// From cycle `from` on, this many processing elements are not permanently faulty (initially all); `from`
  /// never decreases.
  void set_processing_elements(NodeId count, Cycle from);
  /// The run ended after `cycles` cycles. Call once, before fill().
  void finish(Cycle cycles);

  /// Sets simulation.cycles and measured_cycles, traffic, hops and latency.
  void fill(Results&, const StatisticsSettings&) const;

 private:
  /// Measured cycles before `cycle`.
  Cycle measured_before(Cycle cycle) const;

  MeasuredWindow window_;
  double capacity_;  // flits per node per cycle
  NodeId processing_elements_;
  Cycle counted_to_ = 0;
  std::uint64_t element_cycles_ = 0;  // cycles times processing elements in the window
  Cycle cycles_ = 0;

  std::uint64_t offered_flits_ = 0;
  std::uint64_t accepted_flits_ = 0;
  Mean hops_;
  LatencyStatistic total_;
  LatencyStatistic network_;
};

}  // namespace flitmend
