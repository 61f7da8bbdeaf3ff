// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/message.h"

namespace flitmend {

/// Creates the messages of one node: when, not what. A process draws the gap to the next message at once, so
/// that a source can sleep until then.
class InjectionProcess {
 public:
  virtual ~InjectionProcess() = default;
  /// Cycle of the next message: never before the last one; some processes create several in one cycle.
  /// kNever: none before the end of time.
  virtual Cycle next() = 0;

 protected:
  /// Gaps and cycles from here on are taken for never.
  static constexpr Cycle kEndOfTime = Cycle{1} << 62;
  /// cycle + gap, kNever where that is past the end of time.
  static Cycle later(Cycle cycle, Cycle gap) {
    return cycle >= kEndOfTime || gap >= kEndOfTime - cycle ? kNever : cycle + gap;
  }
};

}  // namespace flitmend
