// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "testbench/traffic/length.h"

namespace flitmend {

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
