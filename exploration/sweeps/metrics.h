// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

#include "exploration/sweeps/records.h"

namespace flitmend {

/// The numbers of a stats.json by dotted name, "latency.total.mean"; without schema, host, lists and what is
/// undefined.
std::map<std::string, double> metrics_of(const Json& stats);

/// Names of all metrics that a run can have.
const std::vector<std::string>& known_metrics();

/// What is wrong with a glob that names no metric, with the nearest one; "" where it names any.
std::string unknown_metric(const std::string& glob);

}  // namespace flitmend
