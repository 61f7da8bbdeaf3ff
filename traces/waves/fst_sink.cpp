// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/fst_sink.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "base/checked_file.h"
#include "base/errors.h"

extern char** environ;

namespace flitmend {
namespace {

constexpr const char* kProgram = "vcd2fst";

// Bytes that vcd2fst may still have to write for `text` bytes of VCD. Measured, the file is a fifth to a
// tenth of the text; a single-bit change, its worst case, takes 1 to 2 bytes of 4.
constexpr std::uint64_t reserve(std::uint64_t text) {
  return text / 2 + 16 * 1024;
}

}  // namespace

std::optional<std::string> find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string rest = path ? path : "/usr/local/bin:/usr/bin:/bin";
  while (true) {
    const std::size_t colon = rest.find(':');
    const std::string folder = rest.substr(0, colon);
    const std::string file = (folder.empty() ? "." : folder) + "/" + name;
    struct stat about {};
    if (stat(file.c_str(), &about) == 0 && S_ISREG(about.st_mode) && access(file.c_str(), X_OK) == 0)
      return file;
    if (colon == std::string::npos) return std::nullopt;
    rest.erase(0, colon + 1);
  }
}

void FstSink::require() {
  if (!find_program(kProgram))
    throw KeyError("waves.format",
                   "fst needs the program vcd2fst, which is not on the PATH; install it (Debian: gtkwave) "
                   "or use vcd");
}

FstSink::FstSink(const std::string& path) : path_(path) {
  require();
  const std::string program = *find_program(kProgram);
  // vcd2fst prints nothing useful when it cannot write, so writing is tried here.
  FileSink(path).close();
  // A socket, not a pipe: writing into it after the child has died is an error, not a signal.
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw WriteError(std::string("cannot start vcd2fst: ") + std::strerror(errno));
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A separate process group: Ctrl-C ends the simulation, which then lets the child complete its file.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  // vcd2fst would replace a symbolic link by its file.
  std::string words[] = {kProgram, "--vcdname=-", "--fstname=" + link_target(path).string()};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  const int failed = posix_spawn(&child_, program.c_str(), &files, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  ::close(ends[1]);
  if (failed) {
    ::close(ends[0]);
    throw WriteError(std::string("cannot start vcd2fst: ") + std::strerror(failed));
  }
  to_child_ = ends[0];
}

FstSink::~FstSink() {
  close();
}

bool FstSink::room_left() {
  struct stat about {};
  if (stat(path_.c_str(), &about) == 0 && static_cast<std::uint64_t>(about.st_size) > file_size_) {
    file_size_ = static_cast<std::uint64_t>(about.st_size);
    sent_to_file_ = sent_;
  }
  return room_for(path_, file_size_) >= reserve(sent_ - sent_to_file_);
}

ByteSink::State FstSink::write(const char* bytes, std::size_t count) {
  if (to_child_ < 0) return State::failed;
  while (count > 0) {
    const ssize_t sent = send(to_child_, bytes, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) {
      error_ = path_ + ": vcd2fst exited early";
      return State::failed;
    }
    bytes += sent;
    count -= static_cast<std::size_t>(sent);
    sent_ += static_cast<std::uint64_t>(sent);
  }
  if (room_left()) return State::open;
  if (error_.empty()) error_ = path_ + ": " + std::strerror(ENOSPC);
  return State::filling;
}

void FstSink::cut(std::uint64_t size) {
  // Data that the child has read cannot be taken back. If nothing is to be kept, the file is removed.
  if (size == 0) unlink(link_target(path_).c_str());
}

void FstSink::rescue(const char* bytes, std::size_t count) noexcept {
  if (to_child_ < 0) return;
  while (count > 0) {
    const ssize_t sent = send(to_child_, bytes, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) break;
    bytes += sent;
    count -= static_cast<std::size_t>(sent);
  }
  end_child();
}

int FstSink::end_child() noexcept {
  ::close(to_child_);
  to_child_ = -1;
  int status = 0;
  while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

bool FstSink::close() {
  if (to_child_ < 0) return true;
  const int status = end_child();
  const bool complete = WIFEXITED(status) && WEXITSTATUS(status) == 0 && fst_complete(path_);
  if (!complete && error_.empty()) error_ = path_ + ": vcd2fst could not complete the file";
  return complete;
}

bool fst_complete(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return false;
  const auto end = static_cast<std::uint64_t>(file.tellg());
  constexpr unsigned char kHeader = 0, kSkip = 255;
  bool header = false;
  std::uint64_t at = 0;
  while (at < end) {
    // A section: its type, its length in 8 bytes, big-endian, these included.
    unsigned char start[9];
    file.seekg(static_cast<std::streamoff>(at));
    if (!file.read(reinterpret_cast<char*>(start), sizeof start) || start[0] == kSkip) return false;
    std::uint64_t length = 0;
    for (int i = 1; i < 9; ++i) length = length << 8 | start[i];
    if (length < 8 || length > end - at - 1) return false;
    header |= start[0] == kHeader;
    at += 1 + length;
  }
  return header && at == end;
}

}  // namespace flitmend
