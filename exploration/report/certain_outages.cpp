// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/certain_outages.h"

#include <map>

#include "base/errors.h"
#include "testbench/faults/fault_plan.h"
#include "testbench/workloads/workload.h"

namespace flitmend {
namespace {

/// The part of the plan that needs neither rates nor traffic. Random static faults have a stream of their
/// own.
FaultPlan certain_plan(const Configuration& c, const Topology& topology) {
  FaultSettings faults = c.faults;
  faults.node_rate = faults.link_rate = 0;
  faults.aim = {};
  FaultPlan plan(faults, topology, static_cast<std::uint64_t>(c.simulation.seed));
  if (!workload_of(c.traffic).to_its_end && c.simulation.drain && !faults.strike_in_drain)
    plan.last_strike_before(static_cast<std::uint64_t>(c.simulation.warmup + c.simulation.measure));
  return plan;
}

}  // namespace

std::vector<FaultEvents::Outage> certain_outages(const Configuration& c, const Topology& topology,
                                                 std::uint64_t cycles) {
  std::vector<FaultEvents::Outage> outages;
  try {
    FaultPlan plan = certain_plan(c, topology);
    for (const FaultyPart& part : plan.static_faults())
      outages.push_back({part_name(part, topology), 0, std::nullopt, true});
    std::map<FaultyPart, std::size_t> open;
    while (cycles > 0 && plan.due(cycles - 1)) {
      const FaultAction action = plan.take();
      if (!action.repair) {
        open[action.part] = outages.size();
        outages.push_back({part_name(action.part, topology), action.cycle, std::nullopt, action.permanent});
      } else if (const auto outage = open.extract(action.part)) {
        outages[outage.mapped()].to = action.cycle;
      }
    }
  } catch (const ConfigurationError&) {
    outages.clear();
  }
  return outages;
}

}  // namespace flitmend
