// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "exploration/sweeps/sweep.h"
#include "testbench/statistics/results.h"

namespace flitmend {

/// The files that the base configuration and the axes name, of those whose content decides what is simulated
/// (network.graph, routing.table, traffic.permutation_file, traffic.trace), each with a digest of its
/// content, as JSON; empty if there are none.
std::string named_files(const Sweep&);

/// Throws NotNowError if one of these files has another digest in such a text about a sweep whose file is in
/// that folder.
void refuse_changed_inputs(const std::vector<InputFileResults>& inputs, const std::string& files,
                           const std::filesystem::path& sweep_folder);

/// Whether a file has another content than all files of its name have in such a text, wherever the sweep was;
/// false if the text names none.
bool has_changed(const std::filesystem::path& file, const std::string& files);

/// The first file that differs between two such texts, of which one may be empty; empty: none differs.
std::string changed_file(const std::string& before, const std::string& now);

}  // namespace flitmend
