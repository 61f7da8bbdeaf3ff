// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/settings.h"

#include "base/registry.h"
#include "testbench/traffic/classes.h"
#include "testbench/traffic/injection.h"
#include "testbench/traffic/length.h"
#include "testbench/traffic/pattern.h"
#include "testbench/workloads/workload.h"

namespace flitmend {
namespace {

/// Of what messages are like: with load 0 there are none.
constexpr KeyEffect kSent = KeyEffect::unless("traffic.load", "0");

/// Visits the options of the entries of a registry. `selector` chooses the entry: "traffic.pattern".
template <class Entry>
void visit_options(const Registry<Entry>& registry, std::string_view selector, OptionValues& values,
                   SettingsVisitor& v) {
  const auto effect = [&](const OptionKey& option) {
    return kSent && read_by<&Entry::options>(registry, selector, option.name());
  };
  values.visit(options_of<&Entry::options>(registry, "traffic"), effect, v);
}

}  // namespace

void TrafficSettings::visit(SettingsVisitor& v) {
  v.begin_section("traffic", "Synthetic traffic, or a trace.");
  v.key({"pattern", "", "Destination of a message, by its source.", kSent}, pattern,
        traffic_patterns().choices());
  v.key({"load", "load_unit",
         "Offered load of each sending node; 0: none. Nodes that a permutation maps to themselves send "
         "nothing, and the offered load that a run reports, which is per node of the network, is lower by "
         "their share.",
         kAlways},
        load, {0, 64});
  v.key({"load_unit", "", "Unit of load.", kSent}, load_unit,
        {{"flits", "flits per node per cycle"},
         {"capacity", "share of 2B/N flits per node per cycle; B channels cross the bisection, N nodes"}});

  v.key({"message_length", "flits",
         "Length of a message, head and tail included (1: head and tail in one flit): of all messages "
         "(fixed), on average (normal, and uniform without message_length_max), of the short messages "
         "(bimodal).",
         kSent && (KeyEffect::unless("traffic.length_distribution", "uniform") ||
                   KeyEffect::only_with("traffic.message_length_max", "0"))},
        message_length, {1, kLongestMessage});
  v.key({"length_distribution", "", "Distribution of message lengths.", kSent}, length_distribution,
        length_distributions().choices());
  visit_options(length_distributions(), "traffic.length_distribution", options, v);

  v.key(
      {"injection", "", "Process that creates a node's messages; the mean gap is mean length / load.", kSent},
      injection, injection_processes().choices());
  visit_options(injection_processes(), "traffic.injection", options, v);
  visit_options(traffic_patterns(), "traffic.pattern", options, v);
  for (const WorkloadEntry& workload : workloads())
    for (const OptionKey* option : workload.options) options.visit(*option, v);
  for (const OptionKey* option : kClassOptions) options.visit(*option, v);
  v.end_section();
}

}  // namespace flitmend
