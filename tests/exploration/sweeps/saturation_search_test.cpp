// SPDX-License-Identifier: Apache-2.0
// The saturation search on networks with a closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "exploration/sweeps/saturation_search.h"

namespace flitmend {
namespace {

/// Latency t/(1 − load/capacity); accepts no more than the capacity.
struct Queue {
  double capacity;
  double base_latency = 20;
  std::map<std::string, double> run(double load) const {
    const double share = std::min(load / capacity, .9999);
    return {{"traffic.offered", load},
            {"traffic.accepted", std::min(load, capacity)},
            {"latency.total.mean", base_latency / (1 - share)}};
  }
};

struct Walk {
  std::vector<double> loads;
  std::vector<bool> drains;
  SaturationRecord result;
};

template <class Network>
Walk walk(const SaturationAxis& axis, const Network& network, double largest_load = 100) {
  SaturationSearch search(axis, largest_load);
  Walk w;
  while (const auto question = search.next()) {
    EXPECT_EQ(question->index, static_cast<std::int64_t>(w.loads.size()));
    w.loads.push_back(question->load);
    w.drains.push_back(question->drain);
    search.answer(PointStatus::done, network.run(question->load));
  }
  EXPECT_LE(static_cast<std::int64_t>(w.loads.size()), search.most_points());
  w.result = search.result();
  return w;
}

TEST(SaturationSearch, FindsTheLoadWithinOnePercentFromBelow) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    const double capacity = std::uniform_real_distribution<>(.05, 2)(random);
    const SaturationAxis axis{.02, std::uniform_real_distribution<>(.01, .3)(random), 4, .001};
    const Walk w = walk(axis, Queue{capacity});
    // Three times the latency at load .001.
    const double exact = capacity - (capacity - .001) / 3;
    ASSERT_EQ(w.result.status, SaturationStatus::found) << capacity;
    EXPECT_LE(*w.result.load, exact);
    EXPECT_GE(*w.result.load, .98999 * exact) << capacity;
    EXPECT_NEAR(*w.result.zero_load_latency, 20 / (1 - .001 / capacity), 1e-9);
    EXPECT_EQ(w.loads[static_cast<std::size_t>(*w.result.load_point)], *w.result.load);
    // Only the last run is without drain and at 1.3 times the load.
    EXPECT_NEAR(w.loads.back(), 1.3 * *w.result.load, 1e-9);
    EXPECT_EQ(std::count(w.drains.begin(), w.drains.end(), false), 1);
    EXPECT_FALSE(w.drains.back());
    EXPECT_EQ(*w.result.throughput, std::min(w.loads.back(), capacity));
    EXPECT_EQ(*w.result.throughput_point, static_cast<std::int64_t>(w.loads.size()) - 1);
  }
}

TEST(SaturationSearch, ClimbsInStepsAndWastesNoRunsBeyond) {
  const Walk w = walk({.1, .1, 1, .01}, Queue{.6});
  ASSERT_GE(w.loads.size(), 6u);
  EXPECT_EQ(std::vector<double>(w.loads.begin(), w.loads.begin() + 7),
            (std::vector<double>{.01, .1, .2, .3, .4, .5, .45}));
  for (std::size_t i = 6; i + 1 < w.loads.size(); ++i) EXPECT_LT(w.loads[i], .5);
}

TEST(SaturationSearch, HalvesBelowTheFirstStepToo) {
  const Walk w = walk({.5, .5, 2, .01}, Queue{.3});
  EXPECT_EQ(w.result.status, SaturationStatus::found);
  EXPECT_LT(*w.result.load, .21);
}

/// Too little accepted traffic means saturation even if the latency does not show it.
struct Dropping {
  std::map<std::string, double> run(double load) const {
    return {{"traffic.offered", load},
            {"traffic.accepted", load <= .4 ? load : .96 * load},
            {"latency.total.mean", 20}};
  }
};

TEST(SaturationSearch, AcceptedBelowOfferedIsSaturation) {
  const Walk w = walk({.1, .1, 1, .01}, Dropping{});
  EXPECT_EQ(*w.result.load, .4);
}

TEST(SaturationSearch, SaysWhyThereIsNone) {
  const Walk high = walk({.1, .1, .35, .01}, Queue{4});
  EXPECT_EQ(high.result.status, SaturationStatus::not_reached);
  EXPECT_EQ(high.loads, (std::vector<double>{.01, .1, .2, .3, .35}));
  EXPECT_EQ(high.result.message, "not saturated at load 0.35, the highest of the axis");
  EXPECT_EQ(high.result.load, std::nullopt);
  const Walk low = walk({.1, .1, 1, .05}, Queue{.01});
  EXPECT_EQ(low.result.status, SaturationStatus::at_start);
  EXPECT_EQ(low.result.message, "saturated at load 0.05, the lowest of the axis");
}

TEST(SaturationSearch, AsksForNoMoreThanNodesCanInject) {
  const Walk near = walk({.1, .3, 4, .01}, Queue{1.3}, 1);
  ASSERT_EQ(near.result.status, SaturationStatus::found);
  EXPECT_NEAR(*near.result.load, (2 * 1.3 + .01) / 3, .01);
  EXPECT_EQ(near.loads.back(), 1);
  EXPECT_EQ(*near.result.throughput, 1);
  const Walk beyond = walk({.1, .3, 4, .01}, Queue{4}, 1);
  EXPECT_EQ(beyond.result.status, SaturationStatus::not_reached);
  EXPECT_EQ(beyond.loads, (std::vector<double>{.01, .1, .4, .7, 1}));
  EXPECT_EQ(beyond.result.message, "not saturated at load 1, the most that a node can inject");
  EXPECT_EQ(walk({.1, .3, .7, .01}, Queue{4}, 1).result.message,
            "not saturated at load 0.7, the highest of the axis");
  EXPECT_EQ(walk({2, 1, 4, .5}, Queue{4}, 1).loads, (std::vector<double>{.5, 1}));
}

TEST(SaturationSearch, StopsAtAPointThatSaysNothing) {
  SaturationSearch search({.1, .1, 1, .01});
  search.answer(PointStatus::done, Queue{1}.run(.01));
  search.answer(PointStatus::crashed, {});
  EXPECT_EQ(search.next(), std::nullopt);
  EXPECT_EQ(search.result().status, SaturationStatus::stopped);
  EXPECT_EQ(search.result().message, "the run at load 0.1 gives no result: crashed");
  SaturationSearch empty({.1, .1, 1, .01});
  empty.answer(PointStatus::done, {{"traffic.offered", 0.0}, {"traffic.accepted", 0.0}});
  EXPECT_EQ(empty.result().message, "the run at load 0.01 gives no result: no message was measured");
}

TEST(SaturationSearch, ALimitHidesNoSaturation) {
  SaturationSearch search({.1, .1, 1, .01});
  search.answer(PointStatus::done, Queue{.15}.run(.01));
  search.answer(PointStatus::unfinished, Queue{.15}.run(.2));
  EXPECT_NE(search.next(), std::nullopt);
  SaturationSearch stuck({.1, .1, 1, .01});
  stuck.answer(PointStatus::done, Queue{1}.run(.01));
  stuck.answer(PointStatus::unfinished, Queue{1}.run(.1));
  EXPECT_EQ(stuck.result().message, "the run at load 0.1 is unfinished and not saturated so far");
}

}  // namespace
}  // namespace flitmend
