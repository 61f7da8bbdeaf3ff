// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "protocols/recovery/guard.h"
#include "protocols/recovery/originals.h"
#include "protocols/recovery/sender_memory.h"
#include "rtl_tlm/signals/ring_queue.h"

namespace flitmend {

/// Values by consecutive ids, in a ring that doubles when full. Ids may wrap around.
template <class T>
class IdRing {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  std::uint32_t first() const { return first_; }
  /// The id after the last one.
  std::uint32_t next() const { return first_ + static_cast<std::uint32_t>(size_); }
  bool has(std::uint32_t id) const { return id - first_ < size_; }
  T& operator[](std::uint32_t id) { return ring_[id & (ring_.size() - 1)]; }
  const T& operator[](std::uint32_t id) const { return ring_[id & (ring_.size() - 1)]; }
  T& front() { return (*this)[first_]; }
  /// `id` must follow the last one, unless the ring is empty.
  T& push(std::uint32_t id, const T& value) {
    if (empty()) first_ = id;
    if (size_ == ring_.size()) grow();
    ++size_;
    return (*this)[id] = value;
  }
  void pop_front() {
    ++first_;
    --size_;
  }
  void clear() { size_ = 0; }

 private:
  void grow() {
    std::vector<T> larger(ring_.empty() ? 16 : 2 * ring_.size());
    for (std::uint32_t id = first_; id != next(); ++id) larger[id & (larger.size() - 1)] = (*this)[id];
    ring_.swap(larger);
  }
  std::vector<T> ring_;
  std::size_t size_ = 0;
  std::uint32_t first_ = 0;
};

/// The messages that a sender keeps, by id, with a timer each. At most half of the 16-bit ids are in use, so
/// that an id names one message; further messages wait. An Entry has `original`, kNoMessage once the sender
/// is done with it; `due`, the end of its timer, kNever if it is off; and `timeouts`, the number of timeouts
/// of the guard.
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
  /// The sender is done with a message; hardware knows that in cycle `known`, or now if that is past. Calls
  /// start(original) for those that have waited and are kept now.
  template <class Start>
  MessageIndex close(std::uint32_t id, Start&& start, Cycle known = 0) {
    const MessageIndex original = std::exchange(ring_[id].original, kNoMessage);
    context_.messages.fields(original).closed = true;
    memory_.drop(original, known);
    while (!ring_.empty() && ring_.front().original == kNoMessage) ring_.pop_front();
    while (!waiting_.empty() && ring_.size() < kMostIds) {
      const MessageIndex next = waiting_.front();
      waiting_.pop();
      add(next);
      start(next);
    }
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

  void set_due(Entry& entry, Cycle due) {
    entry.due = due;
    timers_.emplace(due, context_.messages[entry.original].id);
  }
  /// No timer ends before that cycle.
  Cycle next_due() const { return timers_.empty() ? kNever : timers_.top().first; }
  /// Calls ended(id) for each timer that has ended; it may close the message.
  template <class Ended>
  void expire(Cycle t, Ended&& ended) {
    while (next_due() <= t) {
      const auto [due, id] = timers_.top();
      timers_.pop();
      if (const Entry* const entry = find(id); entry && entry->due == due) ended(id);
    }
  }
  /// The guard's timer has ended: whether the message is to be sent again. False: it is undeliverable.
  bool guard_again(Entry& entry, const Guard& guard) {
    const Message& message = context_.messages[entry.original];
    if (guard.retry_limit.reached(context_, message.source, message.destination, entry.timeouts,
                                  guard.acknowledgement == Guard::Acknowledgement::real,
                                  guard.wait(message.length, entry.timeouts)))
      return false;
    count_guard_timeout(context_, entry.original);
    ++entry.timeouts;
    return true;
  }

  bool empty() const { return memory_.empty(); }
  /// Messages that are kept.
  std::size_t count() const { return memory_.messages(); }
  std::size_t waiting() const { return waiting_.size(); }
  /// The node is dead: what waits is lost. Calls close(id) for every message that is kept.
  template <class Close>
  void give_up(Close&& close) {
    for (; !waiting_.empty(); waiting_.pop())
      context_.broken.discard(waiting_.front(), context_.messages[waiting_.front()].length);
    for (std::uint32_t id = first(), last = end(); id != last; ++id)
      if (find(id)) close(id);
  }
  void clear() {
    ring_.clear();
    waiting_.clear();
    memory_.clear();
    timers_ = {};
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
  /// The first to end on top. An entry whose timer has been set again or stopped since then is ignored.
  using Timer = std::pair<Cycle, std::uint32_t>;
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
};

}  // namespace flitmend
