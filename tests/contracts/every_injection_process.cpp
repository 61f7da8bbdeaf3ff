// SPDX-License-Identifier: Apache-2.0
#include "contracts/every_injection_process.h"

#include <cmath>

#include "base/errors.h"
#include "contracts/options.h"
#include "support/statistics.h"

namespace flitmend {
namespace {

RandomStream injection_stream(std::uint32_t index = 0) {
  return RandomStream(3, RandomPurpose::injection, index);
}

std::vector<TrafficSettings> injection_settings(const InjectionEntry& entry) {
  std::vector<TrafficSettings> all = with_defaults(entry.examples);
  for (TrafficSettings& s : all) s.injection = entry.name;
  return all;
}

}  // namespace

TEST_P(EveryInjectionProcess, DescribesItselfAndExercisesItsOptions) {
  EXPECT_FALSE(GetParam().description.empty());
  expect_examples_exercise(GetParam().options, GetParam().examples, TrafficSettings());
}

TEST_P(EveryInjectionProcess, EndsAtTheEndOfTimeInsteadOfBeginningAgain) {
  for (const TrafficSettings& settings : injection_settings(GetParam())) {
    const auto process = GetParam().make({settings, 1e-300, 65535, 1}, injection_stream());
    Cycle last = 0;
    for (int i = 0; i < 20; ++i) {
      const Cycle next = process->next();
      EXPECT_GE(next, last);
      last = next;
    }
    EXPECT_EQ(last, kNever);
  }
}

TEST_P(EveryInjectionProcess, KeepsTheLoadAndTheVariationOfItsGaps) {
  for (const TrafficSettings& settings : injection_settings(GetParam()))
    for (const double load : {0.05, 0.6, 0.995}) {
      constexpr double kLength = 7.5;
      constexpr int kMessages = 200000;
      const auto process = GetParam().make({settings, load, kLength, 1}, injection_stream());
      test::Moments gaps;
      Cycle last = 0;
      for (int i = 0; i < kMessages; ++i) {
        const Cycle next = process->next();
        ASSERT_GE(next, last);
        gaps.add(static_cast<double>(next - last));
        last = next;
      }
      const double expected = kLength / load, deviation = std::sqrt(gaps.variance());
      // Gaps are whole cycles: rounding adds a deviation of up to half a cycle.
      EXPECT_LE(deviation, 1.1 * GetParam().gap_variation * expected + 0.51) << load;
      const double tolerance = 1e-5 + 4.5 * GetParam().gap_variation / std::sqrt(kMessages);
      EXPECT_NEAR(kMessages * expected / static_cast<double>(last), 1, tolerance) << load;
    }
}

TEST_P(EveryInjectionProcess, OffersItsHighestLoadAndRefusesMore) {
  for (const TrafficSettings& settings : injection_settings(GetParam()))
    for (const double limit : {0.5, 1.0, 4.0}) {
      const InjectionContext any{settings, 0, 2, limit};
      const double most = GetParam().most(any);
      EXPECT_GT(most, 0);
      EXPECT_LE(most, limit);
      try {
        const auto process = GetParam().make({settings, most, 2, limit}, injection_stream());
        EXPECT_NE(process->next(), kNever);
      } catch (const ConfigurationError&) {
        // An option alone can ask for more than such a node can inject.
        EXPECT_FALSE(GetParam().options.empty());
        EXPECT_LT(limit, 1);
      }
      if (most == limit) continue;  // more is refused for every process, by SyntheticTraffic
      EXPECT_THROW(GetParam().make({settings, 1.01 * most, 2, limit}, injection_stream()), ConfigurationError)
          << most << " of " << limit;
    }
}

TEST_P(EveryInjectionProcess, NodesDrawApart) {
  for (const TrafficSettings& settings : injection_settings(GetParam())) {
    const auto draw = [&](std::uint32_t node) {
      const auto process = GetParam().make({settings, 0.37, 5, 1}, injection_stream(node));
      std::vector<Cycle> cycles;
      for (int i = 0; i < 100; ++i) cycles.push_back(process->next());
      return cycles;
    };
    EXPECT_EQ(draw(3), draw(3));
    if (GetParam().gap_variation > 0) {
      EXPECT_NE(draw(3), draw(4));
    }
  }
}

}  // namespace flitmend
