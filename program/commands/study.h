// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace flitmend {
struct Command;

/// `flitmend study NAME|FILE|--all|--list [--quick] [--out DIR] [--jobs N] [--slurm] [--resume] [--quiet]`:
/// runs the sweeps of a study, judges its statements and writes a report. Exit status 0: every statement
/// holds; 7: one does not.
void add_study(CLI::App& program, Command& command);

}  // namespace flitmend
