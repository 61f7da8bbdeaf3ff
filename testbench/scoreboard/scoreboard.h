// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "rtl_tlm/interfaces/message_observer.h"
#include "testbench/statistics/results.h"

namespace flitmend {

class AbandonmentJudge;

struct ScoreboardSettings {
  /// The protocol promises that every longer message between surviving nodes arrives. The loss of one up to
  /// this length, in flits, that a fault has hit is counted but is not a violation. Unless it is 0, neither
  /// is the loss of a message about which a request was lost permanently, as the judge says.
  std::uint32_t may_lose = 0;
  /// Senders may abandon messages that could arrive: the user has set a limit.
  bool may_abandon = false;
  /// Violations that are stored with details; all are counted.
  std::size_t keep = 20;
};

/// Receives the legal calls, as RunStatistics does, and the violations.
class ScoreboardObserver : public MessageObserver {
 public:
  virtual void violated(const Violation&) {}
};

/// Checks from outside the model that every message reaches its processing element exactly once. It trusts
/// only the calls that it receives: it detects a descriptor reused too early, an id used twice, and a message
/// that arrives again long after its delivery. It needs a slot of 24 bytes per descriptor, so memory grows
/// with the messages in flight and not with the length of the run, and a counter per node. Each call takes
/// constant time, but for questions to a judge.
///
/// Forwards legal calls to `next`: every creation, and the first delivery only.
class Scoreboard final : public MessageObserver {
 public:
  Scoreboard(NodeId nodes, ScoreboardSettings, MessageObserver* next = nullptr);
  /// It says of each message whether its sender had to abandon it; that may take a search through the
  /// network. Without a judge, all had to.
  void ask(AbandonmentJudge& judge) { judge_ = &judge; }

  void message_created(MessageIndex, const Message&) override;
  void message_held_back(const Message&) override;
  void message_injected(MessageIndex, const Message&, Cycle) override;
  void message_delivered(MessageIndex, const Message&, NodeId at, Cycle) override;
  void message_corrupted(MessageIndex, const Message&, Cycle) override;
  /// The sender cannot know whether a copy arrives later. A message both abandoned and delivered, in either
  /// order, counts as delivered.
  void message_hit(MessageIndex, const Message&, Cycle) override;
  void message_undeliverable(MessageIndex, const Message&, Cycle) override;
  void message_void(MessageIndex, const Message&, Cycle) override;
  void message_lost(MessageIndex, const Message&, Cycle) override;
  /// No violation, whatever the protocol promises.
  void message_discarded(MessageIndex, const Message&, Cycle) override;

  void add_observer(ScoreboardObserver& observer) { observers_.push_back(&observer); }

  /// The run ended in cycle `now`. Drained means that the network is empty and the sources are silent, so
  /// that whatever is not settled is lost. Call once.
  void finish(Cycle now, bool drained);

  /// in_flight is counted by finish() and message_held_back().
  const MessageResults& messages() const { return messages_; }
  std::uint64_t violations() const { return violations_; }
  /// The first violations, at most `keep`.
  const std::vector<Violation>& first_violations() const { return first_; }
  /// Sets the message counts and the violations of the contract.
  void fill(Results&) const;

 private:
  enum class State : std::uint8_t { empty, in_flight, delivered, undeliverable, voided, lost };
  /// The last message that used a descriptor.
  struct Slot {
    Cycle created = 0;
    NodeId source = 0;
    NodeId destination = 0;
    std::uint32_t id = 0;
    std::uint16_t length = 0;
    State state = State::empty;
    bool hit = false;
  };
  static_assert(sizeof(Slot) == 24);

  Slot* find(MessageIndex, const Message&);
  std::uint64_t& count_of(State);
  /// Whether its source has ever created that message.
  bool was_created(const Message&) const;
  bool give_up(MessageIndex, const Message&, State, Cycle);
  /// Calls `call` with `next`, if there is one, and with every observer.
  template <class Call>
  void forward(Call&& call) {
    if (next_) call(*next_);
    for (ScoreboardObserver* observer : observers_) call(*observer);
  }
  void lose(const Slot&, const char* what, Cycle);
  /// Whether the protocol allows that the message is lost.
  bool may_be_lost(const Slot& slot) const { return slot.hit && slot.length <= settings_.may_lose; }
  void violation(const char* what, const Message&, std::optional<NodeId> node, Cycle);
  void violation(Violation);

  ScoreboardSettings settings_;
  MessageObserver* next_;
  AbandonmentJudge* judge_ = nullptr;
  std::vector<ScoreboardObserver*> observers_;
  std::vector<Slot> slots_;             // by descriptor
  std::vector<std::uint32_t> next_id_;  // by source
  MessageResults messages_;
  std::uint64_t violations_ = 0;
  std::vector<Violation> first_;
};

}  // namespace flitmend
