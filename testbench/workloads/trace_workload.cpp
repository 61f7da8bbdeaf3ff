// SPDX-License-Identifier: Apache-2.0
#include "testbench/workloads/trace_workload.h"

#include "testbench/traffic/field_reader.h"
#include "testbench/workloads/refused_keys.h"

namespace flitmend {

constexpr OptionKey kTraceOption{.key = {"trace", "",
                                         "Trace to replay with its dependencies, instead of synthetic "
                                         "traffic: a Netrace file, or messages in CSV "
                                         "if its name ends in .csv, .csv.gz or .csv.xz "
                                         "(docs/workloads.md).",
                                         kAlways},
                                 .values = OptionKey::Text{}};

std::string trace_of(const TrafficSettings& traffic) {
  return traffic.options.word(kTraceOption);
}

constexpr OptionKey kMappingOption{
    .key = {"mapping", "", "CSV file with new nodes for those of the trace: lines from,to.",
            KeyEffect::only_if_given("traffic.trace")},
    .values = OptionKey::Text{}};

NodeMapping mapping_of(const Configuration& c, const Topology& topology) {
  const std::string file = c.traffic.options.word(kMappingOption);
  if (file.empty()) return {};
  return NodeMapping(file, topology.node_count() - 1, [&](std::string_view text, const Place& place) {
    return node_of_text(text, topology, c.tlm.address_map, place);
  });
}

void refuse_trace_keys(const Configuration& c, const std::string& also) {
  GivenKeys given = {
      {"traffic.trace", {}}, {"traffic.mapping", {}}, {"traffic.load", "0"}, {"traffic.clock_mhz", {}}};
  if (!also.empty()) given[also];
  refuse_keys(c, c.traffic, given, "with traffic.trace, which says what is sent");
  refuse_phases(c, "with traffic.trace: a trace is replayed and measured from its first packet to its last");
}

WorkloadEntry trace_entry() {
  return {.to_its_end = true,
          .options = {&kTraceOption, &kMappingOption},
          .file_keys = {"traffic.trace", "traffic.mapping"},
          .description = [](const TrafficSettings& traffic) { return "trace " + trace_of(traffic); },
          .files = [](const TrafficSettings& traffic) -> std::vector<InputFile> {
            std::vector<InputFile> files = {{"traffic.trace", trace_of(traffic)}};
            if (const std::string mapping = traffic.options.word(kMappingOption); !mapping.empty())
              files.push_back({"traffic.mapping", mapping});
            return files;
          }};
}

}  // namespace flitmend
