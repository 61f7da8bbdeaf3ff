// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/random_stream.h"
#include "testbench/traffic/injection.h"

namespace flitmend {

/// On/off: in a burst one message per cycle with probability p, in a pause none. Bursts and pauses have
/// geometric lengths of at least one cycle. This is a Bernoulli process interrupted by a Markov chain with
/// two states.
class BurstyInjection : public InjectionProcess {
 public:
  struct Parameters {
    double probability = 1;   ///< of a message, per cycle of a burst, 0 < p ≤ 1
    double burst_cycles = 1;  ///< mean, ≥ 1
    double pause_cycles = 0;  ///< mean, ≥ 1; 0: the burst never ends
  };
  BurstyInjection(const Parameters&, RandomStream random);
  Cycle next() override;

 private:
  Parameters parameters_;
  RandomStream random_;
  Cycle cycle_ = 0;      ///< the first cycle of the burst that is not decided yet
  Cycle burst_end_ = 0;  ///< first cycle after the burst
};

}  // namespace flitmend
