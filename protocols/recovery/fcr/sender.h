// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/random_stream.h"
#include "protocols/recovery/fcr/parameters.h"
#include "protocols/recovery/kept_messages.h"
#include "rtl_tlm/node/network_interface.h"

namespace flitmend::fcr {

/// The sending end at a node: pads every message, and sends it again after a random wait if it is torn down
/// before its tail has left. QUEUED → SENDING → (a kill, T_out: WAITING → QUEUED) → SENT → released.
class SendingEnd {
 public:
  SendingEnd(NetworkInterface&, NetworkContext&, const Parameters&);

  void send(MessageIndex original);
  /// The tail of a packet has left: its data have arrived.
  void sent(Cycle t, MessageIndex packet);
  /// A kill has reached the injector on a virtual channel, or its router has died. `no_route`: with that
  /// line.
  void killed(Cycle t, MessageIndex packet, unsigned vc, bool no_route);
  /// The guard's acknowledgement has arrived.
  void acknowledged(Cycle t, std::uint32_t id);
  /// The simulator's notice that a message has been delivered, or that no packet of it is left.
  void notice(Cycle t, MessageIndex original);
  /// Nothing is left of a packet that was torn down; its descriptor is released.
  void packet_gone(Cycle t, MessageIndex packet);
  void node_died(Cycle t);
  void evaluate(Cycle t) {
    if (t >= next_timeout_) time_out(t);
    if (t >= messages_.next_due()) messages_.expire(t, [&](std::uint32_t id) { timer_ended(t, id); });
  }
  bool busy() const { return !messages_.empty(); }
  /// Whether T_out runs for a packet: its head has left the injector, and its tail has not.
  bool timer_ends_wait(MessageIndex packet) const;
  /// Messages waiting because too many ids are in use.
  std::size_t waiting() const { return messages_.waiting(); }
  void clear();

 private:
  struct Kept {
    MessageIndex original = kNoMessage;  ///< kNoMessage: released
    MessageIndex packet = kNoMessage;    ///< while it is queued or being sent
    Cycle due = kNever;                  ///< when it is sent again, or the guard's timer ends
    bool sent = false;                   ///< its tail has left: due is the guard's
    bool acknowledged = false;
    Cycle acknowledgement = 0;   ///< when one would arrive that is only assumed
    std::uint32_t no_route = 0;  ///< heads that found no route
    std::uint16_t attempts = 0;  ///< after the first
    std::uint32_t stalls = 0;    ///< T_outs
    std::uint32_t timeouts = 0;  ///< of the guard
  };

  /// Sends a message for the first time.
  void start(MessageIndex original);
  void transmit(Cycle t, std::uint32_t id, InjectionPriority);
  Kept* sending(MessageIndex packet);
  void time_out(Cycle t);
  /// Sends a message again after a random wait of at most `longest` cycles. Until then its virtual channel
  /// stays unused: if the next message took it, the deadlock would recur at once.
  void wait(Cycle t, Kept&, unsigned vc, std::uint32_t longest);
  void resend(Cycle t, std::uint32_t id);
  /// Of the wait before a retry, or of the guard.
  void timer_ended(Cycle t, std::uint32_t id);
  /// The sender is done with a message; hardware knows that in cycle `known`.
  void close(Cycle t, std::uint32_t id, Cycle known = 0);
  std::uint32_t padded(const Message& original) const;

  NetworkInterface& interface_;
  NetworkContext& context_;
  const Parameters& parameters_;
  KeptMessages<Kept> messages_;
  RandomStream random_;     ///< of the waits
  Cycle next_timeout_ = 0;  ///< before that cycle, no message can have waited for T_out
};

}  // namespace flitmend::fcr
