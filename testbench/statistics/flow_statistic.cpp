// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/flow_statistic.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/text.h"

namespace flitmend {

void FlowStatistic::create(std::uint32_t flow, const Message& message) {
  if (!window_.contains(message.created)) return;
  ++counts_[flow].messages;
  counts_[flow].offered_flits += message.length;
}

void FlowStatistic::message_created(MessageIndex index, const Message& message) {
  if (index >= flow_of_.size())
    for (auto* const by_descriptor : {&flow_of_, &bytes_of_})
      by_descriptor->resize(std::bit_ceil(std::size_t{index} + 1));
  flow_of_[index] = flow_sent_(message.source);
  bytes_of_[index] = bytes_sent_(message.source);
  create(flow_of_[index], message);
}

void FlowStatistic::message_held_back(const Message& message) {
  create(flow_sent_(message.source), message);
}

void FlowStatistic::message_delivered(MessageIndex index, const Message& message, NodeId, Cycle now) {
  const std::uint32_t flow = flow_of_[index];
  Counts& counts = counts_[flow];
  if (window_.contains(now)) {
    counts.accepted_flits += message.length;
    const std::uint32_t carried = data_flits(message.length) * flit_bytes_;
    counts.accepted_bytes += bytes_of_[index] > 0 ? bytes_of_[index] : flows_[flow].bytes.value_or(carried);
  }
  if (!window_.contains(message.created)) return;
  constexpr Cycle kMost = std::numeric_limits<std::uint32_t>::max();
  counts.latencies.push_back(static_cast<std::uint32_t>(std::min(now - message.created, kMost)));
}

FlowStatistic::Counts& FlowStatistic::Counts::operator+=(const Counts& more) {
  messages += more.messages;
  offered_flits += more.offered_flits;
  accepted_flits += more.accepted_flits;
  accepted_bytes += more.accepted_bytes;
  latencies.insert(latencies.end(), more.latencies.begin(), more.latencies.end());
  return *this;
}

FlowResults FlowStatistic::summary(Counts counts, std::uint64_t measured_cycles) const {
  FlowResults r;
  r.messages = counts.messages;
  r.delivered = counts.latencies.size();
  const auto cycles = static_cast<double>(measured_cycles);
  if (measured_cycles > 0) {
    r.offered = static_cast<double>(counts.offered_flits) / cycles;
    r.accepted = static_cast<double>(counts.accepted_flits) / cycles;
    r.bandwidth = static_cast<double>(counts.accepted_bytes) / cycles * clock_hz_;
  }
  if (counts.latencies.empty()) return r;
  std::ranges::sort(counts.latencies);  // sums do not depend on the order of deliveries
  const auto percentile = [&](double share) -> std::uint64_t {
    const auto rank =
        static_cast<std::size_t>(std::ceil(share * static_cast<double>(counts.latencies.size()) - 1e-9));
    return counts.latencies[std::max<std::size_t>(rank, 1) - 1];
  };
  const auto number = static_cast<double>(counts.latencies.size());
  double sum = 0, squares = 0;
  for (const std::uint32_t latency : counts.latencies) sum += latency;
  r.mean = sum / number;
  for (const std::uint32_t latency : counts.latencies) squares += (latency - *r.mean) * (latency - *r.mean);
  r.jitter = std::sqrt(squares / number);
  r.p50 = percentile(.5);
  r.p95 = percentile(.95);
  r.p99 = percentile(.99);
  r.p999 = percentile(.999);
  r.max = counts.latencies.back();
  return r;
}

FlowSection FlowStatistic::results(std::uint64_t measured_cycles) const {
  FlowSection section;
  std::vector<std::string> classes;
  std::vector<Counts> of_class;
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    const FlowDescription& flow = flows_[i];
    FlowResults r = summary(counts_[i], measured_cycles);
    r.name = flow.name;
    r.message_class = flow.message_class;
    const auto miss = [&](const std::string& text) { r.missed += (r.missed.empty() ? "" : "; ") + text; };
    if (flow.target_bandwidth && !(r.bandwidth >= flow.target_bandwidth))
      miss(formatted("bandwidth %s bytes per second, target %s",
                     r.bandwidth ? number_text(*r.bandwidth) : "-", number_text(*flow.target_bandwidth)));
    if (flow.target_p99 && r.p99 && *r.p99 > *flow.target_p99)
      miss(formatted("p99 %d cycles, target %d", *r.p99, *flow.target_p99));
    if (flow.target_p99 && !r.p99)
      miss(formatted("no message arrived, target p99 %d cycles", *flow.target_p99));
    section.flows.push_back(std::move(r));
    if (flow.message_class.empty()) continue;
    const auto found = std::ranges::find(classes, flow.message_class);
    const auto place = static_cast<std::size_t>(found - classes.begin());
    if (found == classes.end()) {
      classes.push_back(flow.message_class);
      of_class.emplace_back();
    }
    of_class[place] += counts_[i];
  }
  for (std::size_t i = 0; i < classes.size(); ++i) {
    FlowResults r = summary(of_class[i], measured_cycles);
    r.name = classes[i];
    section.classes.push_back(std::move(r));
  }
  return section;
}

std::string missed_targets_text(const FlowSection& section) {
  std::string text;
  for (const FlowResults& flow : section.flows)
    if (!flow.missed.empty())
      text += (flow.name.starts_with("flow ") ? "" : "flow ") + flow.name +
              " missed its target: " + flow.missed + "\n";
  return text;
}

}  // namespace flitmend
