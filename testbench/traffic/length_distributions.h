// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "testbench/traffic/length.h"

namespace flitmend {

/// Every message has the same length.
class FixedLength : public LengthDistribution {
 public:
  explicit FixedLength(std::uint32_t length) : length_(length) {}
  std::uint32_t draw(RandomStream&) const override { return length_; }
  double mean() const override { return length_; }
  std::uint32_t longest() const override { return length_; }

 private:
  std::uint32_t length_;
};

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

/// Long with a fixed probability, else short.
class BimodalLength : public LengthDistribution {
 public:
  BimodalLength(std::uint32_t brief, std::uint32_t extended, double long_fraction)
      : short_(brief), long_(extended), long_fraction_(long_fraction) {}
  std::uint32_t draw(RandomStream& random) const override {
    return random.uniform() < long_fraction_ ? long_ : short_;
  }
  double mean() const override { return short_ + (static_cast<double>(long_) - short_) * long_fraction_; }
  std::uint32_t longest() const override {
    if (long_fraction_ <= 0) return short_;
    return long_fraction_ >= 1 || long_ > short_ ? long_ : short_;
  }

 private:
  std::uint32_t short_;
  std::uint32_t long_;
  double long_fraction_;
};

}  // namespace flitmend
