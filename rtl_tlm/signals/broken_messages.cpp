// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/signals/broken_messages.h"

#include <algorithm>
#include <utility>

namespace flitmend {

MessageLoss& BrokenMessages::change(MessageIndex index) {
  MessageLoss& loss = messages_[index].incomplete ? messages_.loss(index) : messages_.begin_loss(index);
  if (!std::exchange(loss.listed, true)) changed_.push_back(index);
  return loss;
}

void BrokenMessages::hit(MessageIndex index, Cycle t) {
  MessageLoss& loss = change(index);
  if (loss.hit != kNever) return;
  loss.hit = t;
  hits_.push_back(index);
}

void BrokenMessages::hit_waiting(MessageIndex index, Cycle t, RouterId router) {
  if (MessageLoss& loss = change(index); loss.hit == kNever) loss.waited_in = router;
  hit(index, t);
}

// Indices depend on the pool, so messages are reported in the order of their own numbers.
void BrokenMessages::sort(std::vector<MessageIndex>& list) const {
  std::sort(list.begin(), list.end(), [&](MessageIndex a, MessageIndex b) {
    return std::pair(messages_[a].source, messages_[a].id) < std::pair(messages_[b].source, messages_[b].id);
  });
}

std::vector<MessageIndex> BrokenMessages::take_hits() {
  std::vector<MessageIndex> hits = std::exchange(hits_, {});
  sort(hits);
  return hits;
}

bool BrokenMessages::ended(MessageIndex index) const {
  const Message& message = messages_[index];
  const MessageLoss& loss = messages_.loss(index);
  return std::uint64_t{message.received} + loss.gone == std::uint64_t{message.length} + loss.appended;
}

std::vector<MessageIndex> BrokenMessages::take_ended() {
  std::vector<MessageIndex> ended;
  for (const MessageIndex index : std::exchange(changed_, {})) {
    messages_.loss(index).listed = false;
    if (this->ended(index)) ended.push_back(index);
  }
  sort(ended);
  return ended;
}

void BrokenMessages::clear() {
  changed_.clear();
  hits_.clear();
}

}  // namespace flitmend
