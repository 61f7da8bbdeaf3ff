// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "testbench/collectives/contributions.h"
#include "testbench/collectives/planned_collective.h"
#include "testbench/progress_limit.h"
#include "traces/message_schedule.h"

namespace flitmend {

/// What was counted of one collective, all its repetitions together.
struct CollectiveCounts {
  std::uint64_t completed = 0;    ///< repetitions in which every member has received and combined all
  Cycle begin = kNever;           ///< of the first repetition: its first member begins
  Cycle end = 0;                  ///< of the last completed one: its last member is done
  std::uint64_t time_sum = 0;     ///< cycles from begin to end, of the completed ones
  std::uint64_t time_max = 0;     ///< of one of them
  std::uint64_t messages = 0;     ///< handed over
  std::uint64_t failed = 0;       ///< … and abandoned or lost, says their sender
  std::uint64_t wrong_slots = 0;  ///< contents that are not the result
};

/// A wrong result.
struct WrongContents {
  std::uint32_t collective = 0, repetition = 0;
  NodeId node = 0;
  std::uint32_t slot = 0;
  Cycle cycle = 0;  ///< in which the member was done
};

/// Collectives, one after the other: each member goes through the rounds of its collectives in the order of
/// the list, without waiting for others. It carries and combines real numbers, and compares the results with
/// what the members contributed.
///
/// A member of a round that ends in cycle t sends the messages of the next one in cycle t + 1. A message
/// counts when it is received, once, whatever its sender knows of it; one that comes before its round waits.
class CollectiveRun final : public MessageSchedule {
 public:
  CollectiveRun(std::vector<PlannedCollective>, NodeId nodes, std::uint64_t seed);

  std::optional<Packet> pop(Cycle now) override;
  Cycle next_cycle() const override { return ready_.empty() ? kNever : ready_.top().cycle; }
  /// Its sender has been answered.
  void delivered(Handle, Cycle) override;
  void undeliverable(Handle, Cycle) override;
  /// Nobody sends, and nobody will: all is complete, or members wait for messages that do not come.
  bool finished() const override { return sent_ == answered_ && ready_.empty(); }
  MessageProgress progress() const {
    return {.steps = sent_ + answered_,
            .waiting = sent_ > answered_,
            .standstill =
                "no message of the collectives has arrived or been abandoned for %1% cycles, "
                "and some are still under way"};
  }

  /// Its destination has received the message. content: what its bytes say; none: too few, and it is what was
  /// sent.
  void received(Handle, std::optional<std::uint64_t> content, Cycle);
  /// The node sends nothing from that cycle on.
  void stop_node(NodeId node, Cycle cycle);

  const std::vector<PlannedCollective>& collectives() const { return collectives_; }
  const CollectiveCounts& counts(std::size_t collective) const { return counts_[collective]; }
  std::uint64_t failed() const;
  /// The first wrong results, at most 20.
  const std::vector<WrongContents>& wrong() const { return wrong_; }
  /// Why the first repetition that is not complete is not: dead members and lost messages, by name. Empty if
  /// all are complete.
  using NameOf = std::function<std::string(NodeId)>;
  std::string missing(std::size_t collective, const NameOf& name) const;

 private:
  /// A message that a member sends or receives.
  struct Action {
    std::uint32_t round;
    bool receives;
    std::uint32_t transfer;
  };
  struct MessageState {
    std::uint64_t content = 0;
    Cycle arrival = kNever;
    bool sent = false;
    bool in_flight = false;  ///< its sender has not been answered
  };
  /// A repetition of a collective, from its first message until it is complete.
  struct Repetition {
    Repetition(const PlannedCollective&, RandomStream);
    Contributions contributions;
    std::vector<std::uint64_t> contents;  ///< of member m in slot s: m · slots + s
    std::vector<MessageState> messages;   ///< by transfer
    std::uint32_t members_done = 0;
    Cycle begin = kNever, end = 0;
  };
  /// A message by its handle.
  struct Position {
    std::uint32_t collective, repetition, transfer;
  };
  struct Place {
    std::uint32_t collective, member;
  };
  /// Where a node is.
  struct Node {
    std::vector<Place> places;  ///< in the order of the list
    std::size_t place = 0;
    std::uint32_t repetition = 0;
    bool begun = false;         ///< that repetition
    std::size_t action = 0;     ///< next, of that repetition
    std::uint32_t round = 0;    ///< in which it is, or was last
    std::uint32_t awaited = 0;  ///< messages of the round that have not arrived; 0: it is between rounds
    Cycle next = 0;             ///< first cycle in which it may send
    Cycle busy = 0;             ///< it sends or combines until that cycle
    Cycle stop = kNever;
  };
  /// What is sent next. Ordered so that the order of deliveries within a cycle does not matter.
  struct Ready {
    Cycle cycle;
    NodeId source;
    Handle handle;
    bool operator>(const Ready& other) const;
  };

  Handle first_handle(std::uint32_t collective, std::uint32_t repetition) const;
  Position position_of(Handle) const;
  std::unique_ptr<Repetition>& repetition_at(std::uint32_t collective, std::uint32_t repetition) {
    return repetitions_[first_repetition_[collective] + repetition];
  }
  MessageState* state_of(Handle);
  const Action* action_of(const Node&) const;

  void run(NodeId);
  void begin(Node&);
  void send_round(NodeId);
  void receive_round(Node&);
  void end(NodeId);
  void check(const Place&, std::uint32_t repetition, const Repetition&, Cycle);
  void answered(Handle, bool ok);
  /// Repetitions that the member has behind it.
  std::uint32_t ended(NodeId, std::size_t collective) const;
  /// Whether members of that repetition wait for a message that the node, which is dead, has not sent.
  bool withholds(NodeId, std::size_t collective, std::uint32_t repetition) const;
  /// Why a member cannot go on in that collective; empty if it only waits for what others have not sent.
  std::string cause(NodeId, std::size_t collective, const NameOf&) const;

  std::vector<PlannedCollective> collectives_;
  std::uint64_t seed_;
  std::vector<std::vector<std::vector<Action>>>
      actions_;                                           ///< by collective and member, by round, sends first
  std::vector<Handle> first_handle_;                      ///< of each collective
  std::vector<std::size_t> first_repetition_;             ///< in repetitions_
  std::vector<std::unique_ptr<Repetition>> repetitions_;  ///< null: not begun, or complete
  std::vector<Node> nodes_;
  std::vector<CollectiveCounts> counts_;
  std::vector<WrongContents> wrong_;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
  std::uint64_t sent_ = 0, answered_ = 0;  ///< messages
};

}  // namespace flitmend
