// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "exploration/report/page.h"
#include "exploration/report/stored_stats.h"
#include "topologies/topology.h"

namespace flitmend {

/// The deadlock that ended a run: a picture of the channels that wait for each other, and a table.
/// `topology`: null if it is not known; then there is no picture. Nor is there one of a network of more than
/// kMostReportedChannels channels, and the page says so. If the run has no deadlock, adds nothing and returns
/// false.
bool add_found_deadlock(ReportPage&, const StoredStats&, const Topology*);

}  // namespace flitmend
