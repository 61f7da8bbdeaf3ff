// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <signal.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace flitmend {

/// Receives the text of a recording.
class ByteSink {
 public:
  enum class State : std::uint8_t {
    open,
    filling,  ///< everything was taken, but room is getting scarce: complete the time step, then close
    failed,   ///< not everything was taken: cut at the last complete time step, then close
  };

  virtual ~ByteSink() = default;
  /// Appends `count` bytes.
  virtual State write(const char* bytes, std::size_t count) = 0;
  /// Bytes taken so far.
  virtual std::uint64_t size() const = 0;
  /// Drops everything after the first `size` bytes, if the sink can; with size 0 it also removes the file.
  virtual void cut(std::uint64_t size) = 0;
  /// Completes the file; false if that failed. Called once.
  virtual bool close() = 0;
  /// In the handler of a signal that ends the process: appends these bytes, and completes the file as far as
  /// async-signal-safe calls can.
  virtual void rescue(const char* bytes, std::size_t count) noexcept = 0;
  /// The error, "" if there was none.
  virtual const std::string& error() const = 0;
};

/// While one exists, signals that a failing write sends to its thread (SIGPIPE, SIGXFSZ) become plain error
/// numbers.
class WriteSignalsHeld {
 public:
  WriteSignalsHeld();
  ~WriteSignalsHeld();
  WriteSignalsHeld(const WriteSignalsHeld&) = delete;
  WriteSignalsHeld& operator=(const WriteSignalsHeld&) = delete;

 private:
  sigset_t held_;  // those that were not pending before
  sigset_t previous_;
};

/// Bytes that this process may still add to a file of that size: room on its disk, limit on file sizes.
std::uint64_t room_for(const std::string& path, std::uint64_t size);

/// A plain file, every write checked. Reports `filling` while the disk still has room for the results of the
/// run.
class FileSink final : public ByteSink {
 public:
  /// Creates or empties the file. Throws WriteError if it cannot.
  explicit FileSink(const std::string& path);
  ~FileSink() override;
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  State write(const char* bytes, std::size_t count) override;
  std::uint64_t size() const override { return size_; }
  void cut(std::uint64_t size) override;
  bool close() override;
  void rescue(const char* bytes, std::size_t count) noexcept override;
  const std::string& error() const override { return error_; }

 private:
  std::string path_;
  int file_;
  bool regular_ = false;
  std::uint64_t size_ = 0;
  std::string error_;
};

}  // namespace flitmend
