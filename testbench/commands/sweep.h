#pragma once

namespace CLI {
class App;
}

namespace flitmend {
struct Command;

/// `flitmend sweep SWEEP.yaml --out DIR [--jobs N] [--resume] [--quiet]`: many simulations, each in a process
/// of its own; their results in DIR/results.sqlite.
void add_sweep(CLI::App& program, Command& command);

}  // namespace flitmend
