// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/triangular_gaps.h"

#include "testbench/traffic/injection.h"

namespace flitmend {

Cycle TriangularGaps::next() {
  arrival_ += mean_gap_ * (random_.uniform() + random_.uniform());
  return arrival_ < static_cast<double>(kEndOfTime) ? static_cast<Cycle>(arrival_) : kNever;
}

InjectionEntry triangular_gaps_injection() {
  return {
      .name = "triangular-gaps",
      .description = "gaps with a triangular distribution up to twice their mean",
      .gap_variation = 0.41,  // 1/√6
      .make = [](const InjectionContext& c, RandomStream random) -> std::unique_ptr<InjectionProcess> {
        return std::make_unique<TriangularGaps>(c.messages_per_cycle(), random);
      },
  };
}

}  // namespace flitmend
