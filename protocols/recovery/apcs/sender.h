// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/random_stream.h"
#include "protocols/recovery/apcs/parameters.h"
#include "protocols/recovery/kept_messages.h"
#include "rtl_tlm/node/network_interface.h"

namespace flitmend::apcs {

/// The sending end at a node: keeps a message until the acknowledgement of one of its packets has come back,
/// and sends it again some random time after a kill.
class SendingEnd {
 public:
  SendingEnd(NetworkInterface&, NetworkContext&, const Parameters&);

  void send(MessageIndex original);
  /// The last flit of a packet has left, or a fault of the router has cut it.
  void sent(Cycle t, MessageIndex packet);
  void circuit_ended(Cycle t, MessageIndex packet, bool acknowledged);
  /// The simulator's notice that a message has been delivered.
  void notice(Cycle t, MessageIndex original);
  /// No flit of a packet is left. Its descriptor is released, unless its circuit has not ended.
  void packet_gone(Cycle t, MessageIndex packet);
  void node_died(Cycle t);
  void evaluate(Cycle t) {
    if (t >= messages_.next_due()) messages_.expire(t, [&](std::uint32_t id) { timer_ended(t, id); });
  }
  bool busy() const { return !messages_.empty(); }
  /// No timer ends before that cycle.
  Cycle next_due() const { return messages_.next_due(); }
  /// Messages waiting because too many ids are in use.
  std::size_t waiting() const { return messages_.waiting(); }
  void clear();

 private:
  struct Kept {
    MessageIndex original = kNoMessage;  ///< kNoMessage: released
    MessageIndex packet = kNoMessage;    ///< the latest, until its circuit has ended
    std::uint16_t attempt = 0;           ///< its number
    std::uint32_t kills = 0;
    std::uint32_t timeouts = 0;  ///< of the guard
    /// With a packet: when the guard's timer ends. Without: when the message is sent again.
    Cycle due = kNever;
  };

  /// Sends a message for the first time.
  void start(MessageIndex original);
  void transmit(Cycle t, std::uint32_t id, InjectionPriority);
  void resend(Cycle t, std::uint32_t id);
  /// Of the wait before a retry, or of the guard.
  void timer_ended(Cycle t, std::uint32_t id);
  /// The sender is done with a message.
  void close(Cycle t, std::uint32_t id);
  void release(Cycle t, MessageIndex packet);

  NetworkInterface& interface_;
  NetworkContext& context_;
  const Parameters& parameters_;
  KeptMessages<Kept> messages_;
  RandomStream random_;  ///< of the waits before retries
};

}  // namespace flitmend::apcs
