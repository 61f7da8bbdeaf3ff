// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace flitmend {
struct Command;

/// `flitmend list [CONCERN] [--json]`: what a configuration can name, and what it needs.
void add_list(CLI::App& program, Command& command);

}  // namespace flitmend
