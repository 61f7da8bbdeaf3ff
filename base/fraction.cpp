// SPDX-License-Identifier: Apache-2.0
#include "base/fraction.h"

#include <algorithm>
#include <cmath>

namespace flitmend {

// Continued fractions of both ends of the interval. While their terms agree, the result has the same terms.
// At the first difference, its term is the smaller one plus 1.
Fraction simplest_fraction(double x) {
  constexpr long double kTolerance = 0x1.0p-50L;
  const long double exact = std::clamp<long double>(x, 0x1.0p-62L, 0x1.0p62L);
  long double low = exact * (1 - kTolerance), high = exact * (1 + kTolerance);
  Fraction now{1, 0}, before{0, 1};
  for (;;) {
    const long double whole = std::floor(low);
    const bool last = whole == low || std::floor(high) > whole;
    const auto term = static_cast<std::uint64_t>(whole == low ? whole : last ? whole + 1 : whole);
    const Fraction next{term * now.numerator + before.numerator, term * now.denominator + before.denominator};
    if (last) return next;
    before = now;
    now = next;
    const long double reciprocal = 1 / (high - whole);
    high = 1 / (low - whole);
    low = reciprocal;
  }
}

}  // namespace flitmend
