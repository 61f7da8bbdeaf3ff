// SPDX-License-Identifier: Apache-2.0
#include "testbench/output_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

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
  const std::filesystem::path probe = folder / (".probe" + std::to_string(getpid()));
  const int descriptor = open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) refuse({errno, std::generic_category()});
  close(descriptor);
  unlink(probe.c_str());
}

}  // namespace flitmend
