// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/bernoulli.h"

namespace flitmend {

Cycle BernoulliInjection::next() {
  trials_ = later(trials_, random_.geometric(probability_));
  return trials_ == kNever ? kNever : trials_ - 1;
}

}  // namespace flitmend
