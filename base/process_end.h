// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/language.h"

namespace flitmend {

/// Is notified of the end of the process while it watches. std::exit in a process of the simulation does not
/// destroy objects on the stack of sc_main, and a signal, such as abort's (SC_REPORT_FATAL), destroys none.
///
/// Watches signals whose action is the default, and abort's in any case; afterwards each has its usual
/// effect. All objects are used by one thread. A forked process does not watch.
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

  /// std::exit, or a return from main. The newest watcher is notified first.
  virtual void exiting() = 0;
  /// A signal ends the process, and this is its handler: only what is async-signal-safe may be used.
  virtual void dying() noexcept = 0;

  ProcessEndWatcher* older_ = nullptr;
  bool watching_ = false;
};

}  // namespace flitmend
