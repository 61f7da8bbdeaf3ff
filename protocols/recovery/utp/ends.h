// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/recovery/sbrp/receiver.h"
#include "protocols/recovery/sbrp/sender.h"
#include "rtl_tlm/ring_queue.h"

namespace flitmend::utp {

/// Both ends of UTP at a node. The sending end is B for its own router (Copies): when that dies, it sends
/// again what the next router has not got. The receiving end joins the parts of a message and drops
/// duplicates. Both are those of SBRP-1, without requests.
class Ends final : public InterfaceRecovery {
 public:
  Ends(NetworkInterface&, NetworkContext&, const sbrp::Parameters&);

  void send(MessageIndex original) override { sender_.send(original); }
  void sent(Cycle t, MessageIndex packet) override;
  void head_consumed(MessageIndex packet) override;
  void tail_consumed(Cycle t, MessageIndex packet, bool broken) override;
  void spent(Cycle t, MessageIndex) override;
  void message_cut(Cycle t, const CutMessage&) override;
  void router_failed(Cycle t) override { receiver_.router_failed(t); }
  void delivered(Cycle t, MessageIndex original) override { sender_.notice(t, original); }
  void node_died(Cycle t) override;
  bool evaluate(Cycle t) override;
  bool busy() const override { return sender_.busy() || receiver_.busy() || !spent_.empty(); }
  std::size_t waiting() const override { return sender_.waiting(); }
  void clear() override;

 private:
  struct Spent {
    MessageIndex packet = kNoMessage;
    Cycle due = 0;
  };

  bool is_control(MessageIndex index) const { return context_.messages[index].kind == MessageKind::control; }
  /// Releases the descriptors of packets of which no copy can be left.
  void release_spent(Cycle t);
  /// No flit of a packet is left.
  void hold(Cycle t, MessageIndex packet);

  NetworkInterface& interface_;
  NetworkContext& context_;
  sbrp::Parameters parameters_;
  sbrp::SendingEnd sender_;
  sbrp::ReceivingEnd receiver_;
  RingQueue<Spent> spent_;
};

}  // namespace flitmend::utp
