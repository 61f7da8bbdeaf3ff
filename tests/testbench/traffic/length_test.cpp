// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "base/errors.h"
#include "contracts/every_length_distribution.h"
#include "support/files.h"
#include "support/statistics.h"
#include "testbench/traffic/length.h"

namespace flitmend {
namespace {

test::Moments draw(const LengthDistribution& lengths, std::uint32_t min, int draws = 200000) {
  RandomStream random(2, RandomPurpose::message_length);
  test::Moments moments;
  for (int i = 0; i < draws; ++i) {
    const std::uint32_t length = lengths.draw(random);
    EXPECT_GE(length, min);
    EXPECT_LE(length, lengths.longest());
    moments.add(length);
  }
  return moments;
}

TEST(Lengths, FixedIsFixed) {
  const FixedLength lengths(5);
  RandomStream random;
  EXPECT_EQ(lengths.draw(random), 5u);
  EXPECT_EQ(lengths.mean(), 5);
  EXPECT_EQ(lengths.longest(), 5u);
}

TEST(Lengths, UniformHasMeanAndVarianceOfItsInterval) {
  const UniformLength lengths(3, 14);
  EXPECT_EQ(lengths.mean(), 8.5);
  const test::Moments m = draw(lengths, 3);
  const double variance = (12 * 12 - 1) / 12.0;
  EXPECT_NEAR(m.mean(), 8.5, 4.5 * std::sqrt(variance / 200000));
  EXPECT_NEAR(m.variance(), variance, 0.02 * variance);
}

TEST(Lengths, NormalHasItsCentreAsMeanWhereTheLimitsAreSymmetric) {
  const NormalLength lengths(20, 3, 1, 39);
  EXPECT_NEAR(lengths.mean(), 20, 1e-9);
  const test::Moments m = draw(lengths, 1);
  EXPECT_NEAR(m.mean(), 20, 4.5 * 3 / std::sqrt(200000));
  EXPECT_NEAR(m.variance(), 9 + 1.0 / 12, 0.2) << "rounding adds 1/12 (Sheppard)";
}

TEST(Lengths, NormalIsTheRoundedCutNormalDistribution) {
  const double centre = 6, deviation = 4;
  const NormalLength lengths(centre, deviation, 2, 16);
  const auto below = [&](double x) { return std::erfc((centre - x) / deviation / std::sqrt(2.0)) / 2; };
  constexpr int kDraws = 300000;
  std::vector<std::uint64_t> counts(17);
  RandomStream random(4, RandomPurpose::message_length);
  for (int i = 0; i < kDraws; ++i) ++counts.at(lengths.draw(random));
  std::vector<double> expected(17);
  const double all = below(16.5) - below(1.5);
  double mean = 0;
  for (int l = 2; l <= 16; ++l) {
    const double p = (below(l + 0.5) - below(l - 0.5)) / all;
    expected[l] = kDraws * p;
    mean += p * l;
  }
  EXPECT_LT(test::chi_square_score(counts, expected), 3.3);
  EXPECT_NEAR(lengths.mean(), mean, 1e-9);
  EXPECT_GT(mean, 6.5) << "the cut at 2 moves the mean, and mean() says so";
}

TEST(Lengths, BimodalMixesTwoLengths) {
  const BimodalLength lengths(3, 11, 0.25);
  EXPECT_EQ(lengths.mean(), 5);
  EXPECT_EQ(lengths.longest(), 11u);
  EXPECT_NEAR(draw(lengths, 3).mean(), 5, 4.5 * 8 * std::sqrt(0.25 * 0.75 / 200000));
  EXPECT_EQ(BimodalLength(3, 11, 0).longest(), 3u);
  EXPECT_EQ(BimodalLength(11, 3, 1).longest(), 3u);
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryLengthDistribution,
                         testing::ValuesIn(length_distributions().entries()), test_name<LengthEntry>);

class LengthSettings : public testing::Test {
 protected:
  std::unique_ptr<LengthDistribution> make() {
    return length_distributions().at(settings.length_distribution).make(settings);
  }
  std::string refusal() {
    return test::message_of<ConfigurationError>([&] { make(); });
  }
  TrafficSettings settings;
};

TEST_F(LengthSettings, MessageLengthIsTheMeanWhereNoLongestIsGiven) {
  for (const char* name : {"fixed", "uniform", "normal"})
    for (std::int64_t length : {1, 5, 32, 1000}) {
      settings.length_distribution = name;
      settings.message_length = length;
      settings.options.set("message_length_deviation", 0.4 * static_cast<double>(length));
      EXPECT_NEAR(make()->mean(), static_cast<double>(length), 1e-9 * static_cast<double>(length)) << name;
    }
}

// Between two given lengths there is nothing for message_length to say.
TEST_F(LengthSettings, UniformBetweenTwoLengthsIsFarFromTheDefaultLength) {
  settings.length_distribution = "uniform";
  for (const auto& [shortest, longest] : {std::pair(200, 201), std::pair(1, 2), std::pair(65535, 65535)}) {
    settings.options.set("message_length_min", shortest);
    settings.options.set("message_length_max", longest);
    EXPECT_EQ(make()->mean(), (shortest + longest) / 2.0);
    EXPECT_EQ(make()->longest(), static_cast<std::uint32_t>(longest));
  }
}

TEST_F(LengthSettings, RefusesLengthsThatCannotBe) {
  for (std::int64_t length : {std::int64_t{0}, std::int64_t{-3}, std::int64_t{65536}}) {
    settings.message_length = length;
    EXPECT_EQ(refusal(),
              "traffic.message_length: a message must have 1 to 65535 flits, not " + std::to_string(length));
  }
  settings.message_length = 65535;
  EXPECT_EQ(make()->mean(), 65535);
  settings.length_distribution = "uniform";
  EXPECT_EQ(refusal(), "traffic.message_length_max: a message must have 1 to 65535 flits, not 131069");
  settings.message_length = 5;
  settings.options.set("message_length_min", 6);
  EXPECT_EQ(
      refusal(),
      "traffic.message_length_min: 6 is more than message_length, 5; lower it, or raise message_length, or "
      "give message_length_max");
  settings.options.set("message_length_max", 4);
  EXPECT_EQ(refusal(),
            "traffic.message_length_max: 4 is less than message_length_min, 6; raise it, or lower "
            "message_length_min");
  settings.length_distribution = "normal";
  EXPECT_EQ(
      refusal(),
      "traffic.message_length_min: 6 is more than message_length, 5; lower it, or raise message_length");
  settings.options.set("message_length_min", 2);
  EXPECT_EQ(
      refusal(),
      "traffic.message_length_max: 4 is less than message_length, 5; raise it, or lower message_length");
  settings.options.set("message_length_max", 0);
  settings.options.set("message_length_deviation", 0.0);
  EXPECT_EQ(refusal(),
            "traffic.message_length_deviation: 0; it must be above 0 (use length_distribution fixed for "
            "equal lengths)");
  settings.length_distribution = "bimodal";
  settings.options.set("message_length_long", 70000);
  EXPECT_EQ(refusal(), "traffic.message_length_long: a message must have 1 to 65535 flits, not 70000");
  settings.options.set("message_length_long_fraction", 1.5);
  EXPECT_EQ(refusal(), "traffic.message_length_long_fraction: 1.5; it must be from 0 to 1");
  settings.length_distribution = "gaussian";
  EXPECT_EQ(refusal().find("unknown length distribution 'gaussian'; known: fixed, "), 0u);
}

}  // namespace
}  // namespace flitmend
