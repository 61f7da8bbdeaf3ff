// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "rtl_tlm/signals/message.h"
#include "testbench/statistics/results.h"

namespace flitmend {

/// Ends a run that would go on forever: messages are under way, but none arrives or is abandoned any more.
/// That is a livelock, a deadlock without a watchdog, or faults that come faster than they are repaired.
class ProgressLimit {
 public:
  /// limit: cycles; 0: none.
  explicit ProgressLimit(Cycle limit) : limit_(limit) {}

  /// `waiting`: messages are under way, and no repair is certain to come. Other cycles do not count.
  void look(const MessageResults&, bool waiting, Cycle now);
  /// Why the run must end in this cycle; empty: it may go on.
  const std::string& reason() const { return reason_; }

 private:
  Cycle limit_;
  Cycle since_ = 0;         ///< the last progress
  std::uint64_t seen_ = 0;  ///< messages created, and messages that ended
  std::string reason_;
};

}  // namespace flitmend
