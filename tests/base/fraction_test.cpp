// SPDX-License-Identifier: Apache-2.0
#include "base/fraction.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/random_stream.h"

namespace flitmend {
namespace {

TEST(Fraction, IsTheOneThatWasRounded) {
  EXPECT_EQ(simplest_fraction(0.2), (Fraction{1, 5}));
  EXPECT_EQ(simplest_fraction(0.35 * 4 / 7), (Fraction{1, 5})) << "rounded twice";
  EXPECT_EQ(simplest_fraction(1.0 / 3), (Fraction{1, 3}));
  EXPECT_EQ(simplest_fraction(65535), (Fraction{65535, 1}));
  EXPECT_EQ(simplest_fraction(0.1234567), (Fraction{1234567, 10000000}));
  RandomStream random(1, RandomPurpose::injection, 0);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t denominator = 1 + random.below(10'000'000);
    const std::uint64_t numerator = 1 + random.below(static_cast<std::uint32_t>(denominator));
    const std::uint64_t common = std::gcd(numerator, denominator);
    ASSERT_EQ(simplest_fraction(static_cast<double>(numerator) / static_cast<double>(denominator)),
              (Fraction{numerator / common, denominator / common}));
  }
}

TEST(Fraction, NumbersOutsideItsRangeBecomeItsEnds) {
  for (const auto& [x, end] : {std::pair(1e-300, 0x1p-62), std::pair(1e300, 0x1p62)}) {
    const Fraction f = simplest_fraction(x);
    EXPECT_NEAR(static_cast<double>(f.numerator) / static_cast<double>(f.denominator) / end, 1, 1e-15);
  }
}

}  // namespace
}  // namespace flitmend
