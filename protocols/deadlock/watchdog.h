// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rtl_tlm/flit.h"
#include "topologies/topology.h"

namespace flitmend {

class Fabric;

/// An input virtual channel that can never move again, and what it waits for.
struct WaitingVc {
  RouterId router = 0;
  unsigned id = 0;                    ///< port · virtual channels + vc
  MessageIndex message = kNoMessage;  ///< at its front; kNoMessage: the rest of a message has yet to come
};

/// A deadlock as the registers of a fabric show it.
struct FoundDeadlock {
  std::vector<WaitingVc> cycle;  ///< each waits for the next, the last for the first
  std::size_t blocked = 0;       ///< virtual channels that can never move again, those of the cycle included
};

/// Looks for virtual channels that wait for each other for ever. Exact: a virtual channel can move when it
/// has a flit and room for it, when something is on the wires for it, or when one of those that it waits for
/// can (a head waits for any of its candidates); those left over are deadlocked. A long wait is none. A head
/// without a candidate waits for the fault status, not for another, and counts as able to move.
class DeadlockWatchdog {
 public:
  /// The fabric outlives it.
  explicit DeadlockWatchdog(const Fabric&);
  ~DeadlockWatchdog();

  /// Between two cycles; O(virtual channels · candidates). Keeps its memory from look to look.
  std::optional<FoundDeadlock> look();

 private:
  class WaitGraph;
  std::unique_ptr<WaitGraph> graph_;
};

/// One look.
std::optional<FoundDeadlock> find_deadlock(const Fabric&);

/// A line a virtual channel of the cycle: where it stands, its message, what it waits for.
std::string describe(const FoundDeadlock&, const Fabric&);

}  // namespace flitmend
