// SPDX-License-Identifier: Apache-2.0
#include "program/commands/configuration_options.h"

#include <system_error>

#include "base/errors.h"
#include "program/commands/file_kind.h"
#include "testbench/files/input_files.h"

namespace flitmend {

void ConfigurationOptions::add_to(CLI::App& command) {
  command.add_option("CONFIG", file, "The configuration file; docs/reference.md lists its keys.")->required();
  command
      .add_option("--set", sets,
                  "Overrides a key of the file, like router.virtual_channels=2; may be repeated.")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

Configuration ConfigurationOptions::load() const {
  return load_kind(file, FileKind::configuration, [&] { return load_configuration(file, sets); });
}

void ConfigurationOptions::refuse_as_output(const std::string& option, const std::filesystem::path& output,
                                            const Configuration& c) const {
  const auto refuse = [&](const std::string& input, const std::string& what) {
    std::error_code error;
    if (output.empty() || !std::filesystem::equivalent(output, input, error)) return;
    throw ConfigurationError(option + " " + output.string() + " would overwrite " + what +
                             "; name another file");
  };
  refuse(file, "the configuration");
  for (const InputFile& input : input_files(c)) refuse(input.path, "the file of " + std::string(input.key));
}

}  // namespace flitmend
