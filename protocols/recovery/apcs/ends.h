// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/backoff.h"
#include "base/random_stream.h"
#include "protocols/recovery/finished_ids.h"
#include "protocols/recovery/guard.h"
#include "protocols/recovery/kept_messages.h"
#include "protocols/recovery/settings.h"
#include "rtl_tlm/node/network_interface.h"

namespace flitmend::apcs {

/// What the ends of APCS need to know.
struct Parameters {
  std::uint32_t first_backoff = 0;  ///< cycles: the longest wait before the first retry
  RetryLimit retry_limit;           ///< of retries after kills
  Guard guard;

  explicit Parameters(const RecoverySettings& s)
      : first_backoff(static_cast<std::uint32_t>(s.options.number(kKillBackoff))),
        retry_limit{static_cast<std::uint32_t>(s.retry_limit)},
        guard(Guard::from(s)) {}

  /// The longest wait before a retry, given the number of kills before the last one.
  std::uint32_t backoff(std::uint32_t kills) const {
    return doubled(first_backoff, backoff_doublings(kills, guard.most_doublings));
  }
};

/// The sending end at a node: keeps a message until the acknowledgement of one of its packets returns, and
/// sends it again a random time after a kill.
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

/// Both ends at a node. The receiving end takes every message once, and acknowledges every packet over the
/// circuit on which it arrived, duplicates too: the first acknowledgement may not have reached the sender.
class Ends final : public InterfaceRecovery {
 public:
  Ends(NetworkInterface&, NetworkContext&, const Parameters&);

  void send(MessageIndex original) override { sender_.send(original); }
  void sent(Cycle t, MessageIndex packet) override { sender_.sent(t, packet); }
  void tail_consumed(Cycle t, MessageIndex packet, bool broken) override;
  void spent(Cycle t, MessageIndex) override;
  void path_released(Cycle t, MessageIndex packet, bool acknowledged) override {
    sender_.circuit_ended(t, packet, acknowledged);
  }
  void delivered(Cycle t, MessageIndex original) override { sender_.notice(t, original); }
  void node_died(Cycle t) override { sender_.node_died(t); }
  void evaluate(Cycle t) override { sender_.evaluate(t); }
  bool busy() const override { return sender_.busy(); }
  Cycle next_due() const override { return sender_.next_due(); }
  std::size_t waiting() const override { return sender_.waiting(); }
  void clear() override;

 private:
  NetworkInterface& interface_;
  NetworkContext& context_;
  Parameters parameters_;
  SendingEnd sender_;
  std::vector<FinishedIds> finished_;  ///< by source; empty until something arrives
};

}  // namespace flitmend::apcs
