// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/bernoulli.h"

#include <algorithm>

#include "testbench/traffic/injection_registry.h"

namespace flitmend {

Cycle BernoulliInjection::next() {
  trials_ = later(trials_, random_.geometric(probability_));
  return trials_ == kNever ? kNever : trials_ - 1;
}

InjectionEntry bernoulli_injection() {
  return {
      .name = "bernoulli",
      .description = "one message per cycle with a fixed probability",
      .gap_variation = 1,
      .make = [](const InjectionContext& c, RandomStream random) -> std::unique_ptr<InjectionProcess> {
        return std::make_unique<BernoulliInjection>(c.probability("traffic.load", c.load), random);
      },
      .most = [](const InjectionContext& c) { return std::min(c.limit, c.mean_length); },
  };
}

}  // namespace flitmend
