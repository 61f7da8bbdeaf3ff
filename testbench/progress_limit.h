// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "rtl_tlm/signals/message.h"

namespace flitmend {

/// How far the messages are whose end a run waits for.
struct MessageProgress {
  std::uint64_t steps = 0;  ///< grows whenever one of them is created or ends
  bool waiting = false;     ///< some of them are under way, and no repair is certain to come
  /// What stands still if there are none: a text with %1% cycles.
  const char* standstill =
      "no message has arrived or been abandoned for %1% cycles, and some are still under way";
};

/// Ends a run that would go on forever: messages are under way, but none arrives or is abandoned any more.
/// That is a livelock, a deadlock without a watchdog, or faults that come faster than they are repaired.
class ProgressLimit {
 public:
  /// limit: cycles; 0: none.
  explicit ProgressLimit(Cycle limit) : limit_(limit) {}

  /// Cycles in which nothing waits do not count.
  void look(const MessageProgress&, Cycle now);
  /// Why the run must end in this cycle; empty: it may go on.
  const std::string& reason() const { return reason_; }

 private:
  Cycle limit_;
  Cycle since_ = 0;  ///< the last progress
  std::uint64_t steps_ = 0;
  std::string reason_;
};

}  // namespace flitmend
