// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>

#include "rtl_tlm/fabric/fabric.h"
#include "testbench/faults/aim.h"
#include "testbench/faults/fault_observer.h"
#include "testbench/faults/fault_plan.h"

namespace flitmend {

/// Injects faults into a fabric according to its plan: between the clock edge of a fault's cycle and the next
/// edge. It sleeps between faults.
class FaultInjector : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(FaultInjector);
  /// Injects static faults at once. Create it before the simulation starts. Random faults spare the routers
  /// of your own, their links and their neighbours; throws KeyError if another fault would hit one.
  FaultInjector(sc_core::sc_module_name, Fabric&, FaultPlan);
  const char* kind() const override { return "flitmend_fault_injector"; }

  void add_observer(FaultObserver& observer) { observers_.push_back(&observer); }
  const FaultPlan& plan() const { return plan_; }
  /// Stops all faults and repairs.
  void stop() { stopped_ = true; }
  /// Whether the outgoing channel at a port is faulty now, and will be repaired.
  bool will_be_repaired(RouterId, PortId) const;
  /// The same of any part.
  bool repairs_pending() const { return !stopped_ && plan_.repairs_pending(); }
  std::uint64_t node_faults() const { return node_faults_; }
  /// Channels that failed themselves, not with a router. A link that fails in both directions counts as two.
  std::uint64_t channel_faults() const { return channel_faults_; }

 private:
  void start_of_simulation() override { schedule(0); }
  void act();
  bool spared(const FaultyPart&) const;
  /// Calls act() when the plan has an action, or is to be looked at again. Nothing is left to do up to `now`.
  void schedule(Cycle now);

  Fabric& fabric_;
  FaultPlan plan_;
  Aim aim_;
  sc_core::sc_event due_;
  Cycle due_cycle_ = 0;
  std::vector<FaultObserver*> observers_;
  bool stopped_ = false;
  std::uint64_t node_faults_ = 0;
  std::uint64_t channel_faults_ = 0;
};

}  // namespace flitmend
