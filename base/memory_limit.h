// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <new>
#include <string>

namespace flitmend {

/// How much memory this process may still take, and what limits it.
struct MemoryLimit {
  std::uint64_t bytes = ~std::uint64_t{0};
  std::string bound;  ///< "the machine has 16 GB", "ulimit -v allows 2 GB"; empty: none is known
};

/// The tightest of the machine's memory, the limits of the process (ulimit -v, -d) and those of its control
/// groups, minus what the process has taken already. The memory of other processes does not count, because it
/// may be free again soon.
MemoryLimit memory_limit(const std::filesystem::path& proc = "/proc",
                         const std::filesystem::path& control_groups = "/sys/fs/cgroup");

/// "640 kB", "1.3 GB": two digits or more, decimal units.
std::string bytes_text(std::uint64_t bytes);

/// Memory set aside so that a program that runs out of memory can still shut down cleanly. The first
/// allocation that fails gets it, after a call of `on_use`. Once it is used up, allocations fail with
/// std::bad_alloc. One at a time per process.
class MemoryReserve {
 public:
  /// `on_use` must not allocate. Reserves nothing if there is not enough memory.
  MemoryReserve(std::size_t bytes, std::function<void()> on_use);
  ~MemoryReserve();
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;

  /// Whether memory has run out.
  bool used() const { return used_; }

 private:
  static void release();

  std::function<void()> on_use_;
  std::atomic<void*> memory_;
  std::atomic<bool> used_ = false;
  std::new_handler before_ = nullptr;
};

}  // namespace flitmend
