// SPDX-License-Identifier: Apache-2.0
#include "testbench/faults/fault_injector.h"

#include <algorithm>

#include "base/errors.h"

namespace flitmend {

FaultInjector::FaultInjector(sc_core::sc_module_name name, Fabric& fabric, FaultPlan plan)
    : sc_module(name), fabric_(fabric), plan_(std::move(plan)), aim_(plan_.aim()) {
  for (const FaultyPart& part : plan_.certain_faults())
    if (spared(part))
      throw KeyError("faults",
                     part_name(part, fabric.topology()) +
                         " is to fail, but it is a router of your own, or next to one, which has no pins for "
                         "faults; name other parts, or with random static faults another simulation.seed",
                     {"faults.events", "faults.static_nodes", "faults.static_links", "faults.regions",
                      "faults.random_static_nodes", "faults.random_static_links"});
  for (const FaultyPart& part : plan_.static_faults()) {
    if (part.is_router())
      fabric_.fail_router(part.router, true);
    else
      fabric_.fail_link(part.router, part.port, true, true);
  }
  SC_METHOD(act);
  sensitive << due_;
  dont_initialize();
}

bool FaultInjector::spared(const FaultyPart& part) const {
  return fabric_.next_to_foreign(part.router, part.is_router() ? Fabric::kNoPort : part.port);
}

void FaultInjector::schedule(Cycle now) {
  constexpr Cycle kLast = Cycle{1} << 53;  // longer than any run
  constexpr Cycle kLookAhead = 10000;
  due_cycle_ = plan_.next_cycle(now + kLookAhead);
  if (due_cycle_ > kLast) return;
  const sc_core::sc_time edge = fabric_.edge_time(due_cycle_);
  const sc_core::sc_time between = edge + (fabric_.edge_time(due_cycle_ + 1) - edge) * 0.5;
  due_.notify(between - sc_core::sc_time_stamp());
}

bool FaultInjector::will_be_repaired(RouterId router, PortId port) const {
  if (stopped_) return false;
  const FaultyPart channel{router, port};
  const auto far = fabric_.topology().neighbour(router, port);
  if (plan_.dead(channel) || (far && plan_.dead({far->router}))) return false;
  return plan_.will_be_repaired(channel) || (far && plan_.will_be_repaired({far->router}));
}

void FaultInjector::act() {
  if (stopped_) return;
  while (plan_.due(due_cycle_)) {
    const FaultAction action = plan_.take();
    if (action.candidate) {
      const auto& groups = plan_.candidate();
      if (std::any_of(groups.begin(), groups.end(), [this](const auto& parts) {
            return std::any_of(parts.begin(), parts.end(), [this](const auto& part) { return spared(part); });
          }))
        continue;
      if (!aim_.hits(fabric_, plan_.candidate(), action.cycle)) continue;
      plan_.strike();
      aim_.struck(action.cycle);
      continue;
    }
    const FaultyPart& part = action.part;
    if (spared(part)) continue;
    if (!action.repair)
      for (FaultObserver* observer : observers_) observer->part_failing(part, action.permanent, action.cycle);
    if (part.is_router())
      action.repair ? fabric_.repair_router(part.router) : fabric_.fail_router(part.router, action.permanent);
    else
      action.repair ? fabric_.repair_link(part.router, part.port, true)
                    : fabric_.fail_link(part.router, part.port, true, action.permanent);
    if (!action.repair) ++(part.is_router() ? node_faults_ : channel_faults_);
    for (FaultObserver* observer : observers_)
      action.repair ? observer->part_repaired(part, action.cycle)
                    : observer->part_failed(part, action.permanent, action.cycle);
  }
  schedule(due_cycle_);
}

}  // namespace flitmend
