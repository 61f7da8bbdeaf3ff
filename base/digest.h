// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace flitmend {

/// SHA-256 [FIPS180] of these bytes, as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

/// SHA-256 of the content of a file of any size that the user names. Throws ConfigurationError, which names
/// the file, if it cannot be read or is not a regular file.
std::string sha256_of_file(const std::string& path);

}  // namespace flitmend
