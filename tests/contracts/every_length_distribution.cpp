// SPDX-License-Identifier: Apache-2.0
#include "contracts/every_length_distribution.h"

#include <cmath>

#include "base/errors.h"
#include "contracts/options.h"
#include "support/statistics.h"

namespace flitmend {

TEST_P(EveryLengthDistribution, DescribesItselfAndExercisesItsOptions) {
  EXPECT_FALSE(GetParam().description.empty());
  expect_examples_exercise(GetParam().options, GetParam().examples, TrafficSettings());
}

TEST_P(EveryLengthDistribution, DrawsHaveItsMeanAndItsLongest) {
  for (const TrafficSettings& settings : with_defaults(GetParam().examples)) {
    const auto lengths = GetParam().make(settings);
    EXPECT_LE(lengths->longest(), kLongestMessage);
    constexpr int kDraws = 200000;
    RandomStream random(2, RandomPurpose::message_length);
    test::Moments moments;
    for (int i = 0; i < kDraws; ++i) {
      const std::uint32_t length = lengths->draw(random);
      ASSERT_GE(length, 1u);
      ASSERT_LE(length, lengths->longest());
      moments.add(length);
    }
    const double deviation = std::sqrt(moments.variance() / kDraws);
    EXPECT_NEAR(moments.mean(), lengths->mean(), 4.5 * deviation + 1e-9);
  }
}

TEST_P(EveryLengthDistribution, RefusesMessagesThatCannotBe) {
  for (const std::int64_t length : {std::int64_t{0}, std::int64_t{-3}, std::int64_t{kLongestMessage} + 1}) {
    TrafficSettings settings;
    settings.message_length = length;
    EXPECT_THROW(GetParam().make(settings), ConfigurationError) << length;
  }
}

}  // namespace flitmend
