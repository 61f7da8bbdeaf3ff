// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/fixed_interval.h"

#include "base/random_stream.h"
#include "testbench/traffic/injection_registry.h"

namespace flitmend {

FixedIntervalInjection::FixedIntervalInjection(Fraction length, Fraction load, double phase) {
  constexpr double kPhases = 0x1.0p53;
  const Ticks whole = Ticks(length.numerator) * load.denominator;  // an interval of phase 1
  interval_ = whole * static_cast<std::uint64_t>(kPhases);
  per_cycle_ = Ticks(length.denominator) * load.numerator * static_cast<std::uint64_t>(kPhases);
  time_ = whole * static_cast<std::uint64_t>(phase * kPhases);
}

Cycle FixedIntervalInjection::next() {
  const Ticks cycle = time_ / per_cycle_;
  if (cycle >= kEndOfTime) return kNever;
  time_ += interval_;
  return static_cast<Cycle>(cycle);
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
