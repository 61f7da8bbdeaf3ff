// SPDX-License-Identifier: Apache-2.0
#include "testbench/recording/log_file.h"

#include "base/errors.h"

namespace flitmend {

LogFile::LogFile(const std::filesystem::path& path, const std::string& header) : sink_(path.string()) {
  write(header);
  if (!failure_.empty()) throw WriteError(failure_);
}

void LogFile::write(const std::string& lines) {
  if (!failure_.empty()) return;
  const std::uint64_t complete = sink_.size();
  const ByteSink::State state = sink_.write(lines.data(), lines.size());
  if (state == ByteSink::State::open) return;
  failure_ = "cannot write " + sink_.error() + "; the log of events ends early";
  if (state == ByteSink::State::failed) sink_.cut(complete);
  sink_.close();
}

}  // namespace flitmend
