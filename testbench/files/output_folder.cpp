// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/output_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

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

FolderLock::FolderLock(const std::filesystem::path& folder) {
  descriptor_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0)
    throw ConfigurationError("cannot open folder " + folder.string() + ": " +
                             std::generic_category().message(errno));
  // The points of a sweep that was killed hold the lock for a moment longer.
  constexpr int kTries = 20;
  for (int i = 0; flock(descriptor_, LOCK_EX | LOCK_NB) != 0; ++i) {
    // A file system without locks: the user has to start only one run or sweep at a time.
    if (errno != EWOULDBLOCK && errno != EINTR) return;
    if (i == kTries) {
      close(descriptor_);
      throw ConfigurationError("another run or sweep is writing to " + folder.string() +
                               "; wait until it ends, or choose another folder with --out");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace flitmend
