// SPDX-License-Identifier: Apache-2.0
#include "testbench/progress_limit.h"

#include "base/text.h"

namespace flitmend {

void ProgressLimit::look(const MessageResults& messages, bool waiting, Cycle now) {
  const std::uint64_t ended = messages.delivered + messages.undeliverable + messages.voided + messages.lost;
  const std::uint64_t seen = messages.generated + ended;
  if (!waiting || seen != seen_) {
    since_ = now;
    seen_ = seen;
  }
  if (limit_ == 0 || now - since_ < limit_) return;
  reason_ = formatted(
      "no message has arrived or been abandoned for %1% cycles, and some are still under way "
      "(simulation.progress_limit)",
      limit_);
}

}  // namespace flitmend
