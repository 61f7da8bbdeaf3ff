// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/other_program.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/errors.h"

extern char** environ;

namespace flitmend {
namespace {

struct OutputPipe {
  int ends[2] = {-1, -1};
  OutputPipe() {
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw WriteError("cannot create a pipe: " + std::generic_category().message(errno));
  }
  ~OutputPipe() {
    close_end(0);
    close_end(1);
  }
  OutputPipe(const OutputPipe&) = delete;
  OutputPipe& operator=(const OutputPipe&) = delete;
  void close_end(int i) {
    if (ends[i] >= 0) close(ends[i]);
    ends[i] = -1;
  }
  /// Reads what is available; closes at the end.
  void take(std::string& text) {
    char block[4096];
    const ssize_t count = read(ends[0], block, sizeof block);
    if (count > 0)
      text.append(block, static_cast<std::size_t>(count));
    else if (count == 0 || errno != EINTR)
      close_end(0);
  }
};

}  // namespace

CommandResult run_command(const std::vector<std::string>& words, const std::string& remedy) {
  std::vector<std::string> copies = words;
  std::vector<char*> argv;
  for (std::string& word : copies) argv.push_back(word.data());
  argv.push_back(nullptr);
  OutputPipe out, err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], STDERR_FILENO);
  // In its own process group, so that the terminal's signals go only to ours.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t process = -1;
  const int error = posix_spawnp(&process, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error)
    throw NotNowError(ConfigurationError("cannot start " + words[0] + ": " +
                                         std::generic_category().message(error) + "; " + remedy));
  out.close_end(1);
  err.close_end(1);
  CommandResult result;
  while (out.ends[0] >= 0 || err.ends[0] >= 0) {
    pollfd descriptors[] = {{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}};
    if (poll(descriptors, 2, -1) < 0) continue;
    if (descriptors[0].revents) out.take(result.out);
    if (descriptors[1].revents) err.take(result.err);
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace flitmend
