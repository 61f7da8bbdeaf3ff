// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace flitmend {

struct Command;

/// flitmend help [COMMAND]...: the same as flitmend [COMMAND]... --help.
void add_help(CLI::App& program, Command& command);

}  // namespace flitmend
