// SPDX-License-Identifier: Apache-2.0
// What a page shows: values, and text that does not end a script.
#include <gtest/gtest.h>

#include "exploration/report/page.h"
#include "exploration/report/stored_stats.h"
#include "exploration/sweeps/metrics.h"

namespace flitmend {
namespace {

TEST(Html, JsonEndsNoScript) {
  const std::string hostile = "</script><script>alert(1)</script><!-- & \xe2\x80\xa8 \xff";
  const std::string json = script_json({{hostile, hostile}});
  for (const char c : {'<', '>', '&'}) EXPECT_EQ(json.find(c), json.npos) << json;
  for (const char c : json) EXPECT_TRUE(static_cast<unsigned char>(c) < 0x80) << json;
  const auto back = nlohmann::ordered_json::parse(json);
  EXPECT_EQ(back.items().begin().key(), "</script><script>alert(1)</script><!-- & \xe2\x80\xa8 \xef\xbf\xbd");
}

TEST(Html, Numbers) {
  EXPECT_EQ(rounded_text(42123), "42123");
  EXPECT_EQ(rounded_text(-3), "-3");
  EXPECT_EQ(rounded_text(50.318217439005274), "50.3182");
  EXPECT_EQ(rounded_text(0.555, 2), "0.56");
  EXPECT_EQ(value_text(nullptr), "–");
  EXPECT_EQ(value_text(true), "yes");
  EXPECT_EQ(value_text({4, 4}), "[4,4]");
  EXPECT_EQ(value_text(18446744073709551615u), "18446744073709551615");
}

TEST(StoredStats, TakesNothingForGranted) {
  const StoredStats stats({{"latency", {{"total", {{"mean", 2.5}, {"p50", "text"}}}}}, {"list", {1, 2}}});
  EXPECT_EQ(stats.number("latency.total.mean"), 2.5);
  EXPECT_EQ(stats.number("latency.total.p50"), std::nullopt);
  EXPECT_EQ(stats.number("latency.total"), std::nullopt);
  EXPECT_EQ(stats.number("latency.total.mean.deeper"), std::nullopt);
  EXPECT_EQ(stats.number("list.0"), std::nullopt);
  EXPECT_EQ(stats.text("nothing"), "–");
  EXPECT_EQ(StoredStats(nlohmann::ordered_json::array()).find("a"), nullptr);
}

TEST(KnownStatistic, HasUnitAndDefinition) {
  EXPECT_EQ(with_unit("latency.total.mean"), "latency.total.mean (cycles)");
  EXPECT_EQ(with_unit("contract.holds"), "contract.holds");
  EXPECT_EQ(with_unit("unknown"), "unknown");
  EXPECT_FALSE(known_statistic("traffic.accepted")->description.empty());
  EXPECT_EQ(known_statistic("channels.flits"), nullptr);
}

TEST(Binned, KeepsEveryMessage) {
  const BinnedHistogram exact = binned({10, 11, 14}, {1, 2, 3}, 5);
  EXPECT_EQ(exact.first, 10u);
  EXPECT_EQ(exact.width, 1u);
  EXPECT_EQ(exact.messages, (std::vector<std::uint64_t>{1, 2, 0, 0, 3}));
  EXPECT_EQ(exact.beyond, 0u);

  const BinnedHistogram two = binned({11, 12, 15}, {1, 2, 3}, 4);
  EXPECT_EQ(two.first, 10u);
  EXPECT_EQ(two.width, 2u);
  EXPECT_EQ(two.messages, (std::vector<std::uint64_t>{1, 2, 3}));

  // One straggler in 1000 stays out of the bins, one in 999 does not.
  const BinnedHistogram cut = binned({10, 20, 5000}, {500, 499, 1}, 20);
  EXPECT_EQ(cut.width, 1u);
  EXPECT_EQ(cut.messages.size(), 11u);
  EXPECT_EQ(cut.beyond, 1u);
  const BinnedHistogram whole = binned({10, 20, 5000}, {500, 498, 1}, 20);
  EXPECT_EQ(whole.width, 500u);
  EXPECT_EQ(whole.messages.size(), 11u);
  EXPECT_EQ(whole.messages[0], 998u);
  EXPECT_EQ(whole.beyond, 0u);

  EXPECT_TRUE(binned({}, {}, 10).messages.empty());
  EXPECT_TRUE(binned({7}, {0}, 10).messages.empty());
  EXPECT_EQ(binned({7}, {1}, 1).messages, (std::vector<std::uint64_t>{1}));
}

TEST(Binned, WidthsAreOneTwoFive) {
  for (std::uint64_t last = 1; last < 3'000'000; last = last * 5 / 3 + 1) {
    const BinnedHistogram h = binned({0, last}, {1, 1}, 80);
    EXPECT_LE(h.messages.size(), 80u) << last;
    EXPECT_GE(h.messages.size(), std::min<std::uint64_t>(last + 1, 32)) << last;
    std::uint64_t digits = h.width;
    while (digits % 10 == 0) digits /= 10;
    EXPECT_TRUE(digits == 1 || digits == 2 || digits == 5) << h.width;
  }
}

}  // namespace
}  // namespace flitmend
