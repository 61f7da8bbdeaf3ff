// SPDX-License-Identifier: Apache-2.0
#include "base/process_end.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace flitmend {

namespace {
void on_exit_of_process();
void on_signal(int signal);
}  // namespace

/// The watchers of this process, and the signals' own actions. Never destroyed.
class ProcessEnd {
 public:
  static void add(ProcessEndWatcher& watcher) {
    if (!newest_) take_signals();
    watcher.older_ = newest_;
    newest_ = &watcher;
    owner_ = getpid();
    static const int registered = std::atexit(on_exit_of_process);
    (void)registered;
  }
  static void remove(ProcessEndWatcher& watcher) {
    for (ProcessEndWatcher** at = &newest_; *at; at = &(*at)->older_)
      if (*at == &watcher) {
        *at = watcher.older_;
        break;
      }
    if (!newest_) give_signals_back();
  }
  static void exiting() {
    while (newest_ && owner_ == getpid()) {
      ProcessEndWatcher& watcher = *newest_;
      watcher.unwatch();
      watcher.exiting();
    }
  }
  static void dying(int signal) {
    give_signals_back();  // first: a watcher that fails ends the process
    if (owner_ == getpid())
      for (ProcessEndWatcher* watcher = newest_; watcher; watcher = watcher->older_) watcher->dying();
    raise(signal);  // comes when this handler returns
  }

 private:
  static constexpr std::array kSignals = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGINT, SIGTERM, SIGHUP};

  static void take_signals() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      sigaction(kSignals[i], nullptr, &own_[i]);
      if (own_[i].sa_handler != SIG_DFL && kSignals[i] != SIGABRT) continue;
      struct sigaction action {};
      action.sa_handler = on_signal;
      sigaction(kSignals[i], &action, nullptr);
    }
  }
  static void give_signals_back() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      struct sigaction now {};
      sigaction(kSignals[i], nullptr, &now);
      if (now.sa_handler == on_signal) sigaction(kSignals[i], &own_[i], nullptr);
    }
  }

  inline static ProcessEndWatcher* newest_ = nullptr;
  inline static pid_t owner_ = 0;
  inline static std::array<struct sigaction, kSignals.size()> own_{};
};

namespace {

void on_exit_of_process() {
  ProcessEnd::exiting();
}

void on_signal(int signal) {
  ProcessEnd::dying(signal);
}

}  // namespace

void ProcessEndWatcher::watch() {
  if (watching_) return;
  watching_ = true;
  ProcessEnd::add(*this);
}

void ProcessEndWatcher::unwatch() {
  if (!watching_) return;
  watching_ = false;
  ProcessEnd::remove(*this);
}

}  // namespace flitmend
