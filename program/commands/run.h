// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace flitmend {
struct Command;

/// `flitmend run CONFIG.yaml [--set KEY=VALUE]… [--out DIR] [--waves[=GLOB]] [--quiet]`: one simulation.
void add_run(CLI::App& program, Command& command);

}  // namespace flitmend
