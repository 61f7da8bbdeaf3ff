// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace flitmend {

/// A file that appears as a whole or not at all. Output goes to a new temporary file in the same folder,
/// which commit() flushes to disk and renames. Every write is checked; WriteError names the file and the
/// system's reason. If the path names something other than a regular file (a pipe, a device), output goes
/// straight to it. A symbolic link is kept: output goes where it leads.
class CheckedFile {
 public:
  /// Opens the temporary file. Throws WriteError.
  explicit CheckedFile(std::filesystem::path path);
  CheckedFile(const CheckedFile&) = delete;
  CheckedFile& operator=(const CheckedFile&) = delete;
  /// Without commit(), removes the temporary file; the old file stays.
  ~CheckedFile();

  /// Throws WriteError.
  void write(std::string_view bytes);
  /// Renames the temporary file to its final name. Nothing may be written after this. Throws WriteError.
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

/// Where a path leads if its last part is a symbolic link, or a chain of them; the end need not exist. Any
/// other path is returned as it is.
std::filesystem::path link_target(std::filesystem::path path);

/// Creates a file beside `target` whose name nobody can foresee ("stats.json.tmp4711"), and opens it for
/// writing. Never opens a file that exists, nor follows a link that somebody has planted there. Returns the
/// descriptor and sets `name`; −1 with errno if that fails.
int create_temporary(const std::filesystem::path& target, std::filesystem::path& name);

/// Whether `name` is that of a temporary file for `file`: "stats.json.tmp4711" for "stats.json". A process
/// that is killed leaves one.
bool is_temporary_name(std::string_view name, std::string_view file);

/// Writes a whole file through CheckedFile.
void write_checked(const std::filesystem::path& path, std::string_view content);

}  // namespace flitmend
