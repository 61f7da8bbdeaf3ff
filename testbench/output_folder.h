// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

namespace flitmend {

/// Makes the folder, with those above it, and tries whether files can be made in it, so that a long run does
/// not end with nowhere to write to. Throws ConfigurationError that says why not.
void prepare_output_folder(const std::filesystem::path&);

}  // namespace flitmend
