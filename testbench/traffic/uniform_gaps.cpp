// SPDX-License-Identifier: Apache-2.0
// Messages at gaps that are uniform within an interval [SBRP section 6].
#include <cmath>

#include "testbench/traffic/injection.h"

namespace flitmend {
namespace {

/// Arrivals in continuous time. A message is created in the cycle in which its arrival falls.
class UniformGaps final : public InjectionProcess {
 public:
  /// Gaps up to `longest` cycles.
  UniformGaps(double longest, RandomStream random) : longest_(longest), random_(random) {}

  Cycle next() override {
    const double ahead = fraction_ + longest_ * random_.uniform();
    const double whole = std::floor(ahead);
    fraction_ = ahead - whole;
    return cycle_ = later(cycle_,
                          whole < static_cast<double>(kEndOfTime) ? static_cast<Cycle>(whole) : kEndOfTime);
  }

 private:
  double longest_;
  RandomStream random_;
  Cycle cycle_ = 0;
  double fraction_ = 0;  ///< of the cycle, 0 ≤ fraction < 1
};

}  // namespace

InjectionEntry uniform_gaps_injection() {
  return {
      .name = "uniform-gaps",
      .description = "gaps uniform between 0 and twice their mean, in continuous time",
      .gap_variation = 1 / std::sqrt(3.0),
      .make = [](const InjectionContext& c, RandomStream random) -> std::unique_ptr<InjectionProcess> {
        return std::make_unique<UniformGaps>(2 / c.messages_per_cycle(), random);
      },
  };
}

}  // namespace flitmend
