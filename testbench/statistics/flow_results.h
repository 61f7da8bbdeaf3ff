// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testbench/statistics/results_visitor.h"

namespace flitmend {

/// How long a class has waited at arbiters, in grants to others in a row that it could have had.
struct ClassWaits {
  std::uint64_t longest = 0;
  std::optional<std::uint64_t> bound;  ///< no wait can be longer; none: there is no bound
  std::uint64_t starvations = 0;       ///< waits longer than traffic.starvation_limit
};

/// What was counted of one flow, or of all flows of one class. Latencies are total ones, in cycles.
struct FlowResults {
  std::string name;
  std::string message_class;  ///< of a flow
  std::uint64_t messages = 0;
  std::optional<double> offered;    ///< flits per cycle
  std::optional<double> accepted;   ///< flits per cycle
  std::optional<double> bandwidth;  ///< accepted payload, bytes per second
  std::uint64_t delivered = 0;
  std::optional<double> mean;
  std::optional<double> jitter;  ///< standard deviation
  std::optional<std::uint64_t> p50, p95, p99, p999, max;
  std::optional<ClassWaits> waits;  ///< of a class, if arbiters know classes
  std::string missed;               ///< the target that it missed, with both figures; empty: none
  /// `is_class`: without what only a flow has.
  void visit(ResultsVisitor&, bool is_class) const;
};

struct FlowSection {
  std::vector<FlowResults> flows;
  std::vector<FlowResults> classes;  ///< in the order of their first flows
  /// Two lists of stats.json.
  void visit(ResultsVisitor&) const;
};

}  // namespace flitmend
