// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/fixed_interval.h"

#include <cmath>

namespace flitmend {

Cycle FixedIntervalInjection::next() {
  const double cycle = std::floor(phase_ + count_ * interval_);
  count_ += 1;
  return cycle < static_cast<double>(kEndOfTime) ? static_cast<Cycle>(cycle) : kNever;
}

}  // namespace flitmend
