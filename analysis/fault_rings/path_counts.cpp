// SPDX-License-Identifier: Apache-2.0
#include "analysis/fault_rings/path_counts.h"

#include <cmath>

namespace flitmend {
namespace {

/// a / b for 0 ≤ a ≤ b, b > 0, of any size.
double quotient(const BigCount& a, const BigCount& b) {
  if (a == 0) return 0;
  // 2^64 ≤ shifted a / b, so the integer quotient has more digits than a double.
  const auto bits = [](const BigCount& v) { return static_cast<int>(msb(v)); };
  const int shift = 65 + bits(b) - bits(a);
  const BigCount scaled = (a << static_cast<unsigned>(shift)) / b;
  return std::ldexp(scaled.convert_to<double>(), -shift);
}

}  // namespace

double PathCounts::p_miss() const {
  return quotient(missing, total);
}

double PathCounts::p_hit() const {
  return quotient(total - missing, total);
}

}  // namespace flitmend
