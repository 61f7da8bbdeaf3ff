// SPDX-License-Identifier: Apache-2.0
#include "program/reference/pages.h"

#include "base/table.h"
#include "base/text.h"
#include "protocols/routing/registry.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

std::string guarantee(const RoutingProperties& p) {
  std::string text = p.proof == DeadlockProof::none
                         ? "can deadlock"
                         : std::string("free of deadlock (") + to_string(p.proof) +
                               (p.atomic_vc_reallocation ? ", atomic reallocation" : "") + ")";
  text += p.extra_hops == 0 ? ", minimal" : ", at most " + counted(p.extra_hops, "hop") + " more";
  if (p.tolerated_faults == kAnyFaults) return text + "; around all faults known from the start";
  if (p.tolerated_faults > 0)
    text += "; around " + counted(p.tolerated_faults, "faulty node") + " known from the start";
  return text;
}

}  // namespace

std::string routing_table_page() {
  Table table{
      .columns = {
          {"algorithm"}, {"topology"}, {"virtual channels"}, {"choice"}, {"guarantee"}, {"reference"}}};
  for (const RoutingEntry& entry : routing_algorithms().entries())
    for (const std::string_view name : entry.topologies()) {
      RoutingSettings settings;
      settings.algorithm = entry.name;
      const auto network = example_network(topologies().at(name), entry);
      const RoutingProperties p = entry.properties(*network, settings);
      const std::string dimensions = entry.dimensions_text();
      table.add({"`" + std::string(entry.name) + "`",
                 std::string(name) + (dimensions.empty() ? "" : " " + dimensions),
                 std::to_string(p.virtual_channels), to_string(p.adaptivity), guarantee(p),
                 std::string(entry.reference)});
    }
  return "\n" + table.markdown() + "\n";
}

}  // namespace flitmend
