// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "testbench/traffic/length.h"

namespace flitmend {

/// The sum of two uniform lengths: from 1 to 2·mean − 1, most often the mean.
class TriangularLength : public LengthDistribution {
 public:
  explicit TriangularLength(std::uint32_t mean) : mean_(mean) {}
  std::uint32_t draw(RandomStream& random) const override {
    return 1 + random.below(mean_) + random.below(mean_);
  }
  double mean() const override { return mean_; }
  std::uint32_t longest() const override { return 2 * mean_ - 1; }

 private:
  std::uint32_t mean_;
};

}  // namespace flitmend
