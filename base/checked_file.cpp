// SPDX-License-Identifier: Apache-2.0
#include "base/checked_file.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#include "base/errors.h"

namespace flitmend {
namespace {

constexpr std::string_view kTemporary = ".tmp";  // then a random number

/// A rename is on disk only once the folder entry is.
void flush_folder(const std::filesystem::path& folder) {
  const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  static_cast<void>(fsync(descriptor));  // not every file system supports this; the file itself is safe
  close(descriptor);
}

}  // namespace

CheckedFile::CheckedFile(std::filesystem::path path) : path_(std::move(path)), target_(path_) {
  std::error_code error;
  const auto kind = std::filesystem::status(path_, error).type();
  if (kind == std::filesystem::file_type::directory) fail("write", EISDIR);
  if (kind == std::filesystem::file_type::regular || kind == std::filesystem::file_type::not_found) {
    target_ = link_target(path_);
    descriptor_ = create_temporary(target_, temporary_);
  } else {
    descriptor_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  }
  if (descriptor_ < 0) {
    temporary_.clear();
    fail("write", errno);
  }
  buffer_.reserve(kBufferBytes);
}

CheckedFile::~CheckedFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void CheckedFile::fail(const char* doing, int error) {
  throw WriteError(std::string("cannot ") + doing + " " + path_.string() + ": " +
                   std::generic_category().message(error));
}

void CheckedFile::write(std::string_view bytes) {
  buffer_.append(bytes);
  if (buffer_.size() >= kBufferBytes) flush();
}

void CheckedFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write", errno);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void CheckedFile::commit() {
  flush();
  if (!temporary_.empty() && fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS)
    fail("write", errno);
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (close(descriptor) != 0 && errno != EINTR) fail("write", errno);
  if (temporary_.empty()) return;
  if (rename(temporary_.c_str(), target_.c_str()) != 0) fail("replace", errno);
  temporary_.clear();
  flush_folder(target_.parent_path());
}

int create_temporary(const std::filesystem::path& target, std::filesystem::path& name) {
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    std::uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != sizeof number) return -1;
    name = target;
    name += std::string(kTemporary) + std::to_string(number);
    const int descriptor = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

std::filesystem::path link_target(std::filesystem::path path) {
  constexpr int kLongestChain = 40;  // as in the kernel
  std::error_code error;
  for (int i = 0; i < kLongestChain && std::filesystem::is_symlink(path, error); ++i) {
    const std::filesystem::path next = std::filesystem::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / next;
  }
  return path;
}

bool is_temporary_name(std::string_view name, std::string_view file) {
  if (!name.starts_with(file)) return false;
  name.remove_prefix(file.size());
  if (!name.starts_with(kTemporary)) return false;
  name.remove_prefix(kTemporary.size());
  return !name.empty() && name.find_first_not_of("0123456789") == name.npos;
}

void write_checked(const std::filesystem::path& path, std::string_view content) {
  CheckedFile file(path);
  file.write(content);
  file.commit();
}

}  // namespace flitmend
