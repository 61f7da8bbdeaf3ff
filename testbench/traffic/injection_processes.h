// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/multiprecision/cpp_int.hpp>

#include "base/fraction.h"
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

/// Message i is created at cycle ⌊(phase + i) · interval⌋, exactly.
class FixedIntervalInjection : public InjectionProcess {
 public:
  /// The interval is length / load cycles, which need not be whole. 0 ≤ phase < 1, in multiples of 2^-53.
  FixedIntervalInjection(Fraction length, Fraction load, double phase);
  Cycle next() override;

 private:
  using Ticks = boost::multiprecision::uint256_t;  ///< multiples of 1 / per_cycle_ cycles
  struct Time {
    Cycle cycles = 0;  ///< kEndOfTime: too many
    Ticks rest;        ///< less than a cycle
  };
  Time split(const Ticks&) const;

  Ticks per_cycle_;
  Time interval_;
  Time next_;  ///< of the next message
};

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
