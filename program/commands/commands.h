// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ostream>
#include <string>

#include "testbench/run_end.h"

namespace CLI {
class App;
}

namespace flitmend {

/// Passed to every command. A command registers itself with the parser, with a callback that does the work.
/// The callback writes its answer to `out` and sets `status` to its exit status. It throws
/// ConfigurationError for errors that the user can correct (exit status 2). The streams live as long as the
/// parser.
struct Command {
  std::ostream& out;       ///< standard output, as EscapedOutput; the program checks it for write errors
  std::ostream& err;       ///< standard error, as EscapedOutput: messages
  std::ostream& document;  ///< standard output as it is, for output that is not meant for a terminal
  std::ostream& terminal;  ///< standard error as it is, for progress (TerminalLine)
  ExitStatus status = ExitStatus::done;
};

/// `flitmend help [COMMAND]...`: the same as `flitmend [COMMAND]... --help`.
void add_help(CLI::App& program, Command& command);

/// `flitmend check CONFIG.yaml [--set KEY=VALUE]…`: reads the configuration and proves its routing free of
/// deadlock, or shows a deadlock. No simulation.
void add_check(CLI::App& program, Command& command);

/// `flitmend run CONFIG.yaml [--set KEY=VALUE]… [--out DIR] [--waves[=GLOB]] [--quiet]`: one simulation.
void add_run(CLI::App& program, Command& command);

/// `flitmend trace FROM TO [--sort] [--mapping FILE]`: converts a trace, or the messages of a run to one.
void add_trace(CLI::App& program, Command& command);

/// `flitmend map GRAPH [CONFIG.yaml] [--topology NAME] [--size K,K] [--set KEY=VALUE]… [--seed N]
/// [--restarts N] [--random N] [-o FILE]`: searches a mapping of a task graph onto a network.
void add_map(CLI::App& program, Command& command);

/// `flitmend sweep SWEEP.yaml --out DIR [--jobs N] [--slurm] [--resume] [--quiet]`: many simulations, each in
/// its own process; their results in DIR/results.sqlite.
void add_sweep(CLI::App& program, Command& command);

/// `flitmend sweep-task DIR INDEX`, hidden from --help: one task of the job array that --slurm submits.
void add_sweep_task(CLI::App& program, Command& command);

/// `flitmend study NAME|FILE|--all|--list [--quick] [--out DIR] [--jobs N] [--slurm] [--resume] [--quiet]`:
/// runs the sweeps of a study, judges its statements and writes a report. Exit status 0: every statement
/// holds; 7: one does not.
void add_study(CLI::App& program, Command& command);

/// `flitmend campaign CAMPAIGN.yaml --out DIR [--jobs N] [--slurm] [--resume] [--quiet]`: random faults until
/// every stratum of hits has enough, and the bound of each in DIR/bounds.md and DIR/bounds.csv.
void add_campaign(CLI::App& program, Command& command);

/// `flitmend report DIR [-o FILE]`: one HTML file about a run, a sweep or a study.
void add_report(CLI::App& program, Command& command);

/// `flitmend rtl CONFIG.yaml [--set KEY=VALUE]… [--state-bits N] [--package NAME]`: prints the bits of a flit
/// as a SystemVerilog package (FlitCodec). No simulation.
void add_rtl(CLI::App& program, Command& command);

/// `flitmend list [CONCERN] [--json]`: what a configuration can name, and what it needs.
void add_list(CLI::App& program, Command& command);

/// `flitmend completion SHELL`: prints a script that completes the program's commands, options, their values,
/// and the keys after --set. It is generated from the parser and from the declared settings.
void add_completion(CLI::App& program, Command& command);

/// `flitmend reference`, hidden from --help: prints generated pages, for the build.
void add_reference(CLI::App& program, Command& command);
/// The manual page of the program, for man(1): all its commands and options, from the parser.
std::string manual_page(const CLI::App& program);

/// `flitmend analyze TOOL …`: closed forms and graph engines. A tool is a file in commands/analyze, a line
/// in its tools.h and one in its analyze.cpp. Its callback throws ConfigurationError for bad input.
void add_analyze(CLI::App& program, Command& command);

}  // namespace flitmend
