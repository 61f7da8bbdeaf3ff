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
  reason_ = formatted(progress.standstill, limit_) + " (simulation.progress_limit)";
}

}  // namespace flitmend
