// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <utility>

#include "protocols/recovery/id_ring.h"
#include "protocols/recovery/sender_memory.h"
#include "rtl_tlm/ring_queue.h"

namespace flitmend {

/// The messages that a sender keeps, by id. Half of the ids of 16 bits are in use at most, so that an id
/// names one message; what comes then waits. An Entry has `original`, kNoMessage once the sender is done with
/// it.
template <class Entry>
class KeptMessages {
 public:
  explicit KeptMessages(NetworkContext& context) : context_(context), memory_(context) {}

  /// Keeps a message, or makes it wait for an id. True if it is kept.
  bool keep(MessageIndex original) {
    const bool kept = waiting_.empty() && ring_.size() < kMostIds;
    kept ? add(original) : waiting_.push(original);
    return kept;
  }
  /// Keeps the next message that waits; kNoMessage if there is none or no id.
  MessageIndex keep_waiting() {
    if (waiting_.empty() || ring_.size() >= kMostIds) return kNoMessage;
    const MessageIndex original = waiting_.front();
    waiting_.pop();
    add(original);
    return original;
  }
  /// The sender is done with a message.
  MessageIndex close(std::uint32_t id) {
    const MessageIndex original = std::exchange(ring_[id].original, kNoMessage);
    context_.messages.fields(original).closed = true;
    memory_.drop(original);
    while (!ring_.empty() && ring_.front().original == kNoMessage) ring_.pop_front();
    return original;
  }
  /// Null if no message with that id is kept.
  Entry* find(std::uint32_t id) {
    return ring_.has(id) && ring_[id].original != kNoMessage ? &ring_[id] : nullptr;
  }
  Entry& operator[](std::uint32_t id) { return ring_[id]; }
  /// All ids in use are between these two.
  std::uint32_t first() const { return ring_.first(); }
  std::uint32_t end() const { return ring_.next(); }

  bool empty() const { return memory_.empty(); }
  std::size_t waiting() const { return waiting_.size(); }
  /// What waits is lost.
  void discard_waiting() {
    for (; !waiting_.empty(); waiting_.pop())
      context_.broken.discard(waiting_.front(), context_.messages[waiting_.front()].length);
  }
  void clear() {
    ring_.clear();
    waiting_.clear();
    memory_.clear();
  }

 private:
  static constexpr std::size_t kMostIds = 32768;

  void add(MessageIndex original) {
    memory_.keep(original);
    Entry entry;
    entry.original = original;
    ring_.push(context_.messages[original].id, entry);
  }

  NetworkContext& context_;
  SenderMemory memory_;
  IdRing<Entry> ring_;
  RingQueue<MessageIndex> waiting_;
};

}  // namespace flitmend
