// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/signals/message.h"
#include "testbench/faults/fault_plan.h"

namespace flitmend {

/// Is notified of faults and repairs when they happen. Not of static faults, which are there before the run.
class FaultObserver {
 public:
  virtual ~FaultObserver() = default;
  /// The part fails next: the fabric is still as it was before.
  virtual void part_failing(const FaultyPart&, bool permanent, Cycle) { static_cast<void>(permanent); }
  virtual void part_failed(const FaultyPart&, bool permanent, Cycle) { static_cast<void>(permanent); }
  virtual void part_repaired(const FaultyPart&, Cycle) {}
};

}  // namespace flitmend
