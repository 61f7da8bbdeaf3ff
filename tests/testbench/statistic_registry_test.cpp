// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/optional_statistic.h"

#include <gtest/gtest.h>

#include <utility>

#include "base/setting_values.h"
#include "contracts/every_statistic.h"
#include "testbench/statistics/run_statistics.h"
#include "topologies/mesh.h"

namespace flitmend {

INSTANTIATE_TEST_SUITE_P(Registered, EveryStatistic, testing::ValuesIn(optional_statistics().entries()),
                         test_name<StatisticEntry>);

TEST(StatisticRegistry, EveryEntryIsAKeyThatIsOffByDefault) {
  StatisticsSettings settings;
  for (const StatisticEntry& entry : optional_statistics().entries()) {
    EXPECT_FALSE(settings.requests(entry.name));
    unsigned keys = 0;
    for (const SettingValue& key : values_of(settings)) {
      if (key.name != entry.name) continue;
      ++keys;
      if (entry.most > 0) {
        EXPECT_EQ(std::exchange(*std::get<std::int64_t*>(key.value), 1), 0);
      } else {
        EXPECT_FALSE(std::exchange(*std::get<bool*>(key.value), true));
      }
    }
    EXPECT_EQ(keys, 1u) << entry.name;
    EXPECT_TRUE(settings.requests(entry.name));
  }
}

TEST(StatisticRegistry, ARunHasThoseThatAreRequested) {
  const Mesh mesh({2, 2});
  for (const StatisticEntry& entry : optional_statistics().entries())
    for (const bool requested : {false, true}) {
      StatisticsSettings settings;
      if (entry.most > 0)
        settings.numbers[std::string(entry.name)] = requested;
      else
        settings.requested[std::string(entry.name)] = requested;
      const RunStatistics statistics(mesh, {}, settings);
      Results results;
      statistics.fill(results);
      EXPECT_EQ(to_json(results).find("\n  \"" + std::string(entry.name) + "\": ") != std::string::npos,
                requested)
          << entry.name;
    }
}

}  // namespace flitmend
