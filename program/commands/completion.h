// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace CLI {
class App;
}

namespace flitmend {

struct Command;

/// A bash script that completes the program's commands, options, their values, and the keys after --set. It
/// is generated from the parser and from the declared settings.
std::string bash_completion(const CLI::App& program);

void add_completion(CLI::App& program, Command& command);

}  // namespace flitmend
