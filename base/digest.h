// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace flitmend {

/// SHA-256 [FIPS180] of these bytes, as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace flitmend
