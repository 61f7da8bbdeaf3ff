// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace flitmend {
struct Command;

/// `flitmend sweep SWEEP.yaml --out DIR [--jobs N] [--slurm] [--resume] [--quiet]`: many simulations, each in
/// its own process; their results in DIR/results.sqlite.
void add_sweep(CLI::App& program, Command& command);

/// `flitmend sweep-task DIR INDEX`, hidden from --help: one task of the job array that --slurm submits.
void add_sweep_task(CLI::App& program, Command& command);

}  // namespace flitmend
