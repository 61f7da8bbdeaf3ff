// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <vector>

#include "testbench/files/input_files.h"

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

/// In the folder of a run: the check that proved it free of deadlock (DeadlockCheck::text). Not there if the
/// run was started without proof.
inline constexpr const char* kCheckFile = "check.txt";

/// The output folder of one run. While this object lives, no other run or sweep writes there, and all results
/// in the folder are those of this run. Symbolic links in it are the user's: they are kept, and results go
/// where they lead.
class RunFolder {
 public:
  /// Creates the folder if necessary. Throws ConfigurationError, and changes nothing else, if another process
  /// is writing there, if the folder holds a sweep or a study, if a result cannot be written because of a
  /// folder or file of that name, or if the run would overwrite its configuration or another of its `inputs`.
  RunFolder(const std::filesystem::path& folder, const std::filesystem::path& configuration_file,
            const std::vector<InputFile>& inputs);
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  /// Removes the folder if it was created here and is still empty.
  ~RunFolder();

  /// Removes the results of an earlier run, and nothing else. Throws ConfigurationError if one cannot be
  /// removed.
  void remove_results() const;

  std::filesystem::path file(const char* name) const { return folder_ / name; }

 private:
  bool created_;
  std::filesystem::path folder_;
  FolderLock lock_;
};

}  // namespace flitmend
