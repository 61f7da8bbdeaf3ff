// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

namespace flitmend {

/// While one lives, no other process holds the same folder. Freed by the end of the process, however it ends.
class FolderLock {
 public:
  /// Throws ConfigurationError where another process holds it (for more than 2 s), or there is no such
  /// folder.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace flitmend
