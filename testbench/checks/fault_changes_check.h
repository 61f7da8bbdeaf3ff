// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "testbench/checks/deadlock_check.h"

namespace flitmend {

/// What keeps a network free of deadlock, or does not, when the set of faults changes while messages are
/// under way.
enum class FaultChangeAnswer {
  none,          ///< no fault strikes after the start
  fixed_routes,  ///< routes do not depend on the set of faults
  drains,        ///< the network drains before its tables change
  proved,        ///< the routes of all sets together allow no deadlock
  can_deadlock,  ///< messages under way can block each other
  not_proved,
};
/// As in the JSON of `flitmend check`.
const char* to_string(FaultChangeAnswer);

struct FaultChangesCheck {
  FaultChangeAnswer answer = FaultChangeAnswer::none;
  /// Status of a check that goes through all this: done, deadlock (can deadlock, and no recovery ends it) or
  /// unproved. Verdict: a sentence; empty if no fault strikes after the start. Details: the messages that can
  /// block each other.
  DeadlockCheck check;
};

/// Listed faults are checked in their order. Drawn ones: every node or link, whatever the rates strike,
/// faulty alone, in any order; several at a time are not proved. On a network where that would take more than
/// seconds nothing is proved. The configuration must be complete (settle()). The listener may be null. Throws
/// Interrupted if the listener stops it.
FaultChangesCheck check_fault_changes(const Configuration&, ProofListener*);

/// What a run has to say of routes that change under messages in flight, as a sentence without its end; empty
/// if they are proved. Throws KeyError for a run that can deadlock and that nothing would end, and
/// Interrupted.
std::string fault_changes_note(const Configuration&, ProofListener*);
/// Everything in a configuration that the note depends on.
std::string fault_changes_key(const Configuration&);

/// What happens in a run when such a deadlock forms, as a sentence without its end: the watchdog, or T_out.
std::string fault_change_outcome(const Configuration&);

}  // namespace flitmend
