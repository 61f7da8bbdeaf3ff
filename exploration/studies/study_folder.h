// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace flitmend {

/// The folder of the studies that come with the program: the one that the environment variable
/// FLITMEND_STUDIES names, else the installed one, else that of the build. Throws ConfigurationError if there
/// is none.
std::filesystem::path studies_folder();

/// Files of the studies in that folder, by name.
std::vector<std::filesystem::path> all_studies(const std::filesystem::path& folder);

/// The file of a study: the one with that name in studies_folder() or, if the argument has a slash or ends
/// with .yaml, that file. Throws ConfigurationError, which suggests the nearest name.
std::filesystem::path find_study(const std::string& name_or_file);

}  // namespace flitmend
