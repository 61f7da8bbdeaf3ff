// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

#include "exploration/sweeps/records.h"

namespace flitmend {

/// The numbers of a stats.json by dotted name, "latency.total.mean"; without schema, host, lists and
/// undefined numbers.
std::map<std::string, double> metrics_of(const Json& stats);

/// A number, word or truth value of stats.json, as testbench/statistics declares it. Those in lists have
/// none.
struct KnownStatistic {
  std::string name;  ///< dotted: "latency.total.mean"
  std::string unit;
  std::string description;
  bool number = false;  ///< or undefined in some runs
};
/// The one of that name; null: there is none.
const KnownStatistic* known_statistic(const std::string& name);
/// "latency.total.mean (cycles)"; without the unit if it has none or is unknown.
std::string with_unit(const std::string& name);

/// Names of all metrics that a run can have: the numbers, without those of the host.
const std::vector<std::string>& known_metrics();

/// The error for a name that no metric has, with the nearest one; "" if one has it.
std::string unknown_metric_name(const std::string& name);
/// The error for a glob that matches no metric, with the nearest one; "" if it matches any.
std::string unknown_metric(const std::string& glob);

}  // namespace flitmend
