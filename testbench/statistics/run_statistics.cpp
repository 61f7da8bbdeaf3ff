// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/run_statistics.h"

#include <algorithm>
#include <bit>

#include "rtl_tlm/fabric/control_line_pulses.h"
#include "rtl_tlm/fabric/fabric.h"
#include "rtl_tlm/mechanisms/deadlock_lane/lane_counters.h"
#include "rtl_tlm/mechanisms/tail_signals/injector_shadows.h"
#include "rtl_tlm/mechanisms/tail_signals/tail_signals.h"
#include "rtl_tlm/mechanisms/vectors/vector_counters.h"
#include "testbench/statistics/optional_statistic.h"
#include "topologies/capacity.h"

namespace flitmend {

LatencyResults LatencyStatistic::results(bool with_histogram) const {
  LatencyResults r;
  r.count = mean_.count();
  r.mean = mean_.mean();
  const MeanInterval interval = batches_.interval();
  r.ci95 = interval.half_width;
  r.ci95_reason = interval.reason;
  r.p50 = histogram_.percentile(50);
  r.p95 = histogram_.percentile(95);
  r.p99 = histogram_.percentile(99);
  r.max = histogram_.max();
  if (with_histogram) {
    r.histogram.emplace();
    histogram_.for_each([&](std::uint64_t value, std::uint64_t count) {
      r.histogram->cycles.push_back(value);
      r.histogram->messages.push_back(count);
    });
  }
  return r;
}

RunStatistics::RunStatistics(const Topology& topology, MeasuredWindow window, StatisticsSettings settings,
                             unsigned flit_bits)
    : window_(window),
      settings_(std::move(settings)),
      capacity_(capacity_flits(topology, flit_bits)),
      processing_elements_(topology.node_count()) {
  for (const StatisticEntry& entry : optional_statistics().entries())
    if (settings_.requests(entry.name))
      optional_.push_back(entry.make({topology, window, settings_.number(entry.name)}));
}

void RunStatistics::observe_cycles(Fabric& fabric) {
  for (const auto& statistic : optional_)
    if (CycleObserver* const observer = statistic->cycle_observer(fabric)) fabric.add_observer(*observer);
}

void RunStatistics::message_created(MessageIndex, const Message& message) {
  if (window_.contains(message.created)) offered_flits_ += message.length;
  for (const auto& statistic : optional_) statistic->message_created(message);
}

void RunStatistics::message_held_back(const Message& message) {
  message_created(kNoMessage, message);
}

void RunStatistics::message_hit(MessageIndex index, const Message&, Cycle now) {
  if (index >= hit_at_.size()) hit_at_.resize(std::bit_ceil(std::size_t{index} + 1));
  hit_at_[index] = now;
}

void RunStatistics::message_delivered(MessageIndex index, const Message& message, NodeId, Cycle now) {
  for (const auto& statistic : optional_) statistic->message_delivered(message, now);
  delivered_flits_ += message.length;
  last_delivery_ = std::max(last_delivery_.value_or(0), now);
  if (window_.contains(now)) accepted_flits_ += message.length;
  if (!window_.contains(message.created)) return;
  const Cycle position = message.created - window_.begin;
  total_.add(position, now - message.created);
  network_.add(position, now - message.injected);
  if (message.hit) corrupted_.add(position, now - message.created);
  if (message.hit) recovery_.add(position, now - hit_at_[index]);
  if (message.hit && !message.guarded) unguarded_.add(position, now - message.created);
  hops_.add(message.hops);
}

Cycle RunStatistics::measured_before(Cycle cycle) const {
  const Cycle end = std::min(cycle, window_.end);
  return end > window_.begin ? end - window_.begin : 0;
}

void RunStatistics::set_processing_elements(NodeId count, Cycle from) {
  element_cycles_ += (measured_before(from) - measured_before(counted_to_)) * processing_elements_;
  counted_to_ = from;
  processing_elements_ = count;
  for (const auto& statistic : optional_) statistic->processing_elements(count, from);
}

void RunStatistics::finish(Cycle cycles) {
  set_processing_elements(processing_elements_, cycles);
  cycles_ = cycles;
}

void RunStatistics::window_begins(const Fabric& fabric) {
  for (const auto& statistic : optional_) statistic->window_begins(fabric);
}
void RunStatistics::window_ends(const Fabric& fabric) {
  window_.end = std::min(window_.end, fabric.cycles());
  for (const auto& statistic : optional_) statistic->window_ends(fabric);
}
void RunStatistics::finish_optional(const Fabric& fabric) {
  for (const auto& statistic : optional_) statistic->finish(fabric, measured_before(cycles_));
}

void RunStatistics::fill(Results& results) const {
  results.simulation.cycles = cycles_;
  results.simulation.measured_cycles = measured_before(cycles_);
  results.simulation.last_delivery = last_delivery_;
  results.traffic = {};
  if (element_cycles_ != 0) {
    const auto per_element = [&](std::uint64_t flits) {
      return static_cast<double>(flits) / static_cast<double>(element_cycles_);
    };
    results.traffic.offered = per_element(offered_flits_);
    results.traffic.accepted = per_element(accepted_flits_);
    if (capacity_ > 0) results.traffic.normalised_accepted = *results.traffic.accepted / capacity_;
  }
  results.hops.mean = hops_.mean();
  results.latency.total = total_.results(settings_.histogram);
  results.latency.network = network_.results(false);
  results.latency.corrupted = corrupted_.results(false);
  results.latency.recovery = recovery_.results(false);
  results.latency.corrupted_unguarded = unguarded_.results(false);
  results.optional.assign(optional_.begin(), optional_.end());
}

namespace {

TailWaits tail_waits(const Fabric& fabric) {
  TailWaits sum;
  if (!TailSignals::built(fabric.router(0).state().layout())) return sum;
  for (RouterId r = 0; r < fabric.topology().router_count(); ++r) {
    const RouterState& state = fabric.router(r).state();
    for (unsigned w = 0; w < state.layout().vc_words; ++w) {
      sum.tails += TailSignals::gates_of(state, w).waits;
      sum.cycles += TailSignals::gates_of(state, w).cycles;
    }
  }
  for (NodeId node = 0; node < fabric.node_count(); ++node) {
    const TailWaits& waits = fabric.network_interface(node).injector.mechanism<InjectorShadows>().waits();
    sum.tails += waits.tails;
    sum.cycles += waits.cycles;
  }
  return sum;
}

}  // namespace

void fill_from_fabric(const Fabric& fabric, Results& results) {
  results.simulation.flit_hops = fabric.flit_hops();
  results.deadlock.lane = fabric.context().shared<LaneCounters>();
  results.messages.absorptions = fabric.context().absorptions;
  const ConservationReport report = fabric.check_conservation();
  results.flits.injected = report.flits_injected;
  results.flits.consumed = report.flits_consumed;
  results.flits.discarded = report.flits_discarded;
  results.flits.in_network = report.flits_in_network;
  results.contract.credits_missing = report.credits_missing;
  results.contract.virtual_channels_not_idle = report.busy_vcs;
}

void fill_from_management(const Fabric& fabric, Results& results) {
  const RoutingFunction& routing = fabric.context().routing;
  // Without faults there is nothing to say, unless interfaces have tables.
  if (!routing.needs_management() ||
      (!fabric.context().hardware.recovery_units && !routing.names_intermediates()))
    return;
  ManagementResults& management = results.management.emplace();
  static_cast<ManagementCounters&>(management) = fabric.context().management_counters;
  const RouteTableSize tables = routing.table_size();
  management.table_entries = tables.entries;
  management.table_bits = tables.bits;
}

void fill_from_vectors(const Fabric& fabric, Results& results) {
  if (fabric.context().hardware.vector_elements == 0) return;
  static_cast<VectorCounters&>(results.vectors.emplace()) = fabric.context().shared<VectorCounters>();
}

void fill_from_probes(const Fabric& fabric, Results& results) {
  if (!fabric.context().hardware.router.heads_go_back()) return;
  static_cast<ProbeCounters&>(results.probes.emplace()) = fabric.context().shared<ProbeCounters>();
}

void fill_from_recovery(const Fabric& fabric, std::uint64_t delivered_flits, Results& results) {
  RecoveryResults& r = results.recovery;
  static_cast<RecoveryCounters&>(r) = fabric.context().recovery_counters;
  r.control_flits += control_flits(fabric);
  r.tail_waits = tail_waits(fabric);
  r.control_lines.pulses = control_line_pulses(fabric);
  const std::uint64_t gone = results.flits.injected - results.flits.in_network;
  r.extra_flits = gone > delivered_flits ? gone - delivered_flits : 0;
  const auto mean = [&](ByteSeries& bytes) -> std::optional<double> {
    bytes.advance(fabric.cycles());
    if (fabric.cycles() == 0) return std::nullopt;
    return static_cast<double>(bytes.sum()) / static_cast<double>(fabric.cycles() * fabric.node_count());
  };
  r.mean_sender_bytes = mean(r.kept_bytes);
  r.assumed_mean_sender_bytes = mean(r.assumed_kept_bytes);
}

}  // namespace flitmend
