// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/signals/message.h"

namespace flitmend {

/// Decides when one node creates messages, not what they are. A process draws the gap to the next message at
/// once, so that a source can sleep until then.
class InjectionProcess {
 public:
  virtual ~InjectionProcess() = default;
  /// Cycle of the next message, never before the previous one; some processes create several in one cycle.
  /// kNever: no more messages.
  virtual Cycle next() = 0;

 protected:
  /// Gaps and cycles from this value on count as never.
  static constexpr Cycle kEndOfTime = Cycle{1} << 62;
  /// cycle + gap; kNever if that is beyond the limit.
  static Cycle later(Cycle cycle, Cycle gap) {
    return cycle >= kEndOfTime || gap >= kEndOfTime - cycle ? kNever : cycle + gap;
  }
};

}  // namespace flitmend
