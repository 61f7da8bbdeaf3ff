// SPDX-License-Identifier: Apache-2.0
#include "support/program.h"

#include <fcntl.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace flitmend {
namespace {

std::filesystem::path temporary_name(const char* what) {
  static int count = 0;
  return std::filesystem::temp_directory_path() /
         ("flitmend_" + std::string(what) + std::to_string(getpid()) + "_" + std::to_string(count++));
}

int open_for_writing(const std::string& file) {
  return open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

ProgramProcess::ProgramProcess(const std::vector<std::string>& words, const Options& options)
    : out_file_(options.out.empty() ? temporary_name("out") : std::filesystem::path(options.out)),
      err_file_(temporary_name("err")),
      out_is_ours_(options.out.empty()) {
  std::vector<std::string> copies = words;
  std::vector<char*> argv = {const_cast<char*>("flitmend")};
  for (std::string& word : copies) argv.push_back(word.data());
  argv.push_back(nullptr);

  const int out = open_for_writing(out_file_.string());
  int err = -1;
  if (options.terminal) {
    if (openpty(&terminal_, &err, nullptr, nullptr, nullptr) != 0)
      throw std::runtime_error("no terminal here");
    fcntl(terminal_, F_SETFD, FD_CLOEXEC);
  } else {
    err = open_for_writing(err_file_.string());
  }
  if (out < 0 || err < 0) throw std::runtime_error("cannot redirect the program's output");
  process_ = fork();
  if (process_ == 0) {
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_DFL);
    setenv("XDG_CACHE_HOME", options.cache.empty() ? "/proc/none" : options.cache.c_str(), 1);
    setenv("TERM", "xterm", 1);  // whatever terminal the tests are started on
    if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) _exit(126);
    if (options.file_limit > 0) {
      const rlimit limit{static_cast<rlim_t>(options.file_limit), static_cast<rlim_t>(options.file_limit)};
      setrlimit(RLIMIT_FSIZE, &limit);
    }
    if (options.memory_limit > 0) {
      const rlimit limit{options.memory_limit, options.memory_limit};
      setrlimit(RLIMIT_AS, &limit);
    }
    execv(FLITMEND_PROGRAM, argv.data());
    _exit(127);
  }
  close(out);
  close(err);
}

ProgramProcess::~ProgramProcess() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  if (terminal_ >= 0) close(terminal_);
  std::error_code ignored;
  if (out_is_ours_) std::filesystem::remove(out_file_, ignored);
  std::filesystem::remove(err_file_, ignored);
}

void ProgramProcess::signal(int number) {
  kill(process_, number);
}

bool ProgramProcess::wait_for(const std::string& text) {
  while (err_.find(text) == std::string::npos && read_terminal()) {
  }
  return err_.find(text) != std::string::npos;
}

bool ProgramProcess::read_terminal() {
  char block[4096];
  const ssize_t count = read(terminal_, block, sizeof block);
  if (count > 0) err_.append(block, static_cast<std::size_t>(count));
  return count > 0;
}

bool ProgramProcess::running() const {
  siginfo_t about{};
  return waitid(P_PID, static_cast<id_t>(process_), &about, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         about.si_pid == 0;
}

int ProgramProcess::wait() {
  while (terminal_ >= 0 && read_terminal()) {  // until the program closes its side
  }
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  if (out_is_ours_) out_ = read_file(out_file_);
  if (terminal_ < 0) err_ = read_file(err_file_);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

ScratchFolder::ScratchFolder() : path_(temporary_name("scratch")) {
  std::filesystem::create_directories(path_);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string ScratchFolder::write(const std::string& name, const std::string& content) const {
  std::ofstream(path_ / name, std::ios::binary) << content;
  return *this / name;
}

std::string ScratchFolder::read(const std::string& name) const {
  return read_file(path_ / name);
}

std::vector<std::string> ScratchFolder::files() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace flitmend
