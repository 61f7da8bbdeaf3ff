// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/multiprecision/cpp_int.hpp>

#include "base/fraction.h"
#include "testbench/traffic/injection.h"

namespace flitmend {

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

}  // namespace flitmend
