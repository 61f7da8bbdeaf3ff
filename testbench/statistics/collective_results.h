// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testbench/statistics/results_visitor.h"

namespace flitmend {

/// What was counted of one collective, all its repetitions together.
struct CollectiveResults {
  std::string name;
  std::string collective;  ///< "all-reduce"
  std::string algorithm;   ///< "ring"
  std::uint64_t members = 0;
  std::uint64_t bytes = 0;
  std::uint64_t repetitions = 0;
  std::uint64_t completed = 0;
  std::optional<std::uint64_t> begin, end;                   ///< cycles
  std::optional<double> time;                                ///< cycles, mean
  std::optional<std::uint64_t> time_max;                     ///< cycles
  std::optional<double> algorithm_bandwidth, bus_bandwidth;  ///< bytes per cycle
  std::optional<double> bus_flits;                           ///< flits per cycle
  std::optional<double> algorithm_bytes_per_second, bus_bytes_per_second;
  std::uint64_t messages = 0;
  std::uint64_t lost = 0;
  std::uint64_t wrong = 0;
  std::string missing;
  void visit(ResultsVisitor&) const;
};

/// All collectives of a run.
struct CollectiveSection {
  std::vector<CollectiveResults> list;  ///< in the order of traffic.collectives
  void visit(ResultsVisitor&) const;
};

}  // namespace flitmend
