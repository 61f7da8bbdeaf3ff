// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "exploration/report/page.h"
#include "exploration/report/stored_stats.h"
#include "topologies/topology.h"

namespace flitmend {

/// The results of one run under the name that a reader picks them by.
struct LabelledStats {
  std::string label;
  StoredStats stats;
};

/// The distributions of latency.total of those runs that have one, a picture with a choice of the run. False,
/// and nothing is added, where none has.
bool add_histogram(ReportPage&, const std::vector<LabelledStats>&);

/// The network, its channels coloured by the utilisation in those runs that have it for every channel of this
/// topology. False, and nothing is added, where none has.
bool add_map(ReportPage&, const Topology&, const std::vector<LabelledStats>&);

}  // namespace flitmend
