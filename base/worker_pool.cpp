// SPDX-License-Identifier: Apache-2.0
#include "base/worker_pool.h"

#include <pthread.h>
#include <signal.h>

#include <utility>

#include "base/processors.h"

namespace flitmend {
namespace {

/// Some tens of microseconds: longer than most pieces of work, shorter than the kernel's time slice.
constexpr unsigned kSpins = 2000;

void pause_processor() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

WorkerPool::WorkerPool(unsigned threads)
    : spins_(threads <= processors() ? kSpins : 0), errors_(threads > 0 ? threads : 1) {
  // Signals go to the threads that started this one.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    for (unsigned i = 1; i < errors_.size(); ++i) workers_.emplace_back([this, i] { serve(i); });
  } catch (...) {
    end();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

WorkerPool::~WorkerPool() {
  end();
}

void WorkerPool::end() {
  ending_ = true;
  round_.value.fetch_add(1, std::memory_order_release);
  round_.value.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void WorkerPool::wait_while(const Counter& counter, std::uint32_t known) const {
  for (unsigned i = 0; i < spins_; ++i) {
    if (counter.value.load(std::memory_order_acquire) != known) return;
    pause_processor();
  }
  counter.value.wait(known, std::memory_order_acquire);
}

void WorkerPool::try_work(unsigned i) noexcept {
  try {
    call_(work_, i);
  } catch (...) {
    errors_[i] = std::current_exception();
  }
}

void WorkerPool::serve(unsigned i) {
  for (std::uint32_t round = 0;;) {
    wait_while(round_, round++);
    if (ending_) return;
    try_work(i);
    if (busy_.value.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.value.notify_one();
  }
}

void WorkerPool::run(void* work, Call call) {
  work_ = work;
  call_ = call;
  busy_.value.store(static_cast<std::uint32_t>(workers_.size()), std::memory_order_relaxed);
  round_.value.fetch_add(1, std::memory_order_release);
  round_.value.notify_all();
  try_work(0);
  while (const std::uint32_t left = busy_.value.load(std::memory_order_acquire)) wait_while(busy_, left);
  std::exception_ptr first;
  for (std::exception_ptr& error : errors_)
    if (const std::exception_ptr thrown = std::exchange(error, nullptr); thrown && !first) first = thrown;
  if (first) std::rethrow_exception(first);
}

}  // namespace flitmend
