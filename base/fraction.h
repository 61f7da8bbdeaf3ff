// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace flitmend {

/// A positive fraction in lowest terms.
struct Fraction {
  std::uint64_t numerator = 1;
  std::uint64_t denominator = 1;
  friend bool operator==(const Fraction&, const Fraction&) = default;
};

/// The fraction that a rounded number stands for: that of the smallest denominator within 2^-50 of `x`,
/// relative to it. So 0.2 is 1/5, and 0.35 · 4/7 is 1/5 too. Decimals of up to 7 digits are found, and
/// quotients with denominators up to about 10^7. x > 0; numbers from 2^62 on and below 2^-62 become these.
Fraction simplest_fraction(double x);

}  // namespace flitmend
