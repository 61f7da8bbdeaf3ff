// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "protocols/recovery/kept_messages.h"
#include "protocols/recovery/sbrp/requester.h"
#include "rtl_tlm/signals/ring_queue.h"

namespace flitmend::sbrp {

/// The sending end at a node: keeps every message until its delivery is certain, and sends it again, or the
/// rest of it, on request. QUEUED → SENDING → SENT → (a request: QUEUED with the next SSNF) → released.
class SendingEnd {
 public:
  SendingEnd(NetworkInterface&, NetworkContext&, const Parameters&);

  void send(MessageIndex original);
  /// The last flit of a packet has left, or a fault of the router has cut it.
  void sent(Cycle t, MessageIndex packet);
  /// A request of this node's own: it costs no message.
  void request(Cycle t, const Request&);
  /// A request has arrived. It is acknowledged when the software has received it.
  void request_arrived(Cycle t, MessageIndex request);
  /// The guard's acknowledgement has arrived.
  void acknowledged(Cycle t, std::uint32_t id);
  /// The simulator's notice that a message has been delivered, or that no packet of it is left. The sender
  /// acts on it only if the guard's acknowledgement is assumed.
  void notice(Cycle t, MessageIndex original);
  /// A packet has gone without arriving whole; its descriptor is released.
  void packet_gone(Cycle t, MessageIndex packet);
  void node_died(Cycle t);
  void evaluate(Cycle t) {
    if (!inbox_.empty()) receive_requests(t);
    if (t >= messages_.next_due()) messages_.expire(t, [&](std::uint32_t id) { timer_ended(t, id); });
  }
  bool busy() const { return !messages_.empty() || !inbox_.empty(); }
  /// Whether it does more than to keep copies of messages that have arrived.
  bool active() const { return messages_.count() > arrived_ || !inbox_.empty(); }
  /// No timer ends before that cycle.
  Cycle next_due() const {
    return inbox_.empty() ? messages_.next_due() : std::min(messages_.next_due(), inbox_.front().due);
  }
  /// Messages waiting because too many ids are in use.
  std::size_t waiting() const { return messages_.waiting(); }
  void clear();

 private:
  struct Kept {
    MessageIndex original = kNoMessage;  ///< kNoMessage: released
    MessageIndex packet = kNoMessage;    ///< the latest, while it is queued or being sent
    std::uint32_t first = 0;             ///< its first data flit
    std::uint16_t sub_message = 0;       ///< its SSNF
    std::uint32_t no_route = 0;          ///< heads that found no route
    bool postponed = false;              ///< it is to be sent again, from `next_first` on, at `due`
    std::uint32_t next_first = 0;
    std::uint32_t timeouts = 0;  ///< of the guard
    bool arrived = false;        ///< for the simulator; the sender does not know it
    Cycle sent = 0;              ///< when its last flit left
    /// Of the guard, or of what is postponed. kNever: the latest packet is queued or being sent.
    Cycle due = kNever;
  };
  struct Received {
    Request request;
    NodeId requester = 0;
    std::uint16_t number = 0;
    bool own = false;
    Cycle due = 0;
  };

  /// Sends a message for the first time.
  void start(MessageIndex original);
  void transmit(Cycle t, std::uint32_t id, InjectionPriority);
  void resend(Cycle t, std::uint32_t id, std::uint32_t first);
  /// Resends later, because heads find no route.
  void postpone(Cycle t, Kept&, std::uint32_t first);
  bool covered(Cycle t, const Kept&, const Request&, std::uint32_t first) const;
  /// Cycles in which the flits of the message can cross every link.
  Cycle sending_cycles(const Kept& entry) const {
    return context_.hardware.sending_cycles(context_.messages[entry.original].length);
  }
  /// True if the message is still kept.
  bool handle(Cycle t, const Request&);
  void answer(Cycle t, const Received&, bool finished);
  void receive_requests(Cycle t);
  void guard(Cycle t, Kept&);
  void timer_ended(Cycle t, std::uint32_t id);
  void guard_timeout(Cycle t, std::uint32_t id);
  /// How long the guard's acknowledgement of a delivery at t would take.
  Cycle answer_cycles(Cycle t, const Kept&) const;
  /// The sender is done with a message; hardware knows that in cycle `known`.
  void close(Cycle t, std::uint32_t id, Cycle known = 0);

  NetworkInterface& interface_;
  NetworkContext& context_;
  const Parameters& parameters_;
  KeptMessages<Kept> messages_;
  std::size_t arrived_ = 0;    ///< messages that are kept although they have arrived
  RingQueue<Received> inbox_;  ///< requests that the software is receiving
};

}  // namespace flitmend::sbrp
