// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/poisson.h"

#include <cmath>

#include "testbench/traffic/injection_registry.h"

namespace flitmend {

Cycle PoissonInjection::next() {
  const double ahead = fraction_ - std::log1p(-random_.uniform()) / rate_;
  const double whole = std::floor(ahead);
  fraction_ = ahead - whole;
  return cycle_ =
             later(cycle_, whole < static_cast<double>(kEndOfTime) ? static_cast<Cycle>(whole) : kEndOfTime);
}

InjectionEntry poisson_injection() {
  return {
      .name = "poisson",
      .description = "exponential gaps in continuous time, rounded down to cycles",
      .gap_variation = 1,
      .make = [](const InjectionContext& c, RandomStream random) -> std::unique_ptr<InjectionProcess> {
        return std::make_unique<PoissonInjection>(c.messages_per_cycle(), random);
      },
  };
}

}  // namespace flitmend
