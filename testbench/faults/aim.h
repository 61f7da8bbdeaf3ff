// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string>
#include <vector>

#include "rtl_tlm/fabric/fabric.h"
#include "testbench/faults/fault_plan.h"
#include "testbench/faults/hit_phase.h"

namespace flitmend {

/// Decides which candidates of faults.aim strike: those that hit a packet in one of the phases. So each part
/// and cycle in which a fault does that is equally likely to be struck, as with random faults. Reads the
/// registers and changes nothing.
class Aim {
 public:
  explicit Aim(const AimSettings&);

  /// Whether the parts of a candidate, failing after cycle t, hit such a packet; of several parts, whether
  /// two of them hit the same one.
  bool hits(Fabric&, const FaultCandidate&, Cycle t) const;
  /// A candidate has struck after cycle t.
  void struck(Cycle t);

 private:
  using Phases = std::array<bool, kHitPhases.size()>;
  static Phases phases_named(const std::vector<std::string>&);

  static constexpr Cycle kPatience = 1000;

  Phases first_;
  Phases then_;
  bool has_then_;
  bool first_hit_;
  Cycle then_until_ = 0;  ///< before this cycle `then` applies, and only messages that a fault has hit before
};

}  // namespace flitmend
