// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/random_stream.h"
#include "testbench/traffic/injection.h"

namespace flitmend {

/// Gaps that are sums of two uniform ones, up to twice their mean, in continuous time; a message enters in
/// the cycle of its arrival.
class TriangularGaps : public InjectionProcess {
 public:
  TriangularGaps(double messages_per_cycle, RandomStream random)
      : mean_gap_(1 / messages_per_cycle), random_(random) {}
  Cycle next() override;

 private:
  double mean_gap_;
  RandomStream random_;
  double arrival_ = 0;
};

}  // namespace flitmend
