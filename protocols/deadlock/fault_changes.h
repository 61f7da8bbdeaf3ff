// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "protocols/deadlock/checker.h"

namespace flitmend {

/// A set of faults, and the routing function as it routes by that set (update_faults). Neither is owned.
struct RoutedFaults {
  const FaultSet* faults;
  const RoutingFunction* routing;
};

/// The effects of a change from one set of faults to another on messages under way.
struct FaultChangeAnalysis {
  DeadlockVerdict verdict = DeadlockVerdict::not_proved;
  DeadlockArgument argument = DeadlockArgument::none;
  /// "free" requires that a virtual channel is given to a new message only when it is empty (or cut-through).
  bool needs_atomic_reallocation = false;
  std::size_t set = 0;                   ///< can_deadlock: with which set the messages block each other
  std::vector<BlockedMessage> deadlock;  ///< a legal deadlock, if one was found
};

/// Whether a network stays free of deadlock when these sets of faults follow one another, if none of them
/// allows a deadlock by itself. A message may have been routed by any of the earlier sets, or by several, and
/// continues by the present one. A router drops a head that has no candidate, or no escape channel where the
/// algorithm relies on them.
///
/// Free: the dependencies of all sets together have no cycle; or their extended graph of escape channels has
/// none, and every set has escapes wherever messages can be; or, with cut-through, no set lets messages that
/// hold one channel each block each other. The first messages of a set that do are a deadlock.
///
/// `in_order`: the sets follow one another as given, the first holds at the start; otherwise in any order.
/// Takes as long as a check of one network, times the number of sets (in_order: squared). Options:
/// cut_through and listener. Throws Interrupted if the listener stops it.
FaultChangeAnalysis analyse_fault_changes(const std::vector<RoutedFaults>& sets, bool in_order,
                                          const DeadlockOptions& options = {});

}  // namespace flitmend
