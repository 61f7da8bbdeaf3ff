// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "testbench/configuration/configuration.h"
#include "testbench/statistics/results.h"

namespace flitmend {

/// The file that a key names with that value, if the content of the file decides what is simulated: the key
/// is network.graph, routing.table or one of a workload (WorkloadEntry::file_keys). Empty: it names none, or
/// the value is the content itself, which only network.graph (is_graphml) and routing.table (is_route_table)
/// take.
std::string file_named(std::string_view key, const std::string& value);

/// A file that a configuration reads.
struct InputFile {
  std::string_view key;  ///< "network.graph"
  std::string path;
};

/// Those that describe the network and its routing: all that a check or a platform reads.
std::vector<InputFile> network_files(const Configuration&);
/// Those and the files of the traffic: all that a run reads.
std::vector<InputFile> input_files(const Configuration&);

/// Digests of their content. Throws ConfigurationError if one cannot be read.
std::vector<InputFileResults> digests_of(const std::vector<InputFile>&);

/// Throws ConfigurationError, which names the file, if one of these has another content now. `since` says
/// since when: "the deadlock check".
void refuse_changes(const std::vector<InputFileResults>& before, const std::string& since);

}  // namespace flitmend
