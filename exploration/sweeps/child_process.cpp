// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <system_error>

#include "base/errors.h"

namespace flitmend {
namespace {

constexpr std::size_t kDiagnosticBytes = 4096;
constexpr int kNoAnswer = 125;

[[noreturn]] void refuse_process(int error) {
  throw WriteError("cannot start a process for a point: " + std::generic_category().message(error));
}

/// Everything that the child does.
[[noreturn]] void live(pid_t parent, int answer, int error, const std::function<std::string()>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kNoAnswer);
  // Ctrl-C on the terminal and the end of a cluster job reach all processes; only the parent ends points.
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_IGN);
  dup2(error, STDERR_FILENO);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing >= 0) {
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
  }
  std::string text;
  try {
    text = work();
  } catch (...) {
    _exit(kNoAnswer);
  }
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = write(answer, text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) _exit(kNoAnswer);
    at += static_cast<std::size_t>(written);
  }
  // Without destructors: nothing needs to be cleaned up here, and the parent's files must not be touched.
  _exit(EXIT_SUCCESS);
}

}  // namespace

ChildProcess::ChildProcess(const std::function<std::string()>& work)
    : started_(std::chrono::steady_clock::now()) {
  int answer[2], error[2];
  if (pipe2(answer, O_CLOEXEC) != 0) refuse_process(errno);
  if (pipe2(error, O_CLOEXEC) != 0) {
    const int reason = errno;
    close(answer[0]);
    close(answer[1]);
    refuse_process(reason);
  }
  const pid_t parent = getpid();
  process_ = fork();
  const int reason = errno;
  if (process_ == 0) live(parent, answer[1], error[1], work);
  close(answer[1]);
  close(error[1]);
  answer_.descriptor = answer[0];
  error_.descriptor = error[0];
  if (process_ < 0) {
    answer_.close();
    error_.close();
    refuse_process(reason);
  }
  for (const Pipe* pipe : {&answer_, &error_}) fcntl(pipe->descriptor, F_SETFL, O_NONBLOCK);
}

ChildProcess::~ChildProcess() {
  kill();
}

void ChildProcess::Pipe::close() {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

void ChildProcess::Pipe::drain(std::size_t keep) {
  char block[1 << 16];
  while (descriptor >= 0) {
    const ssize_t count = ::read(descriptor, block, sizeof block);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) {
      close();
      return;
    }
    text.append(block, static_cast<std::size_t>(count));
    if (text.size() > keep) text.erase(0, text.size() - keep);
  }
}

bool ChildProcess::read() {
  answer_.drain(std::numeric_limits<std::size_t>::max());
  error_.drain(kDiagnosticBytes);
  return answer_.descriptor < 0 && error_.descriptor < 0;
}

double ChildProcess::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

ChildProcess::End ChildProcess::end() {
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  End end;
  end.seconds = seconds();
  end.diagnostics = std::move(error_.text);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  if (WIFEXITED(status)) end.exit_status = WEXITSTATUS(status);
  if (WIFEXITED(status) && end.exit_status == EXIT_SUCCESS) end.answer = std::move(answer_.text);
  return end;
}

void ChildProcess::kill() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  process_ = -1;
  answer_.close();
  error_.close();
}

}  // namespace flitmend
