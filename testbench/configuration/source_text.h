// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace flitmend {

/// The text of a configuration file. Throws ConfigurationError: it cannot be read, is a folder, is larger
/// than 16 MiB, or is not UTF-8 text (line and column of the first byte that is not).
std::string read_source_text(const std::filesystem::path&);

/// Throws ConfigurationError where the text holds a control character or is not UTF-8. `name` is what
/// messages call it.
void check_source_text(const std::string& text, const std::string& name);

}  // namespace flitmend
