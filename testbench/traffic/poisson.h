// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/random_stream.h"
#include "testbench/traffic/injection.h"

namespace flitmend {

/// Arrivals at exponential gaps in continuous time, mean 1/rate. A message is created in the cycle in which
/// its arrival falls, so there may be several in one cycle.
class PoissonInjection : public InjectionProcess {
 public:
  PoissonInjection(double messages_per_cycle, RandomStream random)
      : rate_(messages_per_cycle), random_(random) {}
  Cycle next() override;

 private:
  double rate_;
  RandomStream random_;
  Cycle cycle_ = 0;
  double fraction_ = 0;  ///< of the cycle, 0 ≤ fraction < 1; separate, so that no digits are lost
};

}  // namespace flitmend
