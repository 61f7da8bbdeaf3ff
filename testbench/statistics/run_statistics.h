// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "rtl_tlm/fabric/fabric.h"
#include "rtl_tlm/interfaces/message_observer.h"
#include "testbench/statistics/histogram.h"
#include "testbench/statistics/mean_interval.h"
#include "testbench/statistics/optional_statistic.h"
#include "testbench/statistics/results.h"
#include "testbench/statistics/settings.h"

namespace flitmend {

/// Latencies in cycles: mean with its confidence interval, percentiles, maximum. Allocates only when it is
/// made, and the order of observations does not matter.
class LatencyStatistic {
 public:
  /// A message created `created` cycles into the measured window took `latency` cycles.
  void add(Cycle created, std::uint64_t latency) {
    mean_.add(latency);
    histogram_.add(latency);
    batches_.add(created, latency);
  }
  LatencyResults results(bool with_histogram) const;

 private:
  Mean mean_;
  Histogram histogram_;
  BatchMeans batches_;
};

/// Collects latency, throughput and hops of a run, and the optional statistics that are requested. It
/// receives its calls from the Scoreboard, which forwards only first deliveries. All sums are whole numbers,
/// so the order of calls within a cycle does not matter. Allocates only when constructed.
class RunStatistics final : public MessageObserver {
 public:
  /// flit_bits: as for capacity_flits, of which traffic.normalised_accepted is a share.
  RunStatistics(const Topology&, MeasuredWindow, StatisticsSettings = {}, unsigned flit_bits = 0);

  /// Lets the optional statistics look at every cycle. Once, before the first one; the fabric does not
  /// outlive this while it runs.
  void observe_cycles(Fabric&);

  void message_created(MessageIndex, const Message&) override;
  void message_held_back(const Message&) override;
  void message_hit(MessageIndex, const Message&, Cycle) override;
  void message_delivered(MessageIndex, const Message&, NodeId at, Cycle) override;

  /// From cycle `from` on, this many processing elements are not permanently faulty (initially all); `from`
  /// never decreases.
  void set_processing_elements(NodeId count, Cycle from);
  /// The run ended after `cycles` cycles. Call once, before fill().
  void finish(Cycle cycles);

  /// The measured window ends with the present cycle at the latest (window_ends), and the optional statistics
  /// learn of it, see there. Each once. finish_optional: after finish(), before fill().
  void window_begins(const Fabric&);
  void window_ends(const Fabric&);
  void finish_optional(const Fabric&);

  /// Flits of the messages delivered, all phases.
  std::uint64_t delivered_flits() const { return delivered_flits_; }

  /// Sets simulation.cycles and measured_cycles, traffic, hops, latency and the optional statistics.
  void fill(Results&) const;

 private:
  /// Measured cycles before `cycle`.
  Cycle measured_before(Cycle cycle) const;

  MeasuredWindow window_;
  StatisticsSettings settings_;
  double capacity_;  // flits per node per cycle
  NodeId processing_elements_;
  Cycle counted_to_ = 0;
  std::uint64_t element_cycles_ = 0;  // cycles times processing elements in the window
  Cycle cycles_ = 0;
  std::optional<Cycle> last_delivery_;

  std::uint64_t offered_flits_ = 0;
  std::uint64_t accepted_flits_ = 0;
  std::uint64_t delivered_flits_ = 0;
  Mean hops_;
  LatencyStatistic total_;
  LatencyStatistic network_;
  LatencyStatistic corrupted_;  ///< of messages that a fault hit
  LatencyStatistic unguarded_;  ///< of those that no guard had to send again
  LatencyStatistic recovery_;   ///< from the fault to the delivery
  std::vector<Cycle> hit_at_;   ///< by descriptor; grows only when a fault hits a message
  std::vector<std::shared_ptr<OptionalStatistic>> optional_;
};

/// Sets simulation.flit_hops, flits and the fabric's part of the contract, from the counters of its routers
/// at the end of the run.
void fill_from_fabric(const Fabric&, Results&);

/// Sets management, if the routing algorithm needs it.
void fill_from_management(const Fabric&, Results&);

/// Sets vectors, if the routers exchange probability vectors.
void fill_from_vectors(const Fabric&, Results&);
/// Sets probes, if heads go back at busy channels.
void fill_from_probes(const Fabric&, Results&);

/// Sets recovery. After fill_from_fabric. `delivered_flits`: of the messages delivered.
void fill_from_recovery(const Fabric&, std::uint64_t delivered_flits, Results&);

}  // namespace flitmend
