// SPDX-License-Identifier: Apache-2.0
#include "analysis/kns_tolerance/closed_forms.h"

#include <gtest/gtest.h>

#include "analysis/kns_tolerance/classifier.h"
#include "analysis/kns_tolerance/limits.h"
#include "analysis/kns_tolerance/survey.h"
#include "support/message_of.h"

namespace flitmend {

TEST(KnsClosedForms, PairsOverALink) {
  EXPECT_EQ(kns_pairs_over_link(KnsShape(32, 2)), 1984u);
  EXPECT_EQ(kns_pairs_over_link(KnsShape(10, 3)), 1800u);
  // Every link of KNS(4, 3): what one faulty link blocks.
  const KnsShape shape(4, 3);
  KnsClassifier classifier(shape, 1, IntermediatePolicy::fewest);
  for (std::uint32_t l = 0; l < shape.link_count(); ++l) {
    const KnsLink link = shape.link(l);
    EXPECT_EQ(shape.pair_count() - classifier.classify(std::span(&link, 1)).pairs[0],
              kns_pairs_over_link(shape));
  }
}

TEST(KnsClosedForms, DestinationsThatNeedAnIntermediate) {
  EXPECT_EQ(kns_destinations_cut(KnsShape(32, 2), 0), 31u * 32);
  EXPECT_EQ(kns_destinations_cut(KnsShape(10, 3), 2), 9u);
}

TEST(KnsClosedForms, FaultyPairsEqualTheExhaustiveMean) {
  for (const auto& [k, n] : {std::pair{3, 2}, {2, 3}, {5, 1}})
    for (int f = 0; f <= 4; ++f) {
      const KnsShape shape(k, n);
      KnsSurveySettings settings;
      settings.faults = f;
      settings.jobs = 1;
      const KnsSurvey survey = survey_all(shape, settings);
      EXPECT_NEAR(kns_faulty_pair_share(shape, f), 1 - survey.pair_share(survey.pairs[0]), 1e-14);
    }
  EXPECT_DOUBLE_EQ(kns_faulty_pair_share(KnsShape(3, 2), 18), 1);
}

// Columns "1 inter." of [Penaranda17 Table I]: the pairs whose plain path is faulty, minus those of isolated
// routers, which are in neither column (a router is isolated with probability C(L − n, f − n)/C(L, f)).
TEST(KnsClosedForms, TableOneByClosedForm) {
  const double a[] = {.19, .38, .57, .75, .94, 1.13, 1.32, 1.50, 1.69, 1.88, 2.06, 2.25, 2.43, 2.61, 2.80};
  for (int f = 1; f <= 15; ++f) {
    const double isolated = f * (f - 1) / (2048. * 2047);
    EXPECT_NEAR(100 * (kns_faulty_pair_share(KnsShape(32, 2), f) - 2 * isolated), a[f - 1], .01) << f;
  }
  for (const auto& [f, share] : {std::pair{1, .18}, {3, .54}, {6, 1.08}, {10, 1.79}, {12, 2.14}, {15, 2.67}})
    EXPECT_NEAR(100 * kns_faulty_pair_share(KnsShape(10, 3), f), share, .01) << f;
}

TEST(KnsClosedForms, NoIsolatedRouter) {
  const auto percent = [](int k, int n, int f) { return 100 * kns_no_isolated_router(KnsShape(k, n), f); };
  EXPECT_NEAR(percent(10, 3, 10), 99.997331, 5e-7);
  EXPECT_NEAR(percent(10, 3, 15), 99.989879, 5e-7);
  EXPECT_NEAR(percent(10, 3, 90), 97.417372, 5e-7);
  EXPECT_NEAR(percent(32, 2, 10), 97.816674, 5e-7);
  EXPECT_NEAR(percent(32, 2, 15), 94.967492, 5e-7);
  // The printed claims that do not reproduce.
  EXPECT_NEAR(percent(32, 2, 23), 88.26, .005);
  EXPECT_NEAR(percent(32, 2, 61), 39.8, .5);
}

TEST(KnsClosedForms, NoIsolatedRouterAtTheEdges) {
  EXPECT_DOUBLE_EQ(kns_no_isolated_router(KnsShape(3, 2), 0), 1);
  EXPECT_DOUBLE_EQ(kns_no_isolated_router(KnsShape(3, 2), 1), 1);
  EXPECT_NEAR(kns_no_isolated_router(KnsShape(3, 2), 2), 144. / 153, 1e-14);
  EXPECT_NEAR(kns_no_isolated_router(KnsShape(3, 2), 3), 1 - 9. * 16 / 816, 1e-14);
  EXPECT_DOUBLE_EQ(kns_no_isolated_router(KnsShape(3, 2), 18), 0);
  EXPECT_DOUBLE_EQ(kns_no_isolated_router(KnsShape(3, 2), 10), 0);  // nine routers, ten faults
  EXPECT_DOUBLE_EQ(kns_no_isolated_router(KnsShape(4, 1), 1), 0);
  // Here the alternating sum would cancel to noise: 256 of 1,024 routers are expected to be isolated.
  const double hopeless = kns_no_isolated_router(KnsShape(32, 2), 1024);
  EXPECT_GT(hopeless, 0);
  EXPECT_LT(hopeless, 1e-100);
}

TEST(KnsClosedForms, SamplesForAConfidence) {
  EXPECT_EQ(samples_for(.99, .01), 16'588u);
  EXPECT_EQ(samples_for(.95, .01), 9'604u);
  EXPECT_EQ(samples_for(1e-300, .5), 1u);
  EXPECT_EQ(test::message_of([] { samples_for(1, .01); }),
            "confidence is 1; it must be between 0 and 1, like .99");
  EXPECT_EQ(test::message_of([] { samples_for(.99, 0); }),
            "error is 0; it must be between 0 and 1, like .01");
  EXPECT_EQ(test::message_of([] { samples_for(.99, 1e-6); }),
            "an error of 1e-06 would take more than 4000000000 samples, the limit; use a larger error");
}

TEST(KnsClosedForms, RefusesImpossibleCounts) {
  EXPECT_EQ(test::message_of([] { check_fault_count(KnsShape(3, 2), 19); }),
            "faults is 19, but KNS(3, 2) has only 18 links");
  EXPECT_EQ(test::message_of([] { check_fault_count(KnsShape(3, 2), -1); }),
            "faults is -1; it must be 0 or more");
  EXPECT_EQ(test::message_of([] { kns_faulty_pair_share(KnsShape(3, 2), 19); }),
            "faults is 19, but KNS(3, 2) has only 18 links");
  EXPECT_EQ(test::message_of([] { kns_no_isolated_router(KnsShape(1000, 2), 4097); }),
            "faults is 4097; at most 4096 are supported");
}

}  // namespace flitmend
