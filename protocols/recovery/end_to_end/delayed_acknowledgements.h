// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_tlm/signals/message.h"
#include "rtl_tlm/signals/ring_queue.h"

namespace flitmend::end_to_end {

/// The nodes to which a receiver owes an acknowledgement, which waits for a message to carry it, and until
/// when. All wait equally long, so the first one to wait is the first one due.
class DelayedAcknowledgements {
 public:
  /// Memory per node of the network, once an acknowledgement has been owed.
  static constexpr std::size_t kBytesPerNode = 4;

  /// Another message from `source` waits to be acknowledged, until cycle `due`, which never decreases from
  /// call to call. If others wait already, all are due when the first one is. Returns how many wait.
  unsigned owe(NodeId source, Cycle due, std::size_t nodes) {
    if (sources_.empty()) sources_.resize(nodes);
    Source& of = sources_[source];
    if (of.messages++ == 0) {
      queue_.push({due, source, of.number});
      ++owed_;
    }
    return of.messages;
  }
  /// Clears the acknowledgement owed to that node; false if none was owed.
  bool take(NodeId source) {
    if (owed_ == 0 || sources_[source].messages == 0) return false;
    sources_[source].messages = 0;
    ++sources_[source].number;
    if (--owed_ == 0) queue_.clear();
    return true;
  }
  /// Calls act(source) for each that is due by cycle t, and clears it.
  template <class Act>
  void expire(Cycle t, Act act) {
    while (owed_ > 0 && queue_.front().due <= t) {
      const Entry first = queue_.front();
      queue_.pop();
      if (sources_[first.source].number != first.number) continue;  // taken
      take(first.source);
      act(first.source);
    }
  }
  bool empty() const { return owed_ == 0; }
  /// None is due before that cycle.
  Cycle next_due() const { return owed_ == 0 ? kNever : queue_.front().due; }
  void clear() {
    sources_.clear();
    queue_.clear();
    owed_ = 0;
  }

 private:
  struct Source {
    std::uint16_t messages = 0;  ///< that wait
    /// Of the acknowledgement: how many have been taken. A receiver owes a source at most one per cycle, and
    /// none waits for 2^16 cycles, so an entry in the queue never has the number of a later one.
    std::uint16_t number = 0;
  };
  static_assert(sizeof(Source) == kBytesPerNode);
  struct Entry {
    Cycle due;
    NodeId source;
    std::uint16_t number;
  };
  std::vector<Source> sources_;  ///< empty until something is owed
  RingQueue<Entry> queue_;       ///< taken entries included: they leave when they are due
  std::size_t owed_ = 0;
};

}  // namespace flitmend::end_to_end
