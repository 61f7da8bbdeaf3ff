// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace flitmend {

/// Threads to use: `jobs`, or one per processor if that is 0; never more than there are pieces of work.
inline unsigned thread_count(unsigned jobs, std::size_t pieces) {
  const std::size_t wanted = jobs ? jobs : std::max(1u, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::min(wanted, std::max<std::size_t>(pieces, 1)));
}

/// Calls work(i) once for each i = 0 … pieces − 1, on `jobs` threads (0: one per processor), in no particular
/// order. The result of piece i must depend on i alone and go to its own place. The caller combines the
/// places in order of i, so that no result depends on the number of threads. The first exception is rethrown
/// here after every thread has ended.
template <class Work>
void parallel_for(unsigned jobs, std::size_t pieces, Work&& work) {
  const unsigned threads = thread_count(jobs, pieces);
  if (threads == 1) {
    for (std::size_t i = 0; i < pieces; ++i) work(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr error;
  std::mutex error_mutex;
  const auto worker = [&] {
    for (std::size_t i; !failed && (i = next.fetch_add(1)) < pieces;) try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(error_mutex);
        if (!failed.exchange(true)) error = std::current_exception();
      }
  };
  {
    std::vector<std::jthread> pool;
    for (unsigned t = 1; t < threads; ++t) pool.emplace_back(worker);
    worker();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace flitmend
