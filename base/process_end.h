// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/language.h"

namespace flitmend {

/// Hears how the process ends while it watches. An object on the stack of sc_main is not destroyed by
/// std::exit in a process of the simulation, and none is by a signal such as that of abort (SC_REPORT_FATAL).
///
/// Signals whose action is the default are watched, and that of abort in any case; afterwards each does what
/// it would have done. All objects are used by one thread. A forked process does not watch.
class ProcessEndWatcher {
 public:
  ProcessEndWatcher() = default;
  ProcessEndWatcher(const ProcessEndWatcher&) = delete;
  ProcessEndWatcher& operator=(const ProcessEndWatcher&) = delete;
  virtual ~ProcessEndWatcher() { unwatch(); }

 protected:
  void watch();
  void unwatch();

 private:
  friend class ProcessEnd;

  /// std::exit, or a return from main. The newest watcher hears it first.
  virtual void exiting() = 0;
  /// A signal ends the process, and this is its handler: only what is async-signal-safe may be used.
  virtual void dying() noexcept = 0;

  ProcessEndWatcher* older_ = nullptr;
  bool watching_ = false;
};

}  // namespace flitmend
