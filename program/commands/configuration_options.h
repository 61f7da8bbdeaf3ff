// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "testbench/configuration/loader.h"

namespace flitmend {

/// CONFIG.yaml and --set, as the commands that read a configuration have them.
struct ConfigurationOptions {
  std::string file;
  std::vector<std::string> sets;

  void add_to(CLI::App& command) {
    command.add_option("CONFIG", file, "The configuration file; docs/reference.md lists its keys.")
        ->required();
    command
        .add_option(
            "--set", sets,
            "A key that goes over the file's, like router.virtual_channels=2; may be given several times.")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
  }
  /// Throws ConfigurationError.
  Configuration load() const { return load_configuration(file, sets); }
};

}  // namespace flitmend
