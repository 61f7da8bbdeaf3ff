// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rtl_tlm/signals/message.h"
#include "topologies/topology.h"

namespace flitmend {

class Fabric;

/// An input virtual channel that can never move again, and what it waits for.
struct WaitingVc {
  RouterId router = 0;
  unsigned id = 0;                    ///< port · virtual channels + vc
  MessageIndex message = kNoMessage;  ///< at its front; kNoMessage: waits for the rest of a message
};

/// A deadlock, as seen in the registers of a fabric.
struct FoundDeadlock {
  std::vector<WaitingVc> cycle;  ///< each waits for the next, and the last for the first
  std::size_t blocked = 0;       ///< virtual channels that can never move again, including the cycle
  /// When the last head of the cycle began to wait: the deadlock is not older. 0: not known.
  Cycle since = 0;
};

/// Finds virtual channels that wait for each other forever. Exact: a virtual channel can move if it has a
/// flit and there is room for it, if something is on the wires for it, if a timer of the recovery protocol or
/// a repair ends its wait, or if one of those that it waits for can move (a head waits for any of its
/// candidates). The others are deadlocked. A long wait is not a deadlock. A head without a candidate waits
/// for the fault status, not for another virtual channel, and counts as able to move.
class DeadlockWatchdog {
 public:
  /// Whether a faulty port will be repaired.
  using Repairs = std::function<bool(RouterId, PortId)>;
  /// The fabric must outlive this. Without `repairs`, faults stay.
  explicit DeadlockWatchdog(const Fabric&, Repairs repairs = {});
  ~DeadlockWatchdog();

  /// Call between two cycles; O(virtual channels · candidates). Keeps its memory between calls.
  std::optional<FoundDeadlock> look();
  // What the last look has found:
  /// Whether that input virtual channel can never move again.
  bool blocked(RouterId, unsigned id) const;
  /// Deadlocks: sets of such virtual channels, of which none waits for one of another set. Ascending.
  std::vector<std::vector<WaitingVc>> deadlocks() const;

 private:
  class WaitGraph;
  std::unique_ptr<WaitGraph> graph_;
};

/// One check.
std::optional<FoundDeadlock> find_deadlock(const Fabric&);

/// One line per virtual channel of the cycle: its name, its message, what it waits for.
std::string describe(const FoundDeadlock&, const Fabric&);

}  // namespace flitmend
