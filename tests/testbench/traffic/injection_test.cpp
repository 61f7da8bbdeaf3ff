// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/errors.h"
#include "contracts/every_injection_process.h"
#include "support/files.h"
#include "support/statistics.h"
#include "testbench/traffic/injection.h"
#include "testbench/traffic/synthetic_traffic.h"
#include "topologies/mesh.h"

namespace flitmend {
namespace {

RandomStream stream(std::uint32_t index = 0) {
  return RandomStream(3, RandomPurpose::injection, index);
}

test::Moments gaps(InjectionProcess& process, int count) {
  test::Moments moments;
  Cycle last = process.next();
  for (int i = 0; i < count; ++i) {
    const Cycle now = process.next();
    EXPECT_GE(now, last);
    moments.add(static_cast<double>(now - last));
    last = now;
  }
  return moments;
}

TEST(Bernoulli, GapsAreGeometric) {
  for (const double p : {0.9, 0.2, 0.001}) {
    BernoulliInjection process(p, stream());
    const test::Moments m = gaps(process, 300000);
    const double variance = (1 - p) / (p * p);
    EXPECT_NEAR(m.mean(), 1 / p, 4.5 * std::sqrt(variance / 300000)) << p;
    EXPECT_NEAR(m.variance() / variance, 1, 0.03) << p;
  }
}

TEST(Bernoulli, EveryCycleIsATrialFromCycle0On) {
  // Over many nodes the share with a message in cycle c is p, also in cycle 0.
  constexpr unsigned kNodes = 40000;
  std::vector<std::uint64_t> in_cycle(4);
  for (unsigned node = 0; node < kNodes; ++node) {
    BernoulliInjection process(0.3, stream(node));
    for (Cycle c = process.next(); c < 4; c = process.next()) ++in_cycle[c];
  }
  for (std::uint64_t count : in_cycle)
    EXPECT_NEAR(count / double{kNodes}, 0.3, 4.5 * std::sqrt(0.21 / kNodes));
}

TEST(Bernoulli, WithProbabilityOneSendsEveryCycle) {
  BernoulliInjection process(1, stream());
  for (Cycle c = 0; c < 100; ++c) EXPECT_EQ(process.next(), c);
}

TEST(Poisson, CountsInEqualTimesHaveTheirMeanAsVariance) {
  for (const double rate : {0.02, 0.4, 3.0}) {
    PoissonInjection process(rate, stream());
    const Cycle window = static_cast<Cycle>(20 / rate);
    constexpr int kWindows = 20000;
    test::Moments counts;
    Cycle next = process.next();
    for (int i = 1; i <= kWindows; ++i) {
      int count = 0;
      for (; next < i * window; next = process.next()) ++count;
      counts.add(count);
    }
    const double expected = rate * static_cast<double>(window);
    EXPECT_NEAR(counts.mean(), expected, 4.5 * std::sqrt(expected / kWindows)) << rate;
    EXPECT_NEAR(counts.variance() / expected, 1, 0.05) << rate;
  }
}

TEST(Poisson, GapsAreExponential) {
  PoissonInjection process(0.001, stream());
  const test::Moments m = gaps(process, 300000);
  EXPECT_NEAR(m.mean(), 1000, 4.5 * 1000 / std::sqrt(300000));
  EXPECT_NEAR(m.variance(), 1e6, 0.03e6);
}

// Uniform on [0, 2m]: mean m, variance m²/3, and as many gaps in each eighth of the interval.
TEST(UniformGaps, FillTheirIntervalEvenly) {
  const InjectionEntry& entry = injection_processes().at("uniform-gaps");
  constexpr int kGaps = 80000, kParts = 8;
  const auto process = entry.make({TrafficSettings(), 0.005, 5, 1}, stream());
  test::Moments moments;
  std::array<int, kParts> counts{};
  Cycle last = process->next();
  for (int i = 0; i < kGaps; ++i) {
    const Cycle next = process->next(), gap = next - last;
    ASSERT_LE(gap, 2000u);
    moments.add(static_cast<double>(gap));
    ++counts[std::min<Cycle>(gap * kParts / 2000, kParts - 1)];
    last = next;
  }
  EXPECT_NEAR(moments.mean(), 1000, 4.5 * 1000 / std::sqrt(3.0 * kGaps));
  EXPECT_NEAR(moments.variance(), 1e6 / 3, 0.02e6);
  for (const int count : counts) EXPECT_NEAR(count, kGaps / kParts, 4.5 * std::sqrt(kGaps / kParts));
}

TEST(FixedInterval, GapsAreEqualAndDoNotDrift) {
  FixedIntervalInjection whole({5, 1}, {1, 5}, 0.3);
  for (Cycle i = 0; i < 1000; ++i) EXPECT_EQ(whole.next(), 7 + 25 * i);
  FixedIntervalInjection third({10, 1}, {3, 1}, 0);
  Cycle cycle = 0;
  for (int i = 0; i <= 3000000; ++i) cycle = third.next();
  EXPECT_EQ(cycle, 10000000u);
  FixedIntervalInjection dense({1, 1}, {4, 1}, 0);
  for (Cycle i = 0; i < 100; ++i) EXPECT_EQ(dense.next(), i / 4);
}

// Message i of lengths L and load k/50 is created in cycle ⌊50·i·L/k⌋, for each of 3,200 pairs.
TEST(FixedInterval, IsExactForEveryLengthAndLoad) {
  TrafficSettings settings;
  settings.options.set("interval_phase", "zero");
  const InjectionEntry& entry = injection_processes().at("fixed-interval");
  for (unsigned length = 1; length <= 64; ++length)
    for (unsigned k = 1; k <= 50; ++k) {
      const auto process = entry.make({settings, k / 50.0, static_cast<double>(length), 1}, stream());
      for (Cycle i = 0; i < 200; ++i) ASSERT_EQ(process->next(), 50 * i * length / k) << length << ' ' << k;
    }
}

// The same loads as shares of a capacity without an exact decimal: 4/7 on a 7x7 mesh.
TEST(FixedInterval, IsExactForSharesOfCapacity) {
  TrafficSettings settings;
  settings.options.set("interval_phase", "zero");
  settings.injection = "fixed-interval";
  settings.load_unit = "capacity";
  const Mesh mesh({7, 7});
  for (unsigned length = 1; length <= 64; ++length)
    for (unsigned k = 1; k <= 20; ++k) {
      settings.message_length = length;
      settings.load = k / 20.0;  // k/35 flits per cycle
      const SyntheticTraffic traffic(settings, mesh, 1);
      const auto source = traffic.source(0, 1);
      for (Cycle i = 0; i < 200; ++i)
        ASSERT_EQ(source->take().cycle, 35 * i * length / k) << length << ' ' << k;
    }
}

TEST(Bursty, GapsHaveTheMomentsOfAnInterruptedBernoulliProcess) {
  // After each cycle of a burst a pause of mean length 1/a follows with probability b. A gap is geometric(p)
  // many steps of mean m = 1 + b/a and variance v = b(2 − a)/a² − (b/a)².
  struct Case {
    double p, burst, pause;
  };
  for (const Case c : {Case{0.2, 50, 50}, Case{1, 10, 90}, Case{0.05, 400, 1}, Case{0.5, 1, 3}}) {
    const double b = 1 / c.burst, a = 1 / c.pause;
    const double m = 1 + b / a, v = b * (2 - a) / (a * a) - (b / a) * (b / a);
    const double mean = m / c.p, variance = v / c.p + (1 - c.p) / (c.p * c.p) * m * m;
    BurstyInjection process({c.p, c.burst, c.pause}, stream());
    constexpr int kGaps = 400000;
    const test::Moments got = gaps(process, kGaps);
    EXPECT_NEAR(got.mean(), mean, 4.5 * std::sqrt(variance / kGaps)) << c.p;
    EXPECT_NEAR(got.variance() / variance, 1, 0.06) << c.p;
  }
}

TEST(Bursty, StartsInItsStationaryState) {
  constexpr unsigned kNodes = 40000;
  std::vector<std::uint64_t> in_cycle(50);
  for (unsigned node = 0; node < kNodes; ++node) {
    BurstyInjection process({0.5, 8, 24}, stream(node));
    for (Cycle c = process.next(); c < 50; c = process.next()) ++in_cycle[c];
  }
  const double share = 0.5 * 8 / 32;
  for (Cycle c : {0, 1, 10, 49})
    EXPECT_NEAR(in_cycle[c] / double{kNodes}, share, 4.5 * std::sqrt(share * (1 - share) / kNodes)) << c;
}

TEST(Bursty, WithoutPausesIsBernoulli) {
  BurstyInjection process({0.25, 10, 0}, stream());
  const test::Moments m = gaps(process, 200000);
  EXPECT_NEAR(m.mean(), 4, 4.5 * std::sqrt(12.0 / 200000));
  EXPECT_NEAR(m.variance(), 12, 0.4);
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryInjectionProcess,
                         testing::ValuesIn(injection_processes().entries()), test_name<InjectionEntry>);

TEST(InjectionProcesses, RefuseWhatTheyCannotOffer) {
  TrafficSettings settings;
  const auto refusal = [&](const char* name, double load, double length, double limit) {
    settings.injection = name;
    return test::message_of<ConfigurationError>([&] {
      injection_processes().at(name).make({settings, load, length, limit}, stream());
    });
  };
  EXPECT_EQ(refusal("bernoulli", 1.5, 1, 4),
            "traffic.load: 1.5 flits per cycle in messages of 1 flits are 1.5 messages per cycle, but "
            "injection bernoulli "
            "creates at most one; use a lower load, longer messages, or injection poisson");
  EXPECT_EQ(refusal("bursty", 0.9, 5, 0.5),
            "traffic.burst_load: 1 flits per cycle are more than a node can inject, 0.5; lower it");
  settings.options.set("burst_load", 0.4);
  EXPECT_EQ(refusal("bursty", 0.9, 5, 1),
            "traffic.burst_load: 0.4 flits per cycle within bursts are less than the mean load of 0.9 flits "
            "per cycle; raise burst_load or lower load");
  settings.options.set("burst_load", 4.0);
  EXPECT_EQ(refusal("bursty", 0.9, 2, 4),
            "traffic.burst_load: 4 flits per cycle in messages of 2 flits are 2 messages per cycle, but "
            "injection bursty "
            "creates at most one; use a lower load, longer messages, or injection poisson");
  settings.options.set("burst_length", 0.5);
  EXPECT_EQ(refusal("bursty", 0.9, 5, 4), "traffic.burst_length: 0.5 cycles; it must be at least 1");
  EXPECT_NO_THROW(injection_processes().at("poisson").make({settings, 3, 1, 4}, stream()));
}

}  // namespace
}  // namespace flitmend
