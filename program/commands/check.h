// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace flitmend {
struct Command;

/// `flitmend check CONFIG.yaml [--set KEY=VALUE]…`: reads the configuration and proves its routing free of
/// deadlock, or shows a deadlock. No simulation.
void add_check(CLI::App& program, Command& command);

}  // namespace flitmend
