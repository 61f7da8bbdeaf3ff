// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace flitmend {

/// Work in a process of its own, so that whatever happens to it harms nobody else: a copy of this process
/// that does the work, answers with a text and ends. It ends too when this process does.
class ChildProcess {
 public:
  /// Starts it; `work` runs in the child alone. Throws WriteError where the system gives no process.
  explicit ChildProcess(const std::function<std::string()>& work);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Kills it if it still runs.
  ~ChildProcess();

  /// Descriptors to wait on for input; −1 once they are closed.
  int answer_descriptor() const { return answer_.descriptor; }
  int error_descriptor() const { return error_.descriptor; }
  /// Takes what it has written so far; returns at once. True once it has ended.
  bool read();
  /// Neither killed by kill() nor asked for its end() yet.
  bool alive() const { return process_ > 0; }
  /// Since it was started.
  double seconds() const;

  struct End {
    std::optional<std::string> answer;  ///< none where it ended in any other way than by answering
    int signal = 0;                     ///< that killed it; 0: none
    int exit_status = 0;
    std::string diagnostics;  ///< the last 4 kB that it wrote on standard error
    double seconds = 0;
  };
  /// Once read() is true.
  End end();
  /// Now. What it has written is lost.
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
