// SPDX-License-Identifier: Apache-2.0
#pragma once
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

}  // namespace flitmend
