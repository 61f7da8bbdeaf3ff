// SPDX-License-Identifier: Apache-2.0
#include "program/terminal/interrupt.h"

#include <csignal>

namespace flitmend {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler writes it");

constexpr int kSignals[] = {SIGINT, SIGTERM};
struct sigaction former[2];

extern "C" void interrupt(int) {
  interrupted.store(true, std::memory_order_relaxed);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupted = false;
  struct sigaction action {};
  action.sa_handler = interrupt;
  sigemptyset(&action.sa_mask);
  // Restores the default after the first signal; interrupted system calls are restarted.
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  for (int i = 0; i < 2; ++i) sigaction(kSignals[i], &action, &former[i]);
}

InterruptGuard::~InterruptGuard() {
  for (int i = 0; i < 2; ++i) sigaction(kSignals[i], &former[i], nullptr);
}

const std::atomic<bool>& InterruptGuard::stop() const {
  return interrupted;
}

}  // namespace flitmend
