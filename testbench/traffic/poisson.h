// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/random_stream.h"
#include "testbench/traffic/injection.h"

namespace flitmend {

/// Arrivals at exponential gaps in continuous time, mean 1/rate; a message enters in the cycle in which its
/// arrival falls, so several may enter in one.
class PoissonInjection : public InjectionProcess {
 public:
  PoissonInjection(double messages_per_cycle, RandomStream random)
      : rate_(messages_per_cycle), random_(random) {}
  Cycle next() override;

 private:
  double rate_;
  RandomStream random_;
  Cycle cycle_ = 0;
  double fraction_ = 0;  ///< of the cycle, 0 ≤ fraction < 1: no digits are lost as time goes on
};

}  // namespace flitmend
