// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "rtl_tlm/message.h"

namespace flitmend {

/// Keeps count of messages of which something is gone, so that each descriptor is free again when no flit of
/// its message is left, and not before. Messages that arrive whole never come here.
class BrokenMessages {
 public:
  explicit BrokenMessages(MessagePool& messages) : messages_(messages) {}
  BrokenMessages(const BrokenMessages&) = delete;
  BrokenMessages& operator=(const BrokenMessages&) = delete;

  /// That many flits are gone: lost in a fault at cycle t, …
  void lose(MessageIndex message, Cycle t, std::uint32_t flits = 1) {
    hit(message, t);
    change(message).gone += flits;
  }
  /// … or discarded by a router, or never sent.
  void discard(MessageIndex message, std::uint32_t flits = 1) { change(message).gone += flits; }
  /// A broken tail of it is in a buffer, or waits for room in one.
  void append(MessageIndex message, Cycle t) {
    hit(message, t);
    ++change(message).appended;
  }
  /// Copies of flits that had left are to be sent again.
  void put_back(MessageIndex message, std::uint32_t flits = 1) { change(message).appended += flits; }
  /// It arrived whole, though flits of it were discarded: copies.
  void deliver(MessageIndex message) { change(message).delivered = true; }
  /// A fault has cut it at cycle t.
  void hit(MessageIndex, Cycle t);
  /// A head of it found no way and gave up.
  void give_up(MessageIndex message) { change(message).unreachable = true; }
  /// The destination has consumed a broken tail.
  void piece_ended(MessageIndex message) { change(message); }

  /// Messages that faults have hit since the last call, by source and id.
  std::vector<MessageIndex> take_hits();
  /// Of the messages that have changed since the last call those of which no flit is left, by source and id.
  /// To be called after the routers of a cycle: a router appends its broken tail in the cycle after the
  /// fault.
  std::vector<MessageIndex> take_ended();
  bool changed() const { return !changed_.empty() || !hits_.empty(); }
  void clear();

 private:
  MessageLoss& change(MessageIndex);
  void sort(std::vector<MessageIndex>&) const;

  MessagePool& messages_;
  std::vector<MessageIndex> changed_;
  std::vector<MessageIndex> hits_;
};

}  // namespace flitmend
