// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/bursty.h"

namespace flitmend {

BurstyInjection::BurstyInjection(const Parameters& parameters, RandomStream random)
    : parameters_(parameters), random_(random) {
  if (parameters_.pause_cycles <= 0) {
    burst_end_ = kNever;
    return;
  }
  // The Markov chain starts in its stationary state; the rest of a geometric length is geometric too.
  const double in_burst = parameters_.burst_cycles / (parameters_.burst_cycles + parameters_.pause_cycles);
  if (random_.uniform() < in_burst)
    burst_end_ = random_.geometric(1 / parameters_.burst_cycles);
  else
    burst_end_ = 0;
}

Cycle BurstyInjection::next() {
  // Trials count only cycles of bursts; pauses are skipped.
  Cycle trials = random_.geometric(parameters_.probability);
  while (trials > burst_end_ - cycle_) {
    trials -= burst_end_ - cycle_;
    cycle_ = later(burst_end_, random_.geometric(1 / parameters_.pause_cycles));
    burst_end_ = later(cycle_, random_.geometric(1 / parameters_.burst_cycles));
    if (burst_end_ == kNever) return cycle_ = kNever;
  }
  cycle_ += trials;
  return cycle_ - 1;
}

}  // namespace flitmend
