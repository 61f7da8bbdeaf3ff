// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "program/terminal/terminal_line.h"
#include "testbench/checks/validation.h"
#include "testbench/configuration/loader.h"

namespace flitmend {

/// CONFIG.yaml and --set, for the commands that read a configuration.
struct ConfigurationOptions {
  std::string file;
  std::vector<std::string> sets;

  void add_to(CLI::App& command);
  /// Throws ConfigurationError.
  Configuration load() const;
  /// The same, validated, with progress on a terminal. `prepare` applies or checks other options before that.
  template <class Prepare>
  Configuration read(std::ostream& terminal, bool quiet, Prepare&& prepare) const {
    const BusyLine busy(terminal, shows_progress(quiet), "reading " + file);
    Configuration c = load();
    prepare(c);
    validate(c);
    return c;
  }
  /// Throws ConfigurationError if the file that an option names for output is one that the command reads: the
  /// configuration, or a graph, table, permutation or trace that it names.
  void refuse_as_output(const std::string& option, const std::filesystem::path& output,
                        const Configuration&) const;
};

}  // namespace flitmend
