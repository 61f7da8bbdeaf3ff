// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "program/commands/file_kind.h"
#include "program/terminal/busy_line.h"
#include "program/terminal/terminal_line.h"
#include "testbench/checks/validation.h"
#include "testbench/configuration/loader.h"

namespace flitmend {

/// CONFIG.yaml and --set, for the commands that read a configuration.
struct ConfigurationOptions {
  std::string file;
  std::vector<std::string> sets;

  void add_to(CLI::App& command) {
    command.add_option("CONFIG", file, "The configuration file; docs/reference.md lists its keys.")
        ->required();
    command
        .add_option("--set", sets,
                    "Overrides a key of the file, like router.virtual_channels=2; may be repeated.")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
  }
  /// Throws ConfigurationError.
  Configuration load() const {
    return load_kind(file, FileKind::configuration, [&] { return load_configuration(file, sets); });
  }
  /// The same, validated, with progress on a terminal. `prepare` applies or checks other options before that.
  template <class Prepare>
  Configuration read(std::ostream& terminal, bool quiet, Prepare&& prepare) const {
    const BusyLine busy(terminal, shows_progress(quiet), "reading " + file);
    Configuration c = load();
    prepare(c);
    validate(c);
    return c;
  }
};

}  // namespace flitmend
