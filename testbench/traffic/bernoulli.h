// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/random_stream.h"
#include "testbench/traffic/injection.h"

namespace flitmend {

/// One message per cycle with probability p: gaps are geometric, mean 1/p, variance (1 − p)/p².
class BernoulliInjection : public InjectionProcess {
 public:
  BernoulliInjection(double probability, RandomStream random) : probability_(probability), random_(random) {}
  Cycle next() override;

 private:
  double probability_;
  RandomStream random_;
  Cycle trials_ = 0;  ///< cycles 0 … trials_ − 1 are decided
};

}  // namespace flitmend
