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

/// Names of all metrics that a run can have.
const std::vector<std::string>& known_metrics();

/// The error for a name that no metric has, with the nearest one; "" if one has it.
std::string unknown_metric_name(const std::string& name);
/// The error for a glob that matches no metric, with the nearest one; "" if it matches any.
std::string unknown_metric(const std::string& glob);

}  // namespace flitmend
