// SPDX-License-Identifier: Apache-2.0
#include "testbench/workloads/trace_workload.h"

#include "testbench/workloads/refused_keys.h"

namespace flitmend {

constexpr OptionKey kTraceOption{.key = {"trace", "",
                                         "Trace to replay with its dependencies, instead of synthetic "
                                         "traffic: a Netrace file, or messages in CSV "
                                         "if its name ends in .csv (docs/workloads.md).",
                                         kAlways},
                                 .values = OptionKey::Text{}};

std::string trace_of(const TrafficSettings& traffic) {
  return traffic.options.word(kTraceOption);
}

bool is_csv_trace(const std::string& file) {
  return file.ends_with(".csv");
}

void refuse_trace_keys(const Configuration& c, const std::string& also) {
  GivenKeys given = {{"traffic.trace", {}}, {"traffic.load", "0"}, {"traffic.clock_mhz", {}}};
  if (!also.empty()) given[also];
  refuse_keys(c, c.traffic, given, "with traffic.trace, which says what is sent");
  refuse_phases(c, "with traffic.trace: a trace is replayed and measured from its first packet to its last");
}

WorkloadEntry trace_entry() {
  return {.to_its_end = true,
          .options = {&kTraceOption},
          .file_keys = {"traffic.trace"},
          .description = [](const TrafficSettings& traffic) { return "trace " + trace_of(traffic); },
          .files = [](const TrafficSettings& traffic) -> std::vector<InputFile> {
            return {{"traffic.trace", trace_of(traffic)}};
          }};
}

}  // namespace flitmend
