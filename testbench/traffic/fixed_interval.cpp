// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/fixed_interval.h"

#include "base/random_stream.h"
#include "testbench/traffic/injection_registry.h"

namespace flitmend {

FixedIntervalInjection::FixedIntervalInjection(Fraction length, Fraction load, double phase) {
  constexpr double kPhases = 0x1.0p53;
  const Ticks whole = Ticks(length.numerator) * load.denominator;  // an interval of phase 1
  per_cycle_ = Ticks(length.denominator) * load.numerator * static_cast<std::uint64_t>(kPhases);
  interval_ = split(whole * static_cast<std::uint64_t>(kPhases));
  next_ = split(whole * static_cast<std::uint64_t>(phase * kPhases));
}

FixedIntervalInjection::Time FixedIntervalInjection::split(const Ticks& ticks) const {
  const Ticks cycles = ticks / per_cycle_;
  return {cycles >= kEndOfTime ? kEndOfTime : static_cast<Cycle>(cycles), ticks % per_cycle_};
}

Cycle FixedIntervalInjection::next() {
  const Cycle cycle = next_.cycles;
  if (cycle >= kEndOfTime) return kNever;
  next_.cycles += interval_.cycles;
  next_.rest += interval_.rest;
  if (next_.rest >= per_cycle_) {
    next_.rest -= per_cycle_;
    ++next_.cycles;
  }
  return cycle;
}

InjectionEntry fixed_interval_injection() {
  return {
      .name = "fixed-interval",
      .description = "equal gaps",
      .options = {"interval_phase"},
      .examples = {{.interval_phase = "zero"}},
      .gap_variation = 0,
      .make = [](const InjectionContext& c, RandomStream random) -> std::unique_ptr<InjectionProcess> {
        const double phase = c.settings.interval_phase == "zero" ? 0 : random.uniform();
        return std::make_unique<FixedIntervalInjection>(simplest_fraction(c.mean_length),
                                                        simplest_fraction(c.load), phase);
      },
  };
}

}  // namespace flitmend
