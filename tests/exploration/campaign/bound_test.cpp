// SPDX-License-Identifier: Apache-2.0
#include "exploration/campaign/bounds.h"

#include <gtest/gtest.h>

#include <cmath>

namespace flitmend {
namespace {

/// Probability of at most `failures` in `trials`, term by term.
double at_most(std::uint64_t failures, std::uint64_t trials, double p) {
  double sum = 0;
  const auto n = static_cast<double>(trials);
  for (std::uint64_t k = 0; k <= failures; ++k) {
    const auto i = static_cast<double>(k);
    sum += std::exp(std::lgamma(n + 1) - std::lgamma(i + 1) - std::lgamma(n - i + 1) + i * std::log(p) +
                    (n - i) * std::log1p(-p));
  }
  return sum;
}

TEST(Bound, WithoutAFailureHasItsClosedForm) {
  EXPECT_DOUBLE_EQ(upper_bound(0, 1, 0.95), 0.95);
  EXPECT_NEAR(upper_bound(0, 3000, 0.95), 1 - std::pow(0.05, 1.0 / 3000), 1e-12);
  EXPECT_LT(upper_bound(0, 3000, 0.95), 1e-3);
  EXPECT_GT(upper_bound(0, 2990, 0.95), 1e-3);
  EXPECT_LT(upper_bound(0, 46100, 0.99), 1e-4);
}

TEST(Bound, IsWhereSoFewFailuresAreAsUnlikelyAsStated) {
  for (const std::uint64_t trials : {5u, 100u, 3000u})
    for (const std::uint64_t failures : {0u, 1u, 2u, 4u})
      for (const double confidence : {0.5, 0.95, 0.99})
        EXPECT_NEAR(at_most(failures, trials, upper_bound(failures, trials, confidence)), 1 - confidence,
                    1e-9)
            << failures << " of " << trials;
}

TEST(Bound, SaysNothingWhereEverythingFailedOrNothingWasTried) {
  EXPECT_EQ(upper_bound(0, 0, 0.95), 1);
  EXPECT_EQ(upper_bound(7, 7, 0.95), 1);
}

}  // namespace
}  // namespace flitmend
