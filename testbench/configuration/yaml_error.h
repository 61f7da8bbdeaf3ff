// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace flitmend {

/// What the YAML parser's message means, in plain words, and what to do.
std::string yaml_error(std::string_view parser_message);

}  // namespace flitmend
