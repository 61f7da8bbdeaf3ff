// SPDX-License-Identifier: Apache-2.0
#include "testbench/workloads/workload.h"

#include <algorithm>

#include "base/escaped_text.h"
#include "base/nearest.h"
#include "base/text.h"

namespace flitmend {

#define FLITMEND_WORKLOAD(x) WorkloadEntry x##_workload();
#include "testbench/workloads/workloads.def"
#undef FLITMEND_WORKLOAD

const std::vector<WorkloadEntry>& workloads() {
  static const std::vector<WorkloadEntry> all = {
#define FLITMEND_WORKLOAD(x) x##_workload(),
#include "testbench/workloads/workloads.def"
#undef FLITMEND_WORKLOAD
  };
  return all;
}

void check_classes(const WorkloadEntry& workload, const MessageClasses& classes, const Configuration& c,
                   const Topology& topology, const HardwareParameters& hardware) {
  if (classes.empty()) return;
  const auto fail = [](const std::string& text) { throw KeyError("traffic.classes", text); };
  if (!workload.flows)
    fail(formatted("the messages of %1% have no classes; %2%, or remove the key",
                   workload.description(c.traffic), workload.why_no_classes));
  const std::string of_section = c.traffic.options.word(kClassOption);
  if (!of_section.empty() && !classes.number(of_section))
    throw KeyError("traffic.class",
                   escaped_text("there is no class " + shown_value(of_section) + " in traffic.classes" +
                                did_you_mean(of_section, classes.names())));
  std::vector<bool> used(classes.list.size());
  bool uses_section = false;
  for (const FlowDescription& flow : workload.flows(c, topology, hardware)) {
    const auto fail_flow = [&](const std::string& text) {
      if (flow.class_place.source.empty()) fail(text);
      throw ConfigurationError(flow.class_place, escaped_text("class: " + text));
    };
    if (flow.message_class.empty())
      fail_flow("the messages of " + shown_value(flow.name) + " have no class; give them one of " +
                joined(classes.names()) + ", set traffic.class, or remove traffic.classes");
    const std::optional<unsigned> number = classes.number(flow.message_class);
    if (!number)
      fail_flow("the messages of " + shown_value(flow.name) + " have class " +
                shown_value(flow.message_class) +
                ", which is not in traffic.classes; add it there, or give them another one" +
                did_you_mean(flow.message_class, classes.names()));
    used[*number] = true;
    uses_section = uses_section || flow.class_of_section;
  }
  if (!of_section.empty() && !uses_section)
    throw KeyError("traffic.class", "it has no effect, because every message has a class; remove it");
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i])
      fail("no message has class " + shown_value(classes.list[i].name) + "; remove it from the list");
}

std::vector<std::uint8_t> classes_of(std::span<const FlowDescription> flows, const MessageClasses& classes) {
  std::vector<std::uint8_t> by_flow;
  for (const FlowDescription& flow : flows)
    by_flow.push_back(static_cast<std::uint8_t>(classes.number(flow.message_class).value_or(0)));
  return by_flow;
}

const WorkloadEntry& workload_of(const TrafficSettings& traffic) {
  return *std::ranges::find_if(workloads(),
                               [&](const WorkloadEntry& workload) { return workload.chosen(traffic); });
}

}  // namespace flitmend
