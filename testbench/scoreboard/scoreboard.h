// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "rtl_tlm/interfaces/message_observer.h"
#include "testbench/statistics/results.h"

namespace flitmend {

struct ScoreboardSettings {
  /// The protocol promises delivery: every message of a surviving node to a surviving node arrives. If not,
  /// losses are counted, not judged.
  bool delivery_promised = true;
  /// Violations that are kept with their details; all are counted.
  std::size_t keep = 20;
};

/// Checks from outside the model that every message reaches its processing element exactly once. It trusts
/// nothing but the calls: a descriptor that was reused too early, an id given twice or a message that comes
/// again long after its delivery is found. A slot of 24 bytes a descriptor (so memory follows the messages
/// in flight, not those of the run) and a counter a node; each call takes constant time.
///
/// Passes on to `next` what is legal: every creation, the first delivery alone.
class Scoreboard final : public MessageObserver {
 public:
  Scoreboard(NodeId nodes, ScoreboardSettings, MessageObserver* next = nullptr);

  void message_created(MessageIndex, const Message&) override;
  void message_injected(MessageIndex, const Message&, Cycle) override;
  void message_delivered(MessageIndex, const Message&, NodeId at, Cycle) override;
  void message_corrupted(MessageIndex, const Message&, Cycle) override;
  /// The sender cannot know whether a copy arrives after all: a message given up and delivered counts as
  /// delivered, in whichever order the two happen.
  void message_undeliverable(MessageIndex, const Message&, Cycle) override;
  void message_lost(MessageIndex, const Message&, Cycle) override;

  /// The run ended in cycle `now`. Drained: the network is empty and the sources are silent, so whatever
  /// has not been settled is lost. Once.
  void finish(Cycle now, bool drained);

  /// in_flight is counted by finish().
  const MessageResults& messages() const { return messages_; }
  std::uint64_t violations() const { return violations_; }
  /// The first violations, `keep` at most.
  const std::vector<Violation>& first_violations() const { return first_; }
  /// Sets messages and the violations of the contract.
  void fill(Results&) const;

 private:
  enum class State : std::uint8_t { empty, in_flight, delivered, undeliverable, lost };
  /// The last message that a descriptor stood for.
  struct Slot {
    Cycle created = 0;
    NodeId source = 0;
    NodeId destination = 0;
    std::uint32_t id = 0;
    State state = State::empty;
  };
  static_assert(sizeof(Slot) == 24);

  Slot* find(MessageIndex, const Message&);
  std::uint64_t& count_of(State);
  /// Whether its source has created that message at any time.
  bool was_created(const Message&) const;
  bool give_up(MessageIndex, const Message&, State, Cycle);
  void lose(const Slot&, const char* what, Cycle);
  void violation(const char* what, const Message&, std::optional<NodeId> node, Cycle);
  void violation(Violation);

  ScoreboardSettings settings_;
  MessageObserver* next_;
  std::vector<Slot> slots_;             // by descriptor
  std::vector<std::uint32_t> next_id_;  // by source
  MessageResults messages_;
  std::uint64_t violations_ = 0;
  std::vector<Violation> first_;
};

}  // namespace flitmend
