// SPDX-License-Identifier: Apache-2.0
#include "analysis/probability_vectors/bounds.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/message_of.h"

namespace flitmend {

using test::message_of;

TEST(Theorem1, GivesThePublishedValues) {
  struct Row {
    std::uint32_t lee, hamming;
    double value;
  };
  for (const Row& r : {Row{1, 1, .954242}, Row{2, 1, .851897}, Row{2, 2, .884622}, Row{4, 2, .604185},
                       Row{6, 2, .350604}, Row{9, 3, .143875}, Row{12, 3, .051549}})
    EXPECT_NEAR(theorem1_bound(8, 3, 153, r.lee, r.hamming), r.value, 5e-7);
}

TEST(Theorem1, ListsEveryDistanceThatTwoNodesCanHave) {
  const auto bounds = theorem1_bounds(8, 3, 153);
  EXPECT_EQ(bounds.size(), 4u + 7u + 10u);
  for (const PvLowerBound& b : bounds) {
    EXPECT_LE(b.hamming, b.lee);
    EXPECT_LE(b.lee, 4 * b.hamming);
  }
  EXPECT_EQ(theorem1_bounds(2, 3, 1).size(), 3u);
  for (const PvLowerBound& b : theorem1_bounds(5, 3, 0)) EXPECT_EQ(b.value, 1);
}

TEST(Theorem2, GivesThePublishedTable) {
  const std::vector<std::pair<std::uint32_t, std::vector<double>>> table = {
      {3, {1, 2.043, 3.017}},                       // 3.014 in print
      {5, {1, 2.203, 3.277, 4.323, 5.354, 6.347}},  // 4.233 in print
      {7, {1, 2.232, 3.408, 4.501, 5.573, 6.643, 7.693, 8.754, 9.726}},
      {9, {1, 2.235, 3.426, 4.602, 5.709, 6.785, 7.873, 8.954, 10.012, 11.083, 12.159, 13.096}}};  // 7.875
  for (const auto& [k, values] : table) {
    const auto ours =
        theorem2_average_distances(k, 3, static_cast<std::uint64_t>(std::lround(.2 * k * k * k)));
    ASSERT_EQ(ours.size(), values.size());
    for (std::size_t l = 0; l < values.size(); ++l)
      EXPECT_NEAR(ours[l], values[l], 5e-4) << "k = " << k << ", l = " << l + 1;
  }
}

TEST(Theorem2, IsTheLeeDistanceWithoutFaults) {
  for (std::uint32_t k : {2u, 3u, 8u}) {
    const auto d = theorem2_average_distances(k, 3, 0);
    for (std::size_t l = 0; l < d.size(); ++l) EXPECT_DOUBLE_EQ(d[l], static_cast<double>(l + 1));
  }
}

// One dimension by hand: k = 5, p = 1/5. From l = 2: preferred .8 to l = 1. There is no spare move at m = 2.
TEST(Theorem2, FollowsTheRecurrenceInOneDimension) {
  const auto d = theorem2_average_distances(5, 1, 1);
  ASSERT_EQ(d.size(), 2u);
  EXPECT_DOUBLE_EQ(d[0], 1);
  EXPECT_DOUBLE_EQ(d[1], .8 * 2);
  // k = 7, f = 1, p = 1/7: P(2,0) = 6/7; P(2,1) = (1/7)(6/7)·P(3,0), P(3,0) = (6/7)^2.
  const auto e = theorem2_average_distances(7, 1, 1);
  const double q = 6.0 / 7;
  EXPECT_DOUBLE_EQ(e[1], 2 * q + 4 * (q / 7 * q * q));
}

TEST(Bounds, RefuseWhatTheyCannotAnswer) {
  EXPECT_EQ(message_of([] { theorem1_bounds(1, 3, 0); }),
            "probability bounds: k is 1; it must be at least 2");
  EXPECT_EQ(message_of([] { theorem1_bounds(8, 0, 0); }), "probability bounds: n is 0; it must be 1 to 16");
  EXPECT_EQ(message_of([] { theorem1_bounds(8, 3, 511); }),
            "probability bounds: 511 faulty nodes leave fewer than two of the 512 nodes healthy");
  EXPECT_EQ(
      message_of([] { theorem1_bound(8, 3, 10, 5, 1); }),
      "probability bounds: no two nodes of a 8-ary 3-cube are at Lee distance 5 and Hamming distance 1");
  EXPECT_EQ(
      message_of([] { theorem2_average_distances(4000, 3, 10); }),
      "probability bounds: the recurrence for a 4000-ary 3-cube with 10 faulty nodes has too many states; "
      "make k or n smaller");
  EXPECT_EQ(message_of([] { theorem1_bounds(4000000000u, 1, 10); }),
            "probability bounds: the nodes of a 4000000000-ary 1-cube are at more than 2^20 different "
            "distances; make k or "
            "n smaller");
  EXPECT_EQ(message_of([] { theorem1_bounds(4000000000u, 16, 10); }),
            "probability bounds: a 4000000000-ary 16-cube has more than 2^52 nodes");
}

}  // namespace flitmend
