// SPDX-License-Identifier: Apache-2.0
#include "analysis/kary_ncube_model/kary_ncube_model.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "support/message_of.h"

namespace flitmend {
namespace {

KaryNcubeModelSettings eight_ary(std::int64_t n = 2, std::int64_t length = 32, std::int64_t faulty = 0,
                                 RerouteSum sum = RerouteSum::a) {
  KaryNcubeModelSettings settings;
  settings.sum = sum;
  settings.n = n;
  settings.length = length;
  settings.faulty_nodes = faulty;
  return settings;
}

double latency(const KaryNcubeModelSettings& settings, double rate) {
  return KaryNcubeModel(settings).solve(rate)->latency;
}

constexpr double kDigits4 = 5e-5;

}  // namespace

TEST(KaryNcubeModel, ValuesOfTheSpecificationWithoutFaults) {
  for (const auto& [rate, expected] : {std::pair{.001, 38.7931},
                                       {.002, 41.8235},
                                       {.004, 48.6807},
                                       {.006, 56.7849},
                                       {.008, 66.6508},
                                       {.010, 79.9913}})
    EXPECT_NEAR(latency(eight_ary(), rate), expected, kDigits4);
  EXPECT_NEAR(KaryNcubeModel(eight_ary()).saturation_rate(), .012610, 5e-7);
}

TEST(KaryNcubeModel, ValuesOfTheSpecificationWithThreeFaults) {
  for (const auto& [rate, expected] :
       {std::pair{.001, 50.2389}, {.002, 56.4148}, {.004, 71.6410}, {.006, 94.6439}})
    EXPECT_NEAR(latency(eight_ary(2, 32, 3, RerouteSum::b), rate), expected, kDigits4);
  EXPECT_NEAR(latency(eight_ary(2, 32, 3, RerouteSum::b), .004), 71.640989, 5e-7);
  const KaryNcubeModel model(eight_ary(2, 32, 3, RerouteSum::b));
  EXPECT_NEAR(model.saturation_rate(), .007211, 5e-7);
  EXPECT_DOUBLE_EQ(model.zero_load_latency(), 44.8125);
}

TEST(KaryNcubeModel, ValuesOfTheSpecificationInThreeDimensions) {
  for (const auto& [rate, expected] : {std::pair{.001, 41.0417},
                                       {.002, 44.3518},
                                       {.004, 51.8870},
                                       {.006, 60.9322},
                                       {.008, 72.4294},
                                       {.010, 90.1598}})
    EXPECT_NEAR(latency(eight_ary(3), rate), expected, kDigits4);
}

TEST(KaryNcubeModel, ValuesOfTheSpecificationForLongMessages) {
  EXPECT_NEAR(latency(eight_ary(2, 64), .001), 78.4795, kDigits4);
  EXPECT_NEAR(latency(eight_ary(2, 64), .004), 122.2393, kDigits4);
}

TEST(KaryNcubeModel, StateOfTheSpecification) {
  const auto solution = KaryNcubeModel(eight_ary()).solve(.004);
  ASSERT_TRUE(solution);
  EXPECT_NEAR(solution->channel_time[0], 34.004759, 5e-7);
  EXPECT_NEAR(solution->channel_time[1], 36.011264, 5e-7);
  EXPECT_NEAR(solution->channel_wait[0], 2.686038, 5e-7);
  EXPECT_NEAR(solution->channel_wait[1], 3.039499, 5e-7);
  EXPECT_NEAR(solution->source_wait, .794824, 5e-7);
  EXPECT_NEAR(solution->multiplexing, 1.322626, 5e-7);
  EXPECT_DOUBLE_EQ(solution->channel_rate, .004);  // λ_g·K/2 with K = 2
}

TEST(KaryNcubeModel, HopsOfEquation2) {
  EXPECT_DOUBLE_EQ(KaryNcubeModel(eight_ary()).hops_per_dimension(), 2);
  KaryNcubeModelSettings odd = eight_ary();
  odd.k = 5;
  EXPECT_DOUBLE_EQ(KaryNcubeModel(odd).hops_per_dimension(), 24. / 20);
  // S = 0/2 + 2/4 + 0/6 + 2/8 = 3/4, or 1/2 − 1/4 + 1/6 − 1/8 = 7/24.
  EXPECT_DOUBLE_EQ(KaryNcubeModel(eight_ary(2, 32, 4, RerouteSum::b)).hops_per_dimension(),
                   2 * (1 + 8 * (4. / 64) * .75));
  KaryNcubeModelSettings faulty = eight_ary(2, 32, 4);
  EXPECT_NEAR(KaryNcubeModel(faulty).hops_per_dimension(), 2 * (1 + 8 * (4. / 64) * 7 / 24), 1e-15);
  faulty.hops_per_dimension = 2.5;
  EXPECT_DOUBLE_EQ(KaryNcubeModel(faulty).hops_per_dimension(), 2.5);
}

TEST(KaryNcubeModel, LimitOfNoLoad) {
  for (const auto variant : {ModelVariant::paper, ModelVariant::delay_outside})
    for (const std::int64_t faulty : {0, 3, 12}) {
      KaryNcubeModelSettings settings = eight_ary(3, 64, faulty);
      settings.variant = variant;
      settings.reinjection_delay = 7;
      const KaryNcubeModel model(settings);
      const double k = model.hops_per_dimension();
      EXPECT_DOUBLE_EQ(model.zero_load_latency(), 64 + 3 * k * (1 + model.fault_probability() * (64 + 7)));
      EXPECT_NEAR(model.solve(0)->latency, model.zero_load_latency(), 1e-10);
      EXPECT_DOUBLE_EQ(model.solve(0)->multiplexing, 1);
      EXPECT_NEAR(model.solve(1e-9)->latency, model.zero_load_latency(), 1e-3);
    }
}

// One dimension and no faults, by hand: T = M + K(1 + P_b·W) is one equation in T.
TEST(KaryNcubeModel, SolvesItsEquations) {
  KaryNcubeModelSettings settings = eight_ary(1, 16);
  settings.virtual_channels = 2;
  const double rate = .01;
  const auto s = KaryNcubeModel(settings).solve(rate);
  ASSERT_TRUE(s);
  const double t = s->channel_time[0], rho = rate * t;  // λ_c = λ_g·2/2
  const double wait = rate * (t * t + (t - 16) * (t - 16)) / (2 * (1 - rho));
  // [Safaei06 eq. 21] with the weights q_0 = 1, q_1 = ρ, q_2 = ρ·λ_c/(1/T − λ_c).
  const double q1 = rho, q2 = rho * rate / (1 / t - rate), sum = 1 + q1 + q2;
  const double blocked = q2 / sum + q1 / sum / 2;
  EXPECT_NEAR(s->blocking[0], blocked, 1e-12);
  EXPECT_NEAR(s->channel_wait[0], wait, 1e-9);
  EXPECT_NEAR(t, 16 + 2 * (1 + blocked * wait), 1e-9);
  EXPECT_NEAR(s->multiplexing, (q1 + 4 * q2) / (q1 + 2 * q2), 1e-12);
  const double p = q2 / sum, arrivals = rate + 2 * rate * p, again = p * (rate + 2 * rate) / arrivals;
  const double a = t + wait, odds = again / (1 - again);
  const double first = a + odds, second = a * a + 2 * a * odds + again * (1 + again) / std::pow(1 - again, 2);
  EXPECT_NEAR(s->source_wait, arrivals / 2 * second / (2 * (1 - arrivals / 2 * first)), 1e-9);
  EXPECT_NEAR(s->latency, (t + s->source_wait) * s->multiplexing, 1e-9);
}

/// Latency of the 8-ary 2-cube, M = 32, V = 4, by other means than the model's iteration: nested bisections
/// on T_1, T_2 and Ws, equation 21 term by term, and the moments of equations 17 and 19 as sums.
class Bisected {
 public:
  /// `sum`: that of equation 2.
  Bisected(double faulty, double rate, double sum)
      : faulty_(faulty / (kK * kK)),
        rate_(rate),
        hops_(kK / 4 * (1 + kK * faulty_ * sum)),
        channel_rate_(rate * hops_ / 2) {}

  double latency() const {
    double low = 0, high = 1000;
    for (int i = 0; i < 100; ++i) {
      const double middle = (low + high) / 2;
      const auto wait = source_wait(middle);
      (wait && *wait > middle ? low : high) = middle;
    }
    const auto times = channel_times(low).value();
    double multiplexing = 0;
    for (const double time : times) {
      const auto p = probabilities(time);
      double first = 0, second = 0;
      for (std::size_t v = 0; v < p.size(); ++v) {
        first += double(v) * p[v];
        second += double(v * v) * p[v];
      }
      multiplexing += second / first / 2;
    }
    return (times[1] + low) * multiplexing;
  }

 private:
  static constexpr double kK = 8, kLength = 32;
  static constexpr std::size_t kChannels = 4;

  std::vector<double> probabilities(double time) const {
    std::vector<double> q = {1};
    while (q.size() < kChannels) q.push_back(q.back() * channel_rate_ * time);
    q.push_back(q.back() * channel_rate_ / (1 / time - channel_rate_));
    const double sum = std::accumulate(q.begin(), q.end(), 0.0);
    for (double& p : q) p /= sum;
    return q;
  }
  double channel_wait(double time, double before) const {
    return channel_rate_ * (time * time + std::pow(time - before, 2)) / (2 * (1 - channel_rate_ * time));
  }
  /// How far the right-hand side of T_j is above T_j.
  double excess(double time, double before, double source_wait) const {
    const auto p = probabilities(time);
    const double blocked = p[kChannels] + p[kChannels - 1] / kChannels;
    return before +
           hops_ * (1 + blocked * channel_wait(time, before) +
                    faulty_ / (1 - p[kChannels]) * (kLength + source_wait)) -
           time;
  }
  std::optional<std::array<double, 2>> channel_times(double source_wait) const {
    std::array<double, 2> times{};
    double before = kLength;
    for (double& time : times) {
      double low = before, high = before;  // the least solution
      do {
        high += .25;
        if (channel_rate_ * high >= 1) return std::nullopt;
      } while (excess(high, before, source_wait) > 0);
      for (int i = 0; i < 100; ++i) {
        const double middle = (low + high) / 2;
        (excess(middle, before, source_wait) > 0 ? low : high) = middle;
      }
      before = time = low;
    }
    return times;
  }
  std::optional<double> source_wait(double guess) const {
    const auto times = channel_times(guess);
    if (!times) return std::nullopt;
    const double busy = (probabilities((*times)[0])[kChannels] + probabilities((*times)[1])[kChannels]) / 2;
    const double arrivals = rate_ + 4 * channel_rate_ * busy;
    const double again = busy * (rate_ + 4 * channel_rate_) / arrivals;
    const double once = (*times)[1] + channel_wait((*times)[1], (*times)[0]);
    double first = 0, second = 0;
    for (int failures = 0; failures < 3000; ++failures) {
      const double weight = (1 - again) * std::pow(again, failures);
      first += weight * (once + failures);
      second += weight * std::pow(once + failures, 2);
    }
    const double share = arrivals / kChannels;
    return share * second / (2 * (1 - share * first));
  }

  double faulty_;
  double rate_;
  double hops_;
  double channel_rate_;
};

TEST(KaryNcubeModel, AgreesWithAnotherSolutionOfItsEquations) {
  constexpr double kSumA = 1. / 2 - 1. / 4 + 1. / 6 - 1. / 8, kSumB = 1. / 2 + 1. / 4;
  for (const auto& [faulty, rate] : {std::pair{3, .003}, {3, .005}, {3, .007}, {5, .003}, {5, .005}}) {
    EXPECT_NEAR(latency(eight_ary(2, 32, faulty), rate), Bisected(faulty, rate, kSumA).latency(), 1e-6)
        << faulty << " at " << rate;
    EXPECT_NEAR(latency(eight_ary(2, 32, faulty, RerouteSum::b), rate),
                Bisected(faulty, rate, kSumB).latency(), 1e-6)
        << faulty << " at " << rate;
  }
}

TEST(KaryNcubeModel, LatencyRisesUntilItSaturates) {
  for (const auto sum : {RerouteSum::a, RerouteSum::b})
    for (const auto transit : {TransitProbability::all_channels_busy, TransitProbability::node_faulty})
      for (const auto variant : {ModelVariant::paper, ModelVariant::delay_outside})
        for (const std::int64_t faulty : {0, 3, 5}) {
          KaryNcubeModelSettings settings = eight_ary(2, 32, faulty);
          settings.sum = sum;
          settings.transit = transit;
          settings.variant = variant;
          const KaryNcubeModel model(settings);
          const double saturation = model.saturation_rate();
          double before = 0;
          for (const double share : {0., .2, .4, .6, .8, .95, .999}) {
            const auto solution = model.solve(share * saturation);
            ASSERT_TRUE(solution) << share;
            EXPECT_GT(solution->latency, before);
            before = solution->latency;
          }
          for (const double share : {1.001, 1.1, 2., 10., 1e6})
            EXPECT_FALSE(model.solve(share * saturation)) << share;
        }
}

TEST(KaryNcubeModel, FaultsChannelsAndLengthMoveSaturation) {
  const auto saturation = [](const KaryNcubeModelSettings& s) { return KaryNcubeModel(s).saturation_rate(); };
  EXPECT_GT(saturation(eight_ary(2, 32, 0)), saturation(eight_ary(2, 32, 3)));
  EXPECT_GT(saturation(eight_ary(2, 32, 3)), saturation(eight_ary(2, 32, 5)));
  EXPECT_GT(saturation(eight_ary(2, 32, 0)), saturation(eight_ary(2, 64, 0)));
  KaryNcubeModelSettings ten = eight_ary();
  ten.virtual_channels = 10;
  EXPECT_GT(saturation(ten), saturation(eight_ary()));
}

// Results of a cycle-accurate model of the same network: mean latencies; with three and five faults, the mean
// of six fault sets.
TEST(KaryNcubeModel, BandsAgainstSimulation) {
  for (const auto& [rate, simulated] :
       {std::pair{.001, 39.1}, {.004, 48.8}, {.006, 56.7}, {.008, 65.7}, {.010, 75.8}}) {
    const KaryNcubeModel model(eight_ary());
    const double share = rate / model.saturation_rate();
    EXPECT_NEAR(latency(eight_ary(), rate), simulated, (share <= .65 ? .05 : .10) * simulated) << rate;
  }
  // With faults, reading b of eq. 2 is accurate only at low load.
  EXPECT_NEAR(latency(eight_ary(2, 32, 3, RerouteSum::b), .001), 47.8, .10 * 47.8);
  EXPECT_GT(latency(eight_ary(2, 32, 3, RerouteSum::b), .005), 1.10 * 67.8);
  KaryNcubeModelSettings a = eight_ary(2, 32, 3);
  const double limit = .75 * KaryNcubeModel(a).saturation_rate();
  for (const auto& [rate, simulated] : {std::pair{.001, 47.8}, {.003, 56.4}, {.005, 67.8}})
    if (rate <= limit) {
      EXPECT_NEAR(latency(a, rate), simulated, .10 * simulated) << rate;
    }
  EXPECT_NEAR(latency(a, .007), 81.7, .10 * 81.7);  // just beyond the limit
  a.faulty_nodes = 5;
  const double limit5 = .75 * KaryNcubeModel(a).saturation_rate();
  for (const auto& [rate, simulated] : {std::pair{.001, 57.2}, {.003, 68.6}, {.005, 83.2}})
    if (rate <= limit5) {
      EXPECT_NEAR(latency(a, rate), simulated, .10 * simulated) << rate;
    }
}

TEST(KaryNcubeModel, SurvivesExtremes) {
  KaryNcubeModelSettings huge = eight_ary();
  huge.k = 1 << 20;
  huge.n = 3;
  const KaryNcubeModel model(huge);
  EXPECT_TRUE(model.solve(model.saturation_rate() / 2));
  EXPECT_FALSE(model.solve(1));
  EXPECT_FALSE(KaryNcubeModel(eight_ary()).solve(std::numeric_limits<double>::max()));
  KaryNcubeModelSettings ruined = eight_ary(2, 32, 62);  // all but two nodes
  EXPECT_TRUE(KaryNcubeModel(ruined).solve(1e-6));
  EXPECT_FALSE(KaryNcubeModel(ruined).solve(.01));
  EXPECT_GT(KaryNcubeModel(ruined).saturation_rate(), 0);
}

TEST(KaryNcubeModel, RefusesBadInput) {
  const auto message = [](auto change) {
    KaryNcubeModelSettings settings = eight_ary();
    change(settings);
    return test::message_of([&] { KaryNcubeModel{settings}; });
  };
  EXPECT_EQ(message([](auto& s) { s.k = 1; }), "k is 1; it must be 2 to 1048576");
  EXPECT_EQ(message([](auto& s) { s.n = 0; }), "n is 0; it must be 1 to 62");
  EXPECT_EQ(message([](auto& s) { s.k = 1024, s.n = 7; }),
            "a 1024-ary 7-cube has more than 2^62 nodes; use a smaller k or n");
  EXPECT_EQ(message([](auto& s) { s.length = 0; }), "length is 0; it must be 1 to 1000000000");
  EXPECT_EQ(message([](auto& s) { s.virtual_channels = 1; }), "virtual-channels is 1; it must be 2 to 1024");
  EXPECT_EQ(message([](auto& s) { s.faulty_nodes = 63; }),
            "faulty-nodes is 63; it must be 0 to 62 in a 8-ary 2-cube, which must keep two healthy nodes");
  EXPECT_EQ(message([](auto& s) { s.faulty_nodes = -1; }),
            "faulty-nodes is -1; it must be 0 to 62 in a 8-ary 2-cube, which must keep two healthy nodes");
  EXPECT_EQ(message([](auto& s) { s.reinjection_delay = -1; }),
            "delay is -1; it must be a number of cycles, 0 to 10^12");
  EXPECT_EQ(message([](auto& s) { s.hops_per_dimension = 0; }),
            "hops is 0; it must be a mean number of hops, above 0 and at most 10^12");
  const KaryNcubeModel model(eight_ary());
  EXPECT_EQ(test::message_of([&] { model.solve(-.001); }),
            "rate is -0.001; it must be a number of messages per node per cycle, 0 or more");
  EXPECT_EQ(test::message_of([&] { model.solve(std::numeric_limits<double>::quiet_NaN()); }),
            "rate is nan; it must be a number of messages per node per cycle, 0 or more");
}

}  // namespace flitmend
