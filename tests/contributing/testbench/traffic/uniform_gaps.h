// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/random_stream.h"
#include "testbench/traffic/injection.h"

namespace flitmend {

/// Gaps uniform between 0 and twice their mean, in continuous time; a message enters in the cycle of its
/// arrival.
class UniformGaps : public InjectionProcess {
 public:
  UniformGaps(double messages_per_cycle, RandomStream random)
      : longest_gap_(2 / messages_per_cycle), random_(random) {}
  Cycle next() override;

 private:
  double longest_gap_;
  RandomStream random_;
  double arrival_ = 0;
};

}  // namespace flitmend
