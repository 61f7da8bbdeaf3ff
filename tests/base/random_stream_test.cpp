// SPDX-License-Identifier: Apache-2.0
#include "base/random_stream.h"

#include <gtest/gtest.h>

#include <array>

namespace flitmend {

TEST(RandomStream, DependsOnSeedPurposeAndIndexAlone) {
  RandomStream a(7, RandomPurpose::injection, 3), b(7, RandomPurpose::injection, 3);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(a.bits64(), b.bits64());
  RandomStream c(7, RandomPurpose::injection, 4), d(7, RandomPurpose::destination, 3),
      e(8, RandomPurpose::injection, 3);
  const std::uint64_t first = RandomStream(7, RandomPurpose::injection, 3).bits64();
  EXPECT_NE(c.bits64(), first);
  EXPECT_NE(d.bits64(), first);
  EXPECT_NE(e.bits64(), first);
}

TEST(RandomStream, BelowIsUniform) {
  RandomStream r(1, RandomPurpose::test);
  std::array<int, 7> count{};
  constexpr int kDraws = 70000;
  for (int i = 0; i < kDraws; ++i) ++count[r.below(7)];
  double chi_square = 0;
  for (int c : count) chi_square += (c - kDraws / 7.0) * (c - kDraws / 7.0) / (kDraws / 7.0);
  EXPECT_LT(chi_square, 22.46);  // 6 degrees of freedom, 99.9 %
  EXPECT_EQ(r.below(1), 0u);
}

TEST(RandomStream, GeometricHasMeanOneOverP) {
  RandomStream r(1, RandomPurpose::test, 1);
  for (double p : {0.9, 0.1, 0.004}) {
    double sum = 0;
    constexpr int kDraws = 200000;
    for (int i = 0; i < kDraws; ++i) sum += static_cast<double>(r.geometric(p));
    EXPECT_NEAR(sum / kDraws * p, 1.0, 0.02) << p;
  }
  EXPECT_EQ(r.geometric(1.0), 1u);
  EXPECT_GT(r.geometric(1e-300), std::uint64_t{1} << 40);
}

}  // namespace flitmend
