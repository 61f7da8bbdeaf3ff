// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/fixed_interval.h"

#include <cmath>

#include "base/random_stream.h"
#include "testbench/traffic/injection_registry.h"

namespace flitmend {

Cycle FixedIntervalInjection::next() {
  const double cycle = std::floor(phase_ + count_ * interval_);
  count_ += 1;
  return cycle < static_cast<double>(kEndOfTime) ? static_cast<Cycle>(cycle) : kNever;
}

InjectionEntry fixed_interval_injection() {
  return {
      .name = "fixed-interval",
      .description = "equal gaps",
      .options = {"interval_phase"},
      .examples = {{.interval_phase = "zero"}},
      .gap_variation = 0,
      .make = [](const InjectionContext& c, RandomStream random) -> std::unique_ptr<InjectionProcess> {
        const double interval = 1 / c.messages_per_cycle();
        const double phase = c.settings.interval_phase == "zero" ? 0 : random.uniform() * interval;
        return std::make_unique<FixedIntervalInjection>(interval, phase);
      },
  };
}

}  // namespace flitmend
