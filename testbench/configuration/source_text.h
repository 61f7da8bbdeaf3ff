// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace flitmend {

/// The text of a configuration file. Throws ConfigurationError if it cannot be read, is a folder, is larger
/// than 16 MiB, or is not UTF-8 text (with line and column of the first invalid byte).
std::string read_source_text(const std::filesystem::path&);

/// Throws ConfigurationError if the text contains a control character or is not UTF-8. `name` is what error
/// messages call it.
void check_source_text(const std::string& text, const std::string& name);

}  // namespace flitmend
