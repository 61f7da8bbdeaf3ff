// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "traces/waves/byte_sink.h"

namespace flitmend {

/// Where a program is on the PATH, none if it is not there.
std::optional<std::string> find_program(const std::string& name);

/// Turns VCD text into an FST file, through a child process that runs vcd2fst; no VCD is stored on disk.
///
/// vcd2fst keeps up to 128 MiB of changes in memory and does not notice a full disk, so the sink reports
/// State::filling while there is room for what is still in memory.
class FstSink final : public ByteSink {
 public:
  /// Throws ConfigurationError if vcd2fst is missing, WriteError if the file cannot be written.
  explicit FstSink(const std::string& path);
  ~FstSink() override;
  FstSink(const FstSink&) = delete;
  FstSink& operator=(const FstSink&) = delete;

  State write(const char* bytes, std::size_t count) override;
  std::uint64_t size() const override { return sent_; }
  void cut(std::uint64_t size) override;
  bool close() override;
  void rescue(const char* bytes, std::size_t count) noexcept override;
  const std::string& error() const override { return error_; }

  /// Throws ConfigurationError if vcd2fst is missing; call it before anything is built.
  static void require();

 private:
  bool room_left();
  /// Ends the child's input, and waits until it has completed the file. Its status.
  int end_child() noexcept;

  std::string path_;
  int to_child_ = -1;
  pid_t child_ = -1;
  std::uint64_t sent_ = 0;
  std::uint64_t file_size_ = 0;     // of the FST file when it last grew
  std::uint64_t sent_to_file_ = 0;  // bytes sent at that time
  std::string error_;
};

/// Whether the sections of an FST file are complete and end with the file.
bool fst_complete(const std::string& path);

}  // namespace flitmend
