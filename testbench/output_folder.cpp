// SPDX-License-Identifier: Apache-2.0
#include "testbench/output_folder.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/checked_file.h"
#include "base/errors.h"

namespace flitmend {

void prepare_output_folder(const std::filesystem::path& folder) {
  const auto refuse = [&](const std::error_code& reason) {
    throw ConfigurationError("cannot write to output folder " + folder.string() + ": " + reason.message() +
                             "; choose another folder with --out");
  };
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) refuse(error);
  if (!std::filesystem::is_directory(folder)) refuse(std::make_error_code(std::errc::not_a_directory));
  std::filesystem::path probe;
  const int descriptor = create_temporary(folder / ".probe", probe);
  if (descriptor < 0) refuse({errno, std::generic_category()});
  close(descriptor);
  unlink(probe.c_str());
}

}  // namespace flitmend
