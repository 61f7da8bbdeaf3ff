// SPDX-License-Identifier: Apache-2.0
#include "program/terminal/interrupt.h"

namespace flitmend {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<int> signals{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler writes them");

constexpr int kPatience = 3;  // the signal that ends the process at once

extern "C" void interrupt(int number) {
  interrupted.store(true, std::memory_order_relaxed);
  if (signals.fetch_add(1, std::memory_order_relaxed) + 1 < kPatience) return;
  std::signal(number, SIG_DFL);
  std::raise(number);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupted = false;
  signals = 0;
  struct sigaction action {};
  action.sa_handler = interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // interrupted system calls are restarted
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &former_[i]);
    // A signal that the process was started to ignore (nohup, a background job of a shell) stays ignored.
    if (former_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &former_[i], nullptr);
}

const std::atomic<bool>& InterruptGuard::stop() const {
  return interrupted;
}

}  // namespace flitmend
