// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "exploration/report/fault_events.h"
#include "exploration/report/page.h"
#include "exploration/report/stored_stats.h"
#include "topologies/topology.h"

namespace flitmend {

/// The results of one run, with the label by which a reader selects it.
struct LabelledStats {
  std::string label;
  StoredStats stats;
};

/// Adds a picture of the distribution of latency.total, with a choice among the runs that have one. If none
/// has, adds nothing and returns false.
bool add_histogram(ReportPage&, const std::vector<LabelledStats>&);

/// Adds a map of the network, its channels coloured by utilisation, with a choice among the runs that have it
/// for every channel of this topology. If none has, adds nothing and returns false. Parts that were dead at
/// the end of these runs are marked.
bool add_map(ReportPage&, const Topology&, const std::vector<LabelledStats>&,
             const std::vector<FaultEvents::Outage>& = {});

/// Adds a map of the network with what failed: nodes and switches by whether they failed, channels by how
/// often they did. If the network is too large, adds nothing.
void add_fault_map(ReportPage&, const Topology&, const std::vector<FaultEvents::Outage>&);

}  // namespace flitmend
