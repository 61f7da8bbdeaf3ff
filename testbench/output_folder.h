// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

namespace flitmend {

/// Creates the folder and its parents, and checks that files can be created in it, so that a long run does
/// not end without a place to write. Throws ConfigurationError with the reason.
void prepare_output_folder(const std::filesystem::path&);

}  // namespace flitmend
