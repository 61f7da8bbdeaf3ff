// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <functional>
#include <new>

namespace flitmend {

/// Memory that is set aside, so that a program that runs out of memory can still end in order. The first
/// allocation that fails gets it, after a call of `on_use`. When that is used up too, allocations fail with
/// std::bad_alloc. One at a time per process.
class MemoryReserve {
 public:
  /// `on_use` must not allocate. Without memory for the reserve there is none.
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
