// SPDX-License-Identifier: Apache-2.0
#include "testbench/scoreboard/scoreboard.h"

#include <algorithm>
#include <bit>

#include "testbench/scoreboard/abandonment_judge.h"

namespace flitmend {
namespace {
constexpr std::size_t kFirstSlots = 4096;
}

Scoreboard::Scoreboard(NodeId nodes, ScoreboardSettings settings, MessageObserver* next)
    : settings_(settings), next_(next), slots_(kFirstSlots), next_id_(nodes) {
  first_.reserve(settings.keep);
}

Scoreboard::Slot* Scoreboard::find(MessageIndex index, const Message& message) {
  if (index >= slots_.size()) return nullptr;
  Slot& slot = slots_[index];
  const bool same = slot.state != State::empty && slot.source == message.source && slot.id == message.id;
  return same ? &slot : nullptr;
}

std::uint64_t& Scoreboard::count_of(State state) {
  switch (state) {
    case State::delivered:
      return messages_.delivered;
    case State::undeliverable:
      return messages_.undeliverable;
    case State::voided:
      return messages_.voided;
    case State::lost:
      return messages_.lost;
    case State::empty:
    case State::in_flight:
      break;
  }
  return messages_.in_flight;
}

bool Scoreboard::was_created(const Message& message) const {
  return message.source < next_id_.size() && message.id < next_id_[message.source];
}

void Scoreboard::message_created(MessageIndex index, const Message& message) {
  if (message.source >= next_id_.size() || message.destination >= next_id_.size()) {
    violation("created from or for a node that does not exist", message, std::nullopt, message.created);
    return;
  }
  if (message.id != next_id_[message.source]) {
    violation("created with an id out of sequence", message, std::nullopt, message.created);
    return;
  }
  ++next_id_[message.source];
  ++messages_.generated;
  if (index >= slots_.size()) slots_.resize(std::bit_ceil(std::size_t{index} + 1));
  Slot& slot = slots_[index];
  if (slot.state == State::in_flight)
    lose(slot, "its descriptor was given to another message before it was delivered", message.created);
  slot = {message.created,
          message.source,
          message.destination,
          message.id,
          static_cast<std::uint16_t>(message.length),
          State::in_flight,
          false};
  forward([&](MessageObserver& o) { o.message_created(index, message); });
}

void Scoreboard::message_held_back(const Message& message) {
  ++messages_.generated;
  ++messages_.in_flight;
  ++messages_.held_back;
  forward([&](MessageObserver& o) { o.message_held_back(message); });
}

void Scoreboard::message_injected(MessageIndex index, const Message& message, Cycle now) {
  if (!was_created(message)) {
    violation("injected, but never created", message, message.source, now);
    return;
  }
  forward([&](MessageObserver& o) { o.message_injected(index, message, now); });
}

void Scoreboard::message_delivered(MessageIndex index, const Message& message, NodeId at, Cycle now) {
  Slot* slot = find(index, message);
  if (!slot && !was_created(message)) {
    violation("delivered, but never created", message, at, now);
    return;
  }
  if (!slot || slot->state == State::delivered) {
    ++messages_.duplicated;
    violation("delivered again", message, at, now);
    return;
  }
  if (at != slot->destination) {
    violation("delivered to another node", message, at, now);
    return;
  }
  if (slot->state != State::in_flight) --count_of(slot->state);
  slot->state = State::delivered;
  ++messages_.delivered;
  messages_.recovered += slot->hit;
  forward([&](MessageObserver& o) { o.message_delivered(index, message, at, now); });
}

void Scoreboard::message_corrupted(MessageIndex index, const Message& message, Cycle now) {
  ++messages_.corrupted;
  violation("delivered with other bytes than were sent", message, message.destination, now);
  forward([&](MessageObserver& o) { o.message_corrupted(index, message, now); });
}

bool Scoreboard::give_up(MessageIndex index, const Message& message, State state, Cycle now) {
  Slot* slot = find(index, message);
  if (!slot) {
    // Settled long ago, and its descriptor is now used by another message: the sender only reports late.
    if (!was_created(message)) violation("abandoned, but never created", message, message.source, now);
    return false;
  }
  if (slot->state != State::in_flight) return false;
  slot->state = state;
  ++count_of(state);
  return true;
}

void Scoreboard::message_undeliverable(MessageIndex index, const Message& message, Cycle now) {
  if (!give_up(index, message, State::undeliverable, now)) return;
  if (judge_ && !judge_->justified(message)) {
    ++messages_.abandoned;
    if (!settings_.may_abandon) violation("abandoned, although it can arrive", message, std::nullopt, now);
  }
  forward([&](MessageObserver& o) { o.message_undeliverable(index, message, now); });
}

void Scoreboard::message_hit(MessageIndex index, const Message& message, Cycle now) {
  Slot* slot = find(index, message);
  if (!slot || slot->state != State::in_flight || slot->hit) {
    violation("hit by a fault when it was not under way, or twice", message, std::nullopt, now);
    return;
  }
  slot->hit = true;
  ++messages_.hit;
  forward([&](MessageObserver& o) { o.message_hit(index, message, now); });
}

void Scoreboard::message_void(MessageIndex index, const Message& message, Cycle now) {
  if (!give_up(index, message, State::voided, now)) return;
  if (judge_ && !judge_->source_dead(message))
    violation("void, although its source is alive", message, std::nullopt, now);
  forward([&](MessageObserver& o) { o.message_void(index, message, now); });
}

void Scoreboard::message_lost(MessageIndex index, const Message& message, Cycle now) {
  if (!give_up(index, message, State::lost, now)) return;
  const bool nobody_asks = settings_.may_lose > 0 && judge_ && judge_->request_lost(message);
  if (!may_be_lost(*find(index, message)) && !nobody_asks) violation("lost", message, std::nullopt, now);
  forward([&](MessageObserver& o) { o.message_lost(index, message, now); });
}

void Scoreboard::message_discarded(MessageIndex index, const Message& message, Cycle now) {
  if (!give_up(index, message, State::lost, now)) return;
  ++messages_.discarded;
  forward([&](MessageObserver& o) { o.message_discarded(index, message, now); });
}

void Scoreboard::lose(const Slot& slot, const char* what, Cycle now) {
  ++messages_.lost;
  violation({what, slot.id, slot.source, slot.destination, std::nullopt, now});
}

void Scoreboard::finish(Cycle now, bool drained) {
  // Oldest first, so that the stored violations do not depend on how descriptors were assigned.
  std::vector<Slot*> open;
  for (Slot& slot : slots_)
    if (slot.state == State::in_flight) open.push_back(&slot);
  if (!drained) {
    messages_.in_flight += open.size();
    return;
  }
  std::sort(open.begin(), open.end(), [](const Slot* a, const Slot* b) {
    if (a->created != b->created) return a->created < b->created;
    if (a->source != b->source) return a->source < b->source;
    return a->id < b->id;
  });
  for (Slot* slot : open) {
    slot->state = State::lost;
    if (may_be_lost(*slot))
      ++messages_.lost;
    else
      lose(*slot, "never delivered", now);
  }
}

void Scoreboard::violation(const char* what, const Message& message, std::optional<NodeId> node, Cycle now) {
  violation({what, message.id, message.source, message.destination, node, now});
}

void Scoreboard::violation(Violation v) {
  ++violations_;
  for (ScoreboardObserver* observer : observers_) observer->violated(v);
  if (first_.size() < settings_.keep) first_.push_back(std::move(v));
}

void Scoreboard::fill(Results& results) const {
  results.messages = messages_;
  results.contract.violations += violations_;
  results.contract.first.insert(results.contract.first.end(), first_.begin(), first_.end());
  results.contract.holds = results.contract.holds && violations_ == 0;
}

}  // namespace flitmend
