// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "testbench/scoreboard/scoreboard.h"
#include "testbench/statistics/flow_results.h"
#include "testbench/statistics/optional_statistic.h"
#include "testbench/traffic/flow_description.h"

namespace flitmend {

/// Counts messages by flow. Memory: 4 bytes per measured message, so percentiles are exact, and 8 per
/// descriptor.
class FlowStatistic final : public ScoreboardObserver {
 public:
  using OfNode = std::function<std::uint32_t(NodeId)>;
  /// flow_sent, bytes_sent: as in Workload, by which each message has its flow and its payload. All outlive
  /// this.
  FlowStatistic(std::span<const FlowDescription> flows, OfNode flow_sent, OfNode bytes_sent,
                MeasuredWindow window, unsigned flit_bytes, double clock_hz)
      : flows_(flows),
        flow_sent_(std::move(flow_sent)),
        bytes_sent_(std::move(bytes_sent)),
        window_(window),
        flit_bytes_(flit_bytes),
        clock_hz_(clock_hz),
        counts_(flows.size()) {}

  void message_created(MessageIndex, const Message&) override;
  void message_held_back(const Message&) override;
  void message_delivered(MessageIndex, const Message&, NodeId at, Cycle) override;

  /// Ends the measured window before that cycle, unless it has ended earlier.
  void window_ends(Cycle cycle) { window_.end = std::min(window_.end, cycle); }
  /// Of a run whose measured window had that many cycles.
  FlowSection results(std::uint64_t measured_cycles) const;

 private:
  struct Counts {
    std::uint64_t messages = 0, offered_flits = 0, accepted_flits = 0, accepted_bytes = 0;
    std::vector<std::uint32_t> latencies;
    Counts& operator+=(const Counts&);
  };
  void create(std::uint32_t flow, const Message&);
  FlowResults summary(Counts, std::uint64_t measured_cycles) const;

  std::span<const FlowDescription> flows_;
  OfNode flow_sent_;
  OfNode bytes_sent_;
  MeasuredWindow window_;
  unsigned flit_bytes_;
  double clock_hz_;
  std::vector<Counts> counts_;
  std::vector<std::uint32_t> flow_of_, bytes_of_;  ///< by descriptor
};

/// Lines that say which targets were missed; empty if none.
std::string missed_targets_text(const FlowSection&);

}  // namespace flitmend
