// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "rtl_tlm/message.h"
#include "rtl_tlm/ring_queue.h"

namespace flitmend::end_to_end {

/// Which nodes a receiver owes an acknowledgement that waits for a message to carry it, and until when. All
/// wait equally long, so the first one to wait is the first one due.
class DelayedAcknowledgements {
 public:
  /// Memory per node of the network, as soon as one has been owed.
  static constexpr std::size_t kBytesPerNode = sizeof(Cycle);

  /// One is owed to `source` from now on, and due in cycle `due`, which never decreases from call to call. If
  /// one is owed already, it stays due when it was.
  void owe(NodeId source, Cycle due, std::size_t nodes) {
    if (due_.empty()) due_.resize(nodes, kNever);
    if (due_[source] != kNever) return;
    due_[source] = due;
    queue_.push({due, source});
    ++owed_;
  }
  /// Whether one is owed to that node. It is owed no longer.
  bool take(NodeId source) {
    if (owed_ == 0 || due_[source] == kNever) return false;
    due_[source] = kNever;
    if (--owed_ == 0) queue_.clear();
    return true;
  }
  /// Calls act(source) for each that is due by cycle t. They are owed no longer.
  template <class Act>
  void expire(Cycle t, Act act) {
    while (owed_ > 0 && queue_.front().due <= t) {
      const Entry first = queue_.front();
      queue_.pop();
      if (due_[first.source] != first.due) continue;  // a message has carried it
      take(first.source);
      act(first.source);
    }
  }
  bool empty() const { return owed_ == 0; }
  /// None is due before that cycle.
  Cycle next_due() const { return owed_ == 0 ? kNever : queue_.front().due; }
  void clear() {
    due_.clear();
    queue_.clear();
    owed_ = 0;
  }

 private:
  struct Entry {
    Cycle due;
    NodeId source;
  };
  std::vector<Cycle> due_;  ///< by node; kNever: nothing is owed. Empty until something is
  RingQueue<Entry> queue_;  ///< also has entries whose acknowledgements have been carried
  std::size_t owed_ = 0;
};

}  // namespace flitmend::end_to_end
