// SPDX-License-Identifier: Apache-2.0
#include "analysis/kns_tolerance/survey.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "analysis/kns_tolerance/classifier.h"
#include "analysis/kns_tolerance/closed_forms.h"
#include "analysis/kns_tolerance/combinations.h"
#include "support/message_of.h"

namespace flitmend {
namespace {

KnsSurveySettings faults(std::int64_t f, unsigned max = 2, unsigned jobs = 0) {
  KnsSurveySettings settings;
  settings.faults = f;
  settings.max_intermediates = max;
  settings.jobs = jobs;
  return settings;
}

/// Percent of pairs that use two intermediates, over all combinations of two faults. By symmetry the first
/// link can be fixed to one of each dimension.
double exact_two_intermediates_of_two_faults(const KnsShape& shape) {
  KnsClassifier classifier(shape, 2, IntermediatePolicy::fewest);
  std::uint64_t pairs = 0;
  for (unsigned i = 0; i < shape.n(); ++i)
    for (std::uint32_t l = 0; l < shape.link_count(); ++l) {
      const std::vector<KnsLink> links{{0, i}, shape.link(l)};
      if (links[0] != links[1]) pairs += classifier.classify(links).pairs[2];
    }
  return 100. * double(pairs) / double(shape.n()) / (shape.link_count() - 1) / double(shape.pair_count());
}

}  // namespace

TEST(KnsSurvey, ExhaustiveCountsOfTheSpecification) {
  const KnsShape small(3, 2);
  const KnsSurvey two = survey_all(small, faults(2));
  EXPECT_TRUE(two.exhaustive);
  EXPECT_EQ(two.combinations, 153u);
  EXPECT_EQ(two.connected, 144u);
  EXPECT_EQ(two.tolerated[1], 108u);
  EXPECT_EQ(two.tolerated[2], 144u);
  const KnsSurvey three = survey_all(small, faults(3));
  EXPECT_EQ(three.combinations, 816u);
  EXPECT_EQ(three.connected, 630u);
  EXPECT_EQ(three.tolerated[1], 162u);
  EXPECT_EQ(three.tolerated[2], 630u);
  const KnsSurvey cube = survey_all(KnsShape(3, 3), faults(2));
  EXPECT_EQ(cube.combinations, 3240u);
  EXPECT_EQ(cube.tolerated[1], 3240u);
  EXPECT_EQ(cube.tolerated[0], 0u);
}

TEST(KnsSurvey, Lemma1HoldsAndIsTight) {
  for (const auto& [k, n] : {std::pair{3, 1}, {3, 2}, {5, 2}, {2, 3}, {3, 3}, {2, 4}}) {
    const KnsShape shape(k, n);
    const KnsSurvey held = survey_all(shape, faults(n - 1, 1));
    EXPECT_EQ(held.tolerated[1], held.combinations) << shape.description();
    const KnsSurvey more = survey_all(shape, faults(n, 1));
    EXPECT_LT(more.tolerated[1], more.connected + (n == 1)) << shape.description();  // n = 1: never connected
  }
}

// Over connected combinations only: 2(n − 1) + k − 3 for n > 2, 2k − 3 for n = 2 (the printed 2k − 1 is
// wrong).
TEST(KnsSurvey, Lemma2HoldsOverConnectedCombinations) {
  struct Case {
    int k, n, f;
  };
  for (const Case& c : {Case{3, 2, 3}, Case{4, 2, 5}, Case{2, 3, 3}}) {
    const KnsShape shape(c.k, c.n);
    for (int f = 1; f <= c.f; ++f) {
      const KnsSurvey held = survey_all(shape, faults(f));
      EXPECT_EQ(held.tolerated[2], held.connected) << shape.description() << " f=" << f;
    }
    const KnsSurvey more = survey_all(shape, faults(c.f + 1));
    EXPECT_LT(more.tolerated[2], more.connected) << shape.description();
  }
}

TEST(KnsSurvey, EveryPairIsCountedOnce) {
  for (const auto policy : {IntermediatePolicy::fewest, IntermediatePolicy::minimal_first}) {
    KnsSurveySettings settings = faults(9, 3);
    settings.policy = policy;
    const KnsSurvey survey = survey_samples(KnsShape(4, 3), settings, 200);
    KnsSurvey::Count sum = survey.unreachable;
    for (const auto pairs : survey.pairs) sum += pairs;
    EXPECT_EQ(static_cast<std::uint64_t>(sum), 200u * 64 * 63);
    EXPECT_EQ(survey.pairs[4], 0u);
  }
}

TEST(KnsSurvey, TheNumberOfThreadsChangesNothing) {
  KnsSurveySettings settings = faults(12);
  settings.policy = IntermediatePolicy::minimal_first;
  const KnsShape shape(6, 3);
  settings.jobs = 1;
  const KnsSurvey one = survey_samples(shape, settings, 3000);
  const std::uint64_t tolerated = count_tolerated(shape, settings, 3000);
  EXPECT_EQ(tolerated, one.tolerated[2]);
  for (const unsigned jobs : {2u, 5u}) {
    settings.jobs = jobs;
    const KnsSurvey more = survey_samples(shape, settings, 3000);
    EXPECT_EQ(more.connected, one.connected);
    EXPECT_EQ(more.tolerated, one.tolerated);
    EXPECT_EQ(more.pairs, one.pairs);
    EXPECT_EQ(count_tolerated(shape, settings, 3000), tolerated);
  }
  settings.seed = 2;
  EXPECT_NE(survey_samples(shape, settings, 3000).pairs, one.pairs);
  KnsSurveySettings all = faults(3, 2, 1);
  const KnsSurvey whole = survey_all(KnsShape(3, 2), all);
  for (const unsigned jobs : {2u, 5u}) {
    all.jobs = jobs;
    const KnsSurvey more = survey_all(KnsShape(3, 2), all);
    EXPECT_EQ(more.pairs, whole.pairs);
    EXPECT_EQ(more.pair_squares, whole.pair_squares);
    EXPECT_EQ(more.tolerated, whole.tolerated);
  }
}

TEST(KnsSurvey, SamplesAgreeWithTheExhaustiveSurvey) {
  const KnsShape shape(3, 2);
  const KnsSurvey all = survey_all(shape, faults(4));
  const KnsSurvey some = survey_samples(shape, faults(4), 16'588);
  for (unsigned x = 0; x <= 2; ++x)
    EXPECT_NEAR(some.share(some.tolerated[x]), all.share(all.tolerated[x]), .01);
  for (unsigned x = 0; x <= 2; ++x)
    EXPECT_NEAR(some.pair_share(some.pairs[x]), all.pair_share(all.pairs[x]), .01);
}

// Column "2 inter." of [Penaranda17 Table I(a)]. 0.00018 at 4 faults is a misprint of 0.000018.
TEST(KnsSurvey, TwoIntermediatesOfTable1a) {
  const KnsShape shape(32, 2);
  EXPECT_NEAR(exact_two_intermediates_of_two_faults(shape), 3e-6, .05 * 3e-6);
  const double printed[] = {9e-6,    1.8e-5,  3.1e-5,  4.6e-5,  6.7e-5,  8.7e-5, 1.15e-4,
                            1.45e-4, 1.79e-4, 2.16e-4, 2.57e-4, 3.07e-4, 3.6e-4};
  for (int f = 3; f <= 15; ++f) {
    const KnsSurvey survey = survey_samples(shape, faults(f), 40'000);
    // Half a unit of the printed digit plus the sampling error: each hit contributes several pairs at once.
    EXPECT_NEAR(100 * survey.pair_share(survey.pairs[2]), printed[f - 3], .05 * printed[f - 3] + 6e-7) << f;
    EXPECT_NEAR(survey.pair_share(survey.pairs[1] + survey.pairs[2] + survey.unreachable),
                kns_faulty_pair_share(shape, f), 1e-5)
        << f;
  }
}

// In three dimensions with k > 2, three faulty links make 2(k + 2)(k − 1)N pairs need two intermediates, over
// all combinations. That is 4.81e-9 % of all pairs of all combinations of KNS(10, 3).
TEST(KnsSurvey, ThreeFaultsInThreeDimensionsExactly) {
  const auto pairs = [](const KnsShape& s) {
    return 2 * std::uint64_t{s.k() + 2} * (s.k() - 1) * s.node_count();
  };
  for (const int k : {3, 4}) {
    const KnsShape shape(k, 3);
    EXPECT_EQ(static_cast<std::uint64_t>(survey_all(shape, faults(3)).pairs[2]), pairs(shape)) << k;
  }
  const KnsShape ten(10, 3);
  const double combinations = double(*combination_count(ten.link_count(), 3));
  EXPECT_NEAR(100. * double(pairs(ten)) / combinations / double(ten.pair_count()), 4.81e-9, 5e-12);
}

// Column "2 inter." of [Penaranda17 Table I(b)]: about C(f, 3)·4.8e-9 %, which counts only triples;
// combinations of four add about one percent per fault.
TEST(KnsSurvey, TwoIntermediatesOfTable1b) {
  const KnsShape shape(10, 3);
  for (const int f : {10, 15}) {
    const KnsSurvey survey = survey_samples(shape, faults(f), 60'000);
    const double triples = f * (f - 1) * (f - 2) / 6 * 4.8e-9;
    const double share = 100 * survey.pair_share(survey.pairs[2]),
                 sampling = 300 * survey.pair_share_error(2);
    EXPECT_GT(share + sampling, triples * (1 + .005 * (f - 3))) << f;
    EXPECT_LT(share - sampling, triples * (1 + .015 * (f - 3))) << f;
    EXPECT_LT(sampling, .25 * triples) << f;
    EXPECT_NEAR(survey.share(survey.tolerated[2]), kns_no_isolated_router(shape, f), 2e-4) << f;
  }
  // 10 faults with one intermediate: 99.46 %, printed as more than 99.5 %.
  const KnsSurvey one = survey_samples(shape, faults(10, 1), 60'000);
  EXPECT_NEAR(100 * one.share(one.tolerated[1]), 99.46, .1);
}

// The spread between combinations, also if the squares of all pairs would not fit in 128 bits.
TEST(KnsSurvey, StandardErrorsOfPairs) {
  for (const KnsShape& shape : {KnsShape(6, 2), KnsShape(1 << 15, 2)}) {
    constexpr std::uint64_t kSamples = 300;
    const KnsSurvey survey = survey_samples(shape, faults(3, 2, 1), kSamples);
    KnsClassifier classifier(shape, 2, IntermediatePolicy::fewest);
    SubsetSampler sampler;
    std::vector<std::uint32_t> numbers(3);
    std::vector<double> faulty;
    double sum = 0;
    for (std::uint32_t i = 0; i < kSamples; ++i) {
      RandomStream random(1, RandomPurpose::analysis, i);
      sampler.draw(shape.link_count(), numbers, random);
      std::vector<KnsLink> links;
      for (const std::uint32_t number : numbers) links.push_back(shape.link(number));
      faulty.push_back(double(shape.pair_count() - classifier.classify(links).pairs[0]));
      sum += faulty.back();
    }
    double squares = 0;
    for (const double f : faulty) squares += (f - sum / kSamples) * (f - sum / kSamples);
    const double expected = std::sqrt(squares / (kSamples - 1) / kSamples) / double(shape.pair_count());
    EXPECT_GT(expected, 0);
    EXPECT_NEAR(survey.pair_share_error(0), expected, 1e-6 * expected);
  }
}

TEST(KnsSurvey, IntervalsNeverVanish) {
  const KnsShape shape(32, 2);
  const KnsSurvey one = survey_samples(shape, faults(1), 1);
  EXPECT_EQ(one.interval(one.connected, .99), std::nullopt);
  EXPECT_EQ(one.pair_interval(1, .99), std::nullopt);
  // One faulty link: all combinations are equivalent.
  const KnsSurvey alike = survey_samples(shape, faults(1), 1000);
  EXPECT_EQ(alike.connected, 1000u);
  EXPECT_EQ(alike.pair_share_error(1), 0);
  EXPECT_LT(alike.interval(alike.connected, .99).value().low, .994);
  for (unsigned x = 0; x <= 2; ++x) {
    const ShareInterval within = alike.pair_interval(x, .99).value();
    EXPECT_GT(within.high - within.low, .005) << x;
    EXPECT_LE(within.low, alike.pair_share(alike.pairs[x])) << x;
    EXPECT_GE(within.high, alike.pair_share(alike.pairs[x])) << x;
  }
  const KnsSurvey all = survey_all(KnsShape(3, 2), faults(2));
  EXPECT_EQ(all.interval(all.connected, .99), std::nullopt);
  EXPECT_EQ(all.pair_interval(1, .99), std::nullopt);
}

// 99 % intervals of samples against the shares of the exhaustive survey.
TEST(KnsSurvey, IntervalsHoldTheExactShares) {
  const KnsShape shape(3, 2);
  const KnsSurvey all = survey_all(shape, faults(4));
  unsigned held = 0, intervals = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    KnsSurveySettings settings = faults(4);
    settings.seed = seed;
    const KnsSurvey some = survey_samples(shape, settings, 500);
    for (unsigned x = 0; x <= 2; ++x) {
      const ShareInterval one = some.interval(some.tolerated[x], .99).value(),
                          pairs = some.pair_interval(x, .99).value();
      const double tolerated = all.share(all.tolerated[x]), used = all.pair_share(all.pairs[x]);
      held += one.low <= tolerated && tolerated <= one.high;
      held += pairs.low <= used && used <= pairs.high;
      intervals += 2;
    }
  }
  EXPECT_GE(held, intervals * .97);
}

TEST(KnsSurvey, RefusesTheImpossible) {
  const KnsShape shape(3, 2);
  EXPECT_EQ(test::message_of([&] { survey_samples(shape, faults(19), 10); }),
            "faults is 19, but KNS(3, 2) has only 18 links");
  EXPECT_EQ(test::message_of([&] { survey_all(shape, faults(19)); }),
            "faults is 19, but KNS(3, 2) has only 18 links");
  EXPECT_EQ(test::message_of([&] { survey_samples(shape, faults(2), 0); }),
            "samples is 0; it must be 1 to 4000000000");
  EXPECT_EQ(test::message_of([&] { survey_samples(shape, faults(2), 5'000'000'000); }),
            "samples is 5000000000; it must be 1 to 4000000000");
  EXPECT_EQ(test::message_of([] { survey_samples(KnsShape(2, 26), faults(4096), 16'588); }),
            "16588 combinations of 4096 faults in KNS(2, 26) would take hours; draw fewer samples, or use "
            "fewer faults");
  EXPECT_EQ(test::message_of([] { count_tolerated(KnsShape(2, 26), faults(4096), 16'588); }),
            "16588 combinations of 4096 faults in KNS(2, 26) would take hours; draw fewer samples, or use "
            "fewer faults");
  EXPECT_EQ(test::message_of([] { survey_all(KnsShape(2, 4), faults(57)); }),
            "621216192 combinations of 57 faults in KNS(2, 4) would take hours; draw fewer samples, or use "
            "fewer faults");
  EXPECT_EQ(test::message_of([] { survey_all(KnsShape(10, 3), faults(4)); }),
            "C(3000, 4) combinations are more than 4000000000, too many to visit; draw samples instead");
  EXPECT_EQ(test::message_of([] { survey_all(KnsShape(10, 3), faults(1500)); }),
            "C(3000, 1500) combinations are more than 4000000000, too many to visit; draw samples instead");
}

}  // namespace flitmend
