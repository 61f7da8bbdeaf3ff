// SPDX-License-Identifier: Apache-2.0
#include "program/commands/output_file.h"

#include <system_error>

#include "base/errors.h"
#include "testbench/files/input_files.h"

namespace flitmend {

void refuse_input_as_output(const std::string& option, const std::filesystem::path& output,
                            const ConfigurationOptions& options, const Configuration& c) {
  const auto refuse = [&](const std::string& input, const std::string& what) {
    std::error_code error;
    if (output.empty() || !std::filesystem::equivalent(output, input, error)) return;
    throw ConfigurationError(option + " " + output.string() + " would overwrite " + what +
                             "; name another file");
  };
  refuse(options.file, "the configuration");
  for (const InputFile& file : input_files(c)) refuse(file.path, "the file of " + std::string(file.key));
}

}  // namespace flitmend
