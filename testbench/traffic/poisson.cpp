// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/poisson.h"

#include <cmath>

namespace flitmend {

Cycle PoissonInjection::next() {
  const double ahead = fraction_ - std::log1p(-random_.uniform()) / rate_;
  const double whole = std::floor(ahead);
  fraction_ = ahead - whole;
  return cycle_ =
             later(cycle_, whole < static_cast<double>(kEndOfTime) ? static_cast<Cycle>(whole) : kEndOfTime);
}

}  // namespace flitmend
