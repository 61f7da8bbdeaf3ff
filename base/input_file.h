// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

namespace flitmend {

/// The whole content of a file that the user names. Throws ConfigurationError, which names the file, if it
/// cannot be read or has more than `most_bytes`, which it calls the limit for `what`.
std::string read_input_file(const std::string& path, std::size_t most_bytes,
                            const char* what = "such a file");

/// The same of a text: without the byte order mark that some editors put before UTF-8. Refuses UTF-16.
std::string read_input_text(const std::string& path, std::size_t most_bytes,
                            const char* what = "such a file");

}  // namespace flitmend
