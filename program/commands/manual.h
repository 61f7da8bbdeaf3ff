// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace CLI {
class App;
}

namespace flitmend {

/// The manual page of the program, for man(1): all its commands and options, from the parser.
std::string manual_page(const CLI::App& program);

}  // namespace flitmend
