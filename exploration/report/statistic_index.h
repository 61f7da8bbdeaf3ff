// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>

namespace flitmend {

struct StatisticText {
  std::string unit;
  std::string description;
};

/// Every number of stats.json by its dotted name ("latency.total.mean"), except lists, as declared in
/// testbench/statistics/results.cpp.
const std::map<std::string, StatisticText>& statistic_index();

/// "latency.total.mean (cycles)"; without the unit if it has none or is unknown.
std::string with_unit(const std::string& name);

}  // namespace flitmend
