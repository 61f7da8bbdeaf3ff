// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>

#include "rtl_tlm/fabric/fabric.h"
#include "testbench/faults/fault_plan.h"

namespace flitmend {

/// Is told about faults and repairs when they happen.
class FaultObserver {
 public:
  virtual ~FaultObserver() = default;
  virtual void part_failed(const FaultyPart&, bool permanent, Cycle) = 0;
  virtual void part_repaired(const FaultyPart&, Cycle) = 0;
};

/// Lets faults strike a fabric as its plan says: between the clock edge of a fault's cycle and the next one.
/// It sleeps in between.
class FaultInjector : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(FaultInjector);
  /// What is dead from the start fails at once. Before the simulation starts.
  FaultInjector(sc_core::sc_module_name, Fabric&, FaultPlan);

  void add_observer(FaultObserver& observer) { observers_.push_back(&observer); }
  /// Nothing more happens: no fault and no repair.
  void stop() { stopped_ = true; }
  std::uint64_t node_faults() const { return node_faults_; }
  /// Channels that failed by themselves; a link that fails in both directions is two.
  std::uint64_t channel_faults() const { return channel_faults_; }

 private:
  void start_of_simulation() override { schedule(); }
  void act();
  void schedule();

  Fabric& fabric_;
  FaultPlan plan_;
  sc_core::sc_event due_;
  std::vector<FaultObserver*> observers_;
  bool stopped_ = false;
  std::uint64_t node_faults_ = 0;
  std::uint64_t channel_faults_ = 0;
};

}  // namespace flitmend
