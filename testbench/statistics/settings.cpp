// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/settings.h"

#include "testbench/statistics/statistic_registry.h"

namespace flitmend {

void StatisticsSettings::visit(SettingsVisitor& v) {
  v.begin_section("statistics", "Optional statistics.");
  for (const StatisticEntry& entry : optional_statistics().entries())
    v.key({entry.name, "", entry.description}, requested[std::string(entry.name)]);
  v.key({"histogram", "", "Write the distribution of the total latency."}, histogram);
  v.end_section();
}

}  // namespace flitmend
