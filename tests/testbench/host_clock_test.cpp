// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/host_clock.h"

#include <gtest/gtest.h>

#include <memory>
#include <regex>

namespace flitmend {
namespace {

double burn(double seconds) {
  HostClock clock;
  volatile double x = 1;
  while (clock.cpu_seconds() < seconds) {
    clock.start();
    for (int i = 0; i < 10000; ++i) x = x * 1.0000001;
    clock.stop();
  }
  return clock.cpu_seconds();
}

}  // namespace

TEST(HostClock, CountsTheTimeBetweenStartAndStopOnly) {
  HostClock clock;
  burn(0.02);
  EXPECT_EQ(clock.cpu_seconds(), 0.0);
  EXPECT_EQ(clock.results(1000).flit_hops_per_second, std::nullopt);
  clock.start();
  burn(0.02);
  clock.stop();
  const double once = clock.cpu_seconds();
  EXPECT_GE(once, 0.02);
  burn(0.02);
  clock.start();
  burn(0.02);
  clock.stop();
  EXPECT_GE(clock.cpu_seconds(), once + 0.02);
  const HostResults r = clock.results(1000);
  EXPECT_DOUBLE_EQ(r.flit_hops_per_second.value(), 1000 / r.cpu_seconds);
}

TEST(HostClock, PeakMemoryGrowsWithWhatIsUsed) {
  const std::uint64_t before = peak_rss_bytes();
  EXPECT_GT(before, 100000u);
  constexpr std::size_t kBytes = 64 << 20;
  // volatile: a compiler may leave out memory that nothing reads.
  const auto block = std::make_unique<volatile char[]>(kBytes);
  for (std::size_t i = 0; i < kBytes; i += 1024) block[i] = 'x';
  EXPECT_GE(peak_rss_bytes(), before + kBytes / 2);
}

TEST(HostClock, DatesAreUtc) {
  const HostResults r = HostClock().results(0);
  const std::regex date(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)");
  EXPECT_TRUE(std::regex_match(r.started, date)) << r.started;
  EXPECT_TRUE(std::regex_match(r.finished, date)) << r.finished;
  EXPECT_LE(r.started, r.finished);
}

}  // namespace flitmend
