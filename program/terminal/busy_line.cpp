// SPDX-License-Identifier: Apache-2.0
#include "program/terminal/busy_line.h"

#include <csignal>
#include <exception>
#include <system_error>
#include <utility>

#include "program/terminal/terminal_line.h"
#include "testbench/progress.h"

namespace flitmend {
namespace {

constexpr auto kFirst = std::chrono::seconds(1);
constexpr auto kBetweenUpdates = std::chrono::milliseconds(500);

}  // namespace

BusyLine::BusyLine(std::ostream& terminal, bool shown, std::string text) {
  if (!shown) return;
  // Signals go to the threads that do the work.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this, &terminal, text = std::move(text)] {
      try {
        show(terminal, text);
      } catch (const std::exception&) {  // out of memory: the work itself says so
      }
    });
  } catch (const std::system_error&) {  // no thread to be had: the work goes on without the line
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

BusyLine::~BusyLine() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void BusyLine::show(std::ostream& terminal, const std::string& text) {
  TerminalLine line(terminal, TerminalLine::First::after_a_while);
  std::unique_lock lock(mutex_);
  const auto done = [this] { return done_; };
  if (ended_.wait_for(lock, kFirst, done)) return;
  do line.update([&](double seconds) { return text + ", " + duration_text(seconds); });
  while (!ended_.wait_for(lock, kBetweenUpdates, done));
}

}  // namespace flitmend
