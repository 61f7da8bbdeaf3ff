// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "testbench/traffic/flow.h"
#include "testbench/workloads/refused_keys.h"
#include "testbench/workloads/workload.h"

namespace flitmend {

// traffic.flows, traffic.matrix and traffic.noxim_table, for every workload that sends flows.

/// Whether one of them is given.
bool has_flows(const TrafficSettings&);
/// "3 flows, matrix rates.csv"
std::string flows_description(const TrafficSettings&);
/// The keys that can name a file, and the files that they name.
std::vector<std::string_view> flow_file_keys();
std::vector<InputFile> flows_files(const TrafficSettings&);
/// The keys of section traffic that flows read.
GivenKeys flow_keys();
/// Lines for the user before a run: keys that no flow uses, and overloaded nodes and channels. `end`: the
/// cycle from which flows send nothing.
std::vector<std::string> flows_notes(const FlowTraffic&, const Configuration&, ConfiguredNetwork&, Cycle end);

}  // namespace flitmend
