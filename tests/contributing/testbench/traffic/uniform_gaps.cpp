// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/uniform_gaps.h"

#include "testbench/traffic/injection.h"

namespace flitmend {

Cycle UniformGaps::next() {
  arrival_ += longest_gap_ * random_.uniform();
  return arrival_ < static_cast<double>(kEndOfTime) ? static_cast<Cycle>(arrival_) : kNever;
}

InjectionEntry uniform_gaps_injection() {
  return {
      .name = "uniform-gaps",
      .description = "gaps uniform between 0 and twice their mean",
      .gap_variation = 0.58,  // 1/√3
      .make = [](const InjectionContext& c, RandomStream random) -> std::unique_ptr<InjectionProcess> {
        return std::make_unique<UniformGaps>(c.messages_per_cycle(), random);
      },
  };
}

}  // namespace flitmend
