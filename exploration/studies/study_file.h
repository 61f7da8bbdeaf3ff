// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "exploration/studies/study.h"

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

/// Reads a study from its text; `name` is what error messages call the file. Throws ConfigurationError with
/// all errors, one line each with its place. Both versions are read, whichever is requested, so that errors
/// in the other one are found too.
Study parse_study(const std::string& text, const std::string& name, const BaseReader&, bool quick);

/// The same from a file; base configurations are relative to its folder.
Study load_study(const std::filesystem::path&, bool quick);

}  // namespace flitmend
