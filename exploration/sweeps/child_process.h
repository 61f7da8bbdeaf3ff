// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace flitmend {

/// Work in a separate process, so that a failure affects nothing else: a copy of this process does the work,
/// answers with a text and ends. It also ends when this process ends.
class ChildProcess {
 public:
  /// Starts the process; `work` runs only in the child. Throws WriteError if the system cannot create a
  /// process.
  explicit ChildProcess(const std::function<std::string()>& work);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Kills it if it still runs.
  ~ChildProcess();

  /// Descriptors to wait on for input; −1 once they are closed.
  int answer_descriptor() const { return answer_.descriptor; }
  int error_descriptor() const { return error_.descriptor; }
  /// Reads what the child has written so far, without waiting. True once it has ended.
  bool read();
  /// False after kill() or end().
  bool alive() const { return process_ > 0; }
  /// Seconds since the start.
  double seconds() const;

  struct End {
    std::optional<std::string> answer;  ///< none if it ended without an answer
    int signal = 0;                     ///< signal that killed it; 0: none
    int exit_status = 0;
    std::string diagnostics;  ///< the last 4 kB of its standard error
    double seconds = 0;
  };
  /// Call once read() has returned true.
  End end();
  /// Kills it immediately. Its output is lost.
  void kill();

 private:
  struct Pipe {
    int descriptor = -1;
    std::string text;
    void drain(std::size_t keep);
    void close();
  };
  pid_t process_ = -1;
  Pipe answer_;
  Pipe error_;
  std::chrono::steady_clock::time_point started_;
};

}  // namespace flitmend
