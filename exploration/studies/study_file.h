// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

#include "exploration/studies/study.h"

namespace flitmend {

/// Reads a study from its text; `name` is what error messages call the file. Throws ConfigurationError with
/// all errors, one line each with its place. Both versions are read, whichever is requested, so that errors
/// in the other one are found too.
Study parse_study(const std::string& text, const std::string& name, const BaseReader&, bool quick);

/// The same from a file; base configurations are relative to its folder.
Study load_study(const std::filesystem::path&, bool quick);

}  // namespace flitmend
