// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace flitmend {

/// A file that appears whole or not at all: what is written goes to a temporary file beside it, which
/// commit() flushes to the disk and renames. Every write is checked; WriteError says the file and the
/// system's reason. Where the path names something else than a regular file (a pipe, a device), bytes go
/// straight there.
class CheckedFile {
 public:
  /// Opens the temporary file. Throws WriteError.
  explicit CheckedFile(std::filesystem::path path);
  CheckedFile(const CheckedFile&) = delete;
  CheckedFile& operator=(const CheckedFile&) = delete;
  /// Without commit() the temporary file is removed and the old file stays.
  ~CheckedFile();

  /// Throws WriteError.
  void write(std::string_view bytes);
  /// Gives the file its name. Nothing may be written after it. Throws WriteError.
  void commit();

 private:
  void flush();
  [[noreturn]] void fail(const char* doing, int error);

  static constexpr std::size_t kBufferBytes = 1 << 16;
  std::filesystem::path path_;       ///< as the user named it, for messages
  std::filesystem::path target_;     ///< with symbolic links resolved
  std::filesystem::path temporary_;  ///< empty: bytes go straight to the target
  std::string buffer_;
  int descriptor_ = -1;
};

/// Writes a whole file through CheckedFile.
void write_checked(const std::filesystem::path& path, std::string_view content);

}  // namespace flitmend
