// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "protocols/deadlock/watchdog.h"
#include "testbench/configured_network.h"
#include "testbench/faults/fault_plan.h"

namespace flitmend {

/// What fails together: a router, a link with both its channels, or all channels in one direction of a link.
struct SearchedPart {
  std::vector<FaultyPart> parts;
  FaultEvent event;  ///< how faults.events names it; without cycle and duration
};

/// The parts of a network that a search lets fail, in an order that depends on the network only.
std::vector<SearchedPart> searched_parts(const Topology&, bool routers, bool links, bool channels);

/// A part that fails after cycle `cycle`, and is repaired after cycle `repair`; kNever: it is permanent.
struct Strike {
  const SearchedPart* part = nullptr;
  Cycle cycle = 0;
  Cycle repair = kNever;
  bool overlaps(const Strike&) const;
};

/// A configured network with listed messages, which a search advances edge by edge, without the kernel. It is
/// built, and lives, inside the arena.
class SearchedNetwork {
 public:
  /// `configuration` has traffic.messages, and must outlive this. Elaborates SystemC.
  explicit SearchedNetwork(const Configuration&);

  const Topology& topology() const { return network_.topology(); }
  Fabric& fabric() { return network_.fabric(); }
  /// The cycle in which the last message is created.
  Cycle last_message() const { return messages_.back().cycle; }
  Scoreboard& scoreboard() { return network_.scoreboard(); }

  /// The cycle that was evaluated last. Not before the first one.
  Cycle now() { return fabric().cycles() - 1; }
  /// Evaluates the next edge, with the messages that are created at it, or the next one at which something
  /// happens. False if nothing happens at `most` or before.
  bool advance(bool every_edge, Cycle most);
  /// Evaluates that edge. Nothing happens before it.
  void pass_to(Cycle edge);
  void fail(const SearchedPart&, bool permanent);
  void repair(const SearchedPart&);
  /// All messages have been sent, and none is under way.
  bool quiet() { return next_message_ == messages_.size() && fabric().quiet(); }
  /// What the watchdog says now; false without one. No repair is pending.
  bool deadlocked() { return watchdog_ && watchdog_->look(); }
  bool watched() const { return watchdog_ != nullptr; }
  bool frozen() { return next_message_ == messages_.size() && fabric().next_event() == kNever; }

 private:
  struct Due {
    Cycle cycle;
    NodeId from, to;
    std::uint32_t length;
  };
  sc_core::sc_signal<bool> clock_;
  ConfiguredNetwork network_;
  std::vector<Due> messages_;  ///< by cycle
  std::size_t next_message_ = 0;
  std::unique_ptr<DeadlockWatchdog> watchdog_;  ///< null: the configuration's does not end runs
};

}  // namespace flitmend
