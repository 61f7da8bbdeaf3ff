// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "testbench/traffic/length.h"

namespace flitmend {

/// A normal distribution rounded to whole flits and truncated at min and max:
/// P(l) ∝ Φ((l + ½ − centre)/deviation) − Φ((l − ½ − centre)/deviation), min ≤ l ≤ max.
class NormalLength : public LengthDistribution {
 public:
  /// min ≤ centre ≤ max, deviation > 0.
  NormalLength(double centre, double deviation, std::uint32_t min, std::uint32_t max);
  std::uint32_t draw(RandomStream&) const override;
  double mean() const override { return mean_; }
  std::uint32_t longest() const override {
    return first_ + static_cast<std::uint32_t>(cumulative_.size()) - 1;
  }

 private:
  std::uint32_t first_;
  std::vector<double> cumulative_;  ///< of first_, first_ + 1, …
  double mean_ = 0;
};

}  // namespace flitmend
