// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/source_wait.h"

#include "testbench/statistics/optional_statistic.h"

namespace flitmend {

void SourceWait::message_delivered(const Message& message, Cycle) {
  if (!window_.contains(message.created)) return;
  const Cycle wait = message.injected - message.created;
  mean_.add(wait);
  max_ = std::max(max_, wait);
}

void SourceWait::visit(ResultsVisitor& v) const {
  v.begin_section(
      {"source_wait", "", "Time in the source queue, of messages created in the measured window."});
  v.value({"mean", "cycles", "Arithmetic mean."}, mean_.mean());
  v.value({"max", "cycles", "Longest wait."}, max_);
  v.end_section();
}

StatisticEntry source_wait_statistic() {
  return {
      .name = "source_wait",
      .description = "Write how long messages wait in their source queue.",
      .make = [](const StatisticContext& c) -> std::unique_ptr<OptionalStatistic> {
        return std::make_unique<SourceWait>(c.window);
      },
  };
}

}  // namespace flitmend
