// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

#include "base/language.h"

namespace flitmend {

/// Threads that share work many times in a row, each time for microseconds. Between two pieces of work a
/// thread spins for a short time, then sleeps; if there are more threads than processors, it sleeps at once.
/// They block all signals. A pool must not be used on both sides of a fork.
class WorkerPool {
 public:
  /// `threads`, the caller's included: at least 1. Throws std::system_error if the system has no thread left.
  explicit WorkerPool(unsigned threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  unsigned threads() const { return static_cast<unsigned>(errors_.size()); }
  /// Calls work(i) once for each i = 0 … threads() − 1, each on its own thread, work(0) on the caller's, and
  /// returns when all have returned. If some throw, the exception of the lowest i is rethrown.
  template <class Work>
  void run(Work&& work) {
    auto* const object = &work;
    run(const_cast<void*>(static_cast<const void*>(object)),
        [](void* w, unsigned i) { (*static_cast<decltype(object)>(w))(i); });
  }

 private:
  using Call = void (*)(void* work, unsigned i);
  /// A counter of its own cache line, on which threads wait.
  struct alignas(64) Counter {
    std::atomic<std::uint32_t> value{0};
  };

  void run(void* work, Call);
  void serve(unsigned i);
  void try_work(unsigned i) noexcept;
  void end();
  /// Returns once the counter differs from `known`.
  void wait_while(const Counter&, std::uint32_t known) const;

  void* work_ = nullptr;
  Call call_ = nullptr;
  bool ending_ = false;
  unsigned spins_ = 0;
  std::vector<std::exception_ptr> errors_;  ///< by i
  Counter round_;                           ///< of work; the threads wait for the next one
  Counter busy_;                            ///< threads that have not finished the present one
  std::vector<std::thread> workers_;
};

}  // namespace flitmend
