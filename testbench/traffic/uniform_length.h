// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "testbench/traffic/length.h"

namespace flitmend {

/// min … max with equal probability.
class UniformLength : public LengthDistribution {
 public:
  UniformLength(std::uint32_t min, std::uint32_t max) : min_(min), max_(max) {}
  std::uint32_t draw(RandomStream& random) const override { return min_ + random.below(max_ - min_ + 1); }
  double mean() const override { return (min_ + max_) / 2.0; }
  std::uint32_t longest() const override { return max_; }

 private:
  std::uint32_t min_;
  std::uint32_t max_;
};

}  // namespace flitmend
