// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

#include "traces/waves/byte_sink.h"

namespace flitmend {

/// A CSV file that grows during a run. Lines are written at once, so that the file is complete up to the end
/// of a process that is killed. When the disk is full it ends after a whole line, and the run goes on.
class LogFile {
 public:
  /// Creates the file with its first line. Throws WriteError.
  LogFile(const std::filesystem::path&, const std::string& header);

  /// Whole lines.
  void write(const std::string& lines);
  /// Why the file ends before the run; empty if it does not.
  const std::string& failure() const { return failure_; }

 private:
  FileSink sink_;
  std::string failure_;
};

}  // namespace flitmend
