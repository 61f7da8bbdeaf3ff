// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "testbench/traffic/injection.h"

namespace flitmend {

/// Message i is created at cycle ⌊phase + i · interval⌋.
class FixedIntervalInjection : public InjectionProcess {
 public:
  /// interval > 0 cycles, 0 ≤ phase ≤ interval; neither need be whole.
  FixedIntervalInjection(double interval, double phase) : interval_(interval), phase_(phase) {}
  Cycle next() override;

 private:
  double interval_;
  double phase_;
  double count_ = 0;
};

}  // namespace flitmend
