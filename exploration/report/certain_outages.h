// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "exploration/report/fault_events.h"
#include "testbench/configuration/configuration.h"
#include "topologies/topology.h"

namespace flitmend {

/// The outages that follow from the configuration of a run of that many cycles: those from the start, drawn
/// at random or not, and those of faults.events, in the order in which they began. What strikes by rate or
/// aim is not among them; events.csv has that too. The topology is the configuration's. Empty if the
/// configuration names parts that this topology does not have.
std::vector<FaultEvents::Outage> certain_outages(const Configuration&, const Topology&, std::uint64_t cycles);

}  // namespace flitmend
