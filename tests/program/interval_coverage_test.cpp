// SPDX-License-Identifier: Apache-2.0
// Whether the intervals that runs state hold the true mean: 200 seeds at loads from low to near saturation,
// as users run them. docs/statistics-methods.md has the table that this prints.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

#include "exploration/sweeps/reader.h"
#include "support/program.h"

namespace flitmend {
namespace {

constexpr const char* kMesh =
    "network: {topology: mesh, size: [8, 8]}, router: {preset: iq}, traffic: {pattern: uniform, "
    "message_length: 5}";
constexpr int kSeeds = 200;

/// What came of the intervals of one metric at one load and length.
struct Coverage {
  int covered = 0;
  int stated = 0;
  int runs = 0;
  std::vector<double> half_widths;  ///< of the mean
  double median() {
    if (half_widths.empty()) return NAN;
    std::sort(half_widths.begin(), half_widths.end());
    return half_widths[half_widths.size() / 2];
  }
};

class IntervalCoverage : public testing::Test {
 protected:
  std::vector<PointRecord> sweep(const std::string& name, const std::string& base, const std::string& axes) {
    ProgramProcess process(
        {"sweep",
         folder_.write(name + ".yaml",
                       "base: {" + std::string(kMesh) + base + "}\naxes:\n" + axes +
                           "keep: {metrics: [latency.total.*, latency.network.*], stats: false}\n"),
         "--out", folder_ / name});
    EXPECT_EQ(process.wait(), 0) << process.err();
    return SweepReader(folder_ / name).points();
  }

  ScratchFolder folder_;
};

TEST_F(IntervalCoverage, IsAtLeastNinetyPerCent) {
  const std::string loads = "  - {key: traffic.load, values: [0.2, 0.35, 0.38]}\n";
  // The true means: runs 200 times as long, of a seed that is none of those below.
  std::map<double, std::map<std::string, double>> truth;
  for (const PointRecord& p :
       sweep("truth", ", simulation: {warmup: 20000, measure: 4000000, seed: 1000}", loads))
    truth[p.axes.at("traffic.load").get<double>()] = p.metrics;
  ASSERT_EQ(truth.size(), 3u);

  std::map<std::tuple<std::string, double, int>, Coverage> found;
  for (const PointRecord& p :
       sweep("runs", "",
             loads + "  - {key: simulation.measure, values: [10000, 20000]}\n  - {seeds: " +
                 std::to_string(kSeeds) + "}\n"))
    for (const std::string metric : {"latency.total", "latency.network"}) {
      const auto load = p.axes.at("traffic.load").get<double>();
      Coverage& c = found[{metric, load, p.axes.at("simulation.measure").get<int>()}];
      ++c.runs;
      const auto half_width = p.metrics.find(metric + ".ci95");
      if (half_width == p.metrics.end()) continue;
      const double mean = p.metrics.at(metric + ".mean");
      ++c.stated;
      c.covered += std::abs(mean - truth[load].at(metric + ".mean")) <= half_width->second;
      c.half_widths.push_back(half_width->second / mean);
    }
  ASSERT_EQ(found.size(), 12u);
  std::printf("%-16s %5s %8s  covered      none  half width of the mean\n", "", "load", "measure");
  for (auto& [key, c] : found) {
    const auto& [metric, load, measure] = key;
    std::printf("%-16s %5g %8d  %3d of %3d  %3d    %.2f %%\n", metric.c_str(), load, measure, c.covered,
                c.stated, c.runs - c.stated, 100 * c.median());
    EXPECT_EQ(c.runs, kSeeds);
    EXPECT_GE(c.covered, .9 * c.stated) << metric << ", load " << load << ", " << measure << " cycles";
    // An answer that is never given, or that says nothing, is worth as little as a wrong one.
    EXPECT_LE(c.runs - c.stated, load > .35 ? .1 * kSeeds : .02 * kSeeds);
    EXPECT_LE(c.median(), load < .3 ? .01 : load < .36 ? .05 : .15);
  }
}

}  // namespace
}  // namespace flitmend
