// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "exploration/report/fault_events.h"
#include "exploration/report/page.h"
#include "exploration/report/stored_stats.h"
#include "topologies/topology.h"

namespace flitmend {

/// The part of a run's page about its faults: how many messages they hit, a time line of faults and
/// recoveries, the latency of hit messages next to that of the others, what senders kept, and a map with what
/// failed. `topology`: null if it is not known; `events`: none if the run did not record them. `certain`:
/// what failed as far as it is known without them (certain_outages).
void add_faults(ReportPage&, const StoredStats&, const Topology* topology,
                const std::optional<FaultEvents>& events, const std::vector<FaultEvents::Outage>& certain);

}  // namespace flitmend
