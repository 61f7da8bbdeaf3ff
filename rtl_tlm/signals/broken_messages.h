// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "rtl_tlm/signals/message.h"

namespace flitmend {

/// Counts the flits that messages have lost, so that a descriptor is released exactly when no flit of its
/// message is left. Messages that arrive whole are not counted.
class BrokenMessages {
 public:
  explicit BrokenMessages(MessagePool& messages) : messages_(messages) {}
  BrokenMessages(const BrokenMessages&) = delete;
  BrokenMessages& operator=(const BrokenMessages&) = delete;

  /// `flits` flits of it are lost in a fault at cycle t.
  void lose(MessageIndex message, Cycle t, std::uint32_t flits = 1) {
    hit(message, t);
    change(message).gone += flits;
  }
  /// … are discarded by a router, or never sent.
  void discard(MessageIndex message, std::uint32_t flits = 1) { change(message).gone += flits; }
  /// A broken tail was appended, or will be as soon as its buffer has room.
  void append(MessageIndex message, Cycle t) {
    hit(message, t);
    ++change(message).appended;
  }
  /// More flits will be sent: copies of some that had left, or a broken tail that ended another packet.
  void put_back(MessageIndex message, std::uint32_t flits = 1) { change(message).appended += flits; }
  /// It arrived whole; the flits discarded were copies.
  void deliver(MessageIndex message) { change(message).delivered = true; }
  /// A fault cut it at cycle t.
  void hit(MessageIndex, Cycle t);
  /// Its head has waited too long in that router for a channel that a fault has taken: it counts as cut at t.
  void hit_waiting(MessageIndex, Cycle t, RouterId);
  /// One of its heads found no route and was dropped.
  void give_up(MessageIndex message) { change(message).unreachable = true; }
  /// The destination has consumed a broken tail, or another flit that may be the last one that is left.
  void piece_ended(MessageIndex message) { change(message); }

  /// Messages hit by faults since the last call, sorted by source and id.
  std::vector<MessageIndex> take_hits();
  /// Messages that have changed since the last call and of which no flit is left, sorted by source and id.
  /// Call it after the routers of a cycle have been evaluated: a router appends its broken tail in the cycle
  /// after the fault.
  std::vector<MessageIndex> take_ended();
  /// No flit of an incomplete message is left.
  bool ended(MessageIndex) const;
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
