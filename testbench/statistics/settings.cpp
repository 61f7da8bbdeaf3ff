// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/settings.h"

#include "testbench/statistics/statistic_registry.h"

namespace flitmend {

void StatisticsSettings::visit(SettingsVisitor& v) {
  v.begin_section("statistics", "Optional statistics.");
  for (const StatisticEntry& entry : optional_statistics().entries())
    v.key({entry.name, "", entry.description}, requested[std::string(entry.name)]);
  v.key({"histogram", "", "Write the distribution of the total latency."}, histogram);
  v.key(
      {"events", "",
       "Write events.csv into the output folder: one line per fault, repair, message hit, recovered or given "
       "up; docs/recovery.md."},
      events);
  v.key({"hits", "",
         "Count what faults hit: by kind of fault, phase of the message and overlap, and how the messages "
         "ended."},
        hits);
  v.end_section();
}

}  // namespace flitmend
