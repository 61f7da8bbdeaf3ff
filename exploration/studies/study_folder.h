// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace flitmend {

/// The studies that came with the program: the folder that the environment variable FLITMEND_STUDIES names,
/// else the installed one, else that of the build. Throws ConfigurationError where there is none.
std::filesystem::path studies_folder();

/// Files of the studies of that folder, by name.
std::vector<std::filesystem::path> all_studies(const std::filesystem::path& folder);

/// The file of a study: of that name in studies_folder(), or, where the word has a slash or ends with .yaml,
/// that file. Throws ConfigurationError that names the nearest.
std::filesystem::path find_study(const std::string& name_or_file);

}  // namespace flitmend
