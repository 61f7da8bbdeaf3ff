// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

#include "program/commands/configuration_options.h"

namespace flitmend {

/// Throws ConfigurationError if the file that an option names for output is one that the command reads: the
/// configuration, or a graph, table, permutation or trace that it names.
void refuse_input_as_output(const std::string& option, const std::filesystem::path& output,
                            const ConfigurationOptions&, const Configuration&);

}  // namespace flitmend
