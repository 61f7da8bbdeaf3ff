// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/settings.h"

#include "testbench/statistics/optional_statistic.h"

namespace flitmend {

void StatisticsSettings::visit(SettingsVisitor& v) {
  v.begin_section("statistics", "Optional statistics.");
  for (const StatisticEntry& entry : optional_statistics().entries()) {
    const Key key{entry.name, "", entry.description, kAlways};
    if (entry.most > 0)
      v.key(key, numbers[std::string(entry.name)], {0, static_cast<std::int64_t>(entry.most)});
    else
      v.key(key, requested[std::string(entry.name)]);
  }
  v.key({"histogram", "", "Write the distribution of the total latency.", kAlways}, histogram);
  v.key({"events", "",
         "Write events.csv into the output folder: one line per fault, repair, message hit, recovered or "
         "abandoned; docs/recovery.md.",
         kAlways},
        events);
  v.key({"messages", "",
         "Write messages.csv into the output folder: one line per message; docs/workloads.md.", kAlways},
        messages);
  v.key({"flows", "",
         "Count per flow and per class of messages; docs/workloads.md. Flows with a target are counted "
         "anyway, and so are classes of traffic.classes.",
         KeyEffect::only_if_given(
             "traffic.flows traffic.matrix traffic.noxim_table traffic.trace traffic.task_graph "
             "traffic.collectives traffic.mode")},
        flows);
  v.key({"hits", "",
         "Count what faults hit: by kind of fault, phase of the message and overlap, and how the messages "
         "ended.",
         KeyEffect::only_if_given("faults")},
        hits);
  v.end_section();
}

}  // namespace flitmend
