// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

namespace flitmend {

/// Creates the folder and its parents, and checks that files can be created in it, so that a long run does
/// not end without a place to write. Throws ConfigurationError with the reason.
void prepare_output_folder(const std::filesystem::path&);

/// While this object lives, no other process can lock the same folder. Released when the process ends, in any
/// way.
class FolderLock {
 public:
  /// Throws ConfigurationError if another process holds the lock (for more than 2 s), or if there is no such
  /// folder.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace flitmend
