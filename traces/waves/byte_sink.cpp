// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/byte_sink.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/checked_file.h"
#include "base/errors.h"

namespace flitmend {
namespace {

// Left on the disk for the rest of a time step, and for the statistics that are written after the run.
constexpr std::uint64_t kReserve = 512 * 1024;

}  // namespace

std::uint64_t room_for(const std::string& path, std::uint64_t size) {
  std::uint64_t bytes = ~std::uint64_t{0};
  struct statvfs disk {};
  if (statvfs(path.c_str(), &disk) == 0)
    bytes = std::uint64_t{geteuid() == 0 ? disk.f_bfree : disk.f_bavail} * disk.f_frsize;
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    bytes = std::min<std::uint64_t>(bytes, limit.rlim_cur > size ? limit.rlim_cur - size : 0);
  return bytes;
}

WriteSignalsHeld::WriteSignalsHeld() {
  sigset_t pending, wanted;
  sigpending(&pending);
  sigemptyset(&held_);
  sigemptyset(&wanted);
  for (const int signal : {SIGPIPE, SIGXFSZ}) {
    sigaddset(&wanted, signal);
    if (!sigismember(&pending, signal)) sigaddset(&held_, signal);
  }
  pthread_sigmask(SIG_BLOCK, &wanted, &previous_);
}

WriteSignalsHeld::~WriteSignalsHeld() {
  const int error = errno;
  const timespec now{};
  while (sigtimedwait(&held_, nullptr, &now) > 0) {
  }
  pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
  errno = error;
}

FileSink::FileSink(const std::string& path)
    : path_(path), file_(::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666)) {
  if (file_ < 0) throw WriteError("cannot write " + path + ": " + std::strerror(errno));
  struct stat about {};
  regular_ = fstat(file_, &about) == 0 && S_ISREG(about.st_mode);
}

FileSink::~FileSink() {
  close();
}

ByteSink::State FileSink::write(const char* bytes, std::size_t count) {
  const WriteSignalsHeld held;
  while (count > 0 && file_ >= 0) {
    const ssize_t written = ::write(file_, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      error_ = path_ + ": " + std::strerror(written < 0 ? errno : ENOSPC);
      return State::failed;
    }
    bytes += written;
    count -= static_cast<std::size_t>(written);
    size_ += static_cast<std::uint64_t>(written);
  }
  if (file_ < 0) return State::failed;
  if (!regular_ || room_for(path_, size_) >= kReserve) return State::open;
  if (error_.empty()) error_ = path_ + ": " + std::strerror(ENOSPC);
  return State::filling;
}

void FileSink::cut(std::uint64_t size) {
  // A file that is not regular (a terminal, /dev/full) cannot be cut, and must not be removed.
  if (file_ < 0 || !regular_) return;
  if (ftruncate(file_, static_cast<off_t>(size)) == 0) size_ = size;
  if (size == 0) unlink(link_target(path_).c_str());
}

void FileSink::rescue(const char* bytes, std::size_t count) noexcept {
  while (count > 0 && file_ >= 0) {
    const ssize_t written = ::write(file_, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
}

bool FileSink::close() {
  if (file_ < 0) return true;
  // A network file system may report a full disk only here.
  const bool closed = ::close(file_) == 0;
  file_ = -1;
  if (!closed && error_.empty()) error_ = path_ + ": " + std::strerror(errno);
  return closed;
}

}  // namespace flitmend
