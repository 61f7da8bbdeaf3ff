// SPDX-License-Identifier: Apache-2.0
#include "testbench/progress_limit.h"

#include "base/text.h"

namespace flitmend {

void ProgressLimit::look(const MessageProgress& progress, Cycle now) {
  if (!progress.waiting || progress.steps != steps_) {
    since_ = now;
    steps_ = progress.steps;
  }
  if (limit_ == 0 || now - since_ < limit_) return;
  reason_ = formatted(
      "no %1% has arrived or been abandoned for %2% cycles, and some are still under way "
      "(simulation.progress_limit)",
      progress.what, limit_);
}

}  // namespace flitmend
