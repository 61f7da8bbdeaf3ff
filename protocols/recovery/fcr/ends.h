// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/recovery/fcr/receiver.h"
#include "protocols/recovery/fcr/sender.h"

namespace flitmend::fcr {

/// Both ends of FCR at a node.
class Ends final : public InterfaceRecovery {
 public:
  Ends(NetworkInterface&, NetworkContext&, const Parameters&);

  void send(MessageIndex original) override { sender_.send(original); }
  void sent(Cycle t, MessageIndex packet) override { sender_.sent(t, packet); }
  void killed(Cycle t, MessageIndex packet, unsigned vc, bool no_route) override {
    sender_.killed(t, packet, vc, no_route);
  }
  void head_consumed(MessageIndex packet) override { receiver_.head_consumed(packet); }
  void rest_killed(Cycle, MessageIndex packet) override { receiver_.rest_killed(packet); }
  void router_failed(Cycle) override { receiver_.router_failed(); }
  void data_consumed(Cycle t, MessageIndex packet) override { receiver_.data_consumed(t, packet); }
  void tail_consumed(Cycle t, MessageIndex packet, bool broken) override;
  void spent(Cycle t, MessageIndex) override;
  void delivered(Cycle t, MessageIndex original) override { sender_.notice(t, original); }
  void node_died(Cycle t) override { sender_.node_died(t); }
  void evaluate(Cycle t) override;
  bool timer_ends_wait(MessageIndex packet) const override { return sender_.timer_ends_wait(packet); }
  bool busy() const override { return sender_.busy() || !torn_down_.empty(); }
  std::size_t waiting() const override { return sender_.waiting(); }
  void clear() override;

 private:
  /// A packet of which no flit is left. Its descriptor is kept until the kills have passed every router that
  /// it held.
  struct TornDown {
    MessageIndex packet = kNoMessage;
    Cycle gone = 0;
  };

  NetworkInterface& interface_;
  NetworkContext& context_;
  Parameters parameters_;
  SendingEnd sender_;
  ReceivingEnd receiver_;
  RingQueue<TornDown> torn_down_;
  Cycle teardown_cycles_;
};

}  // namespace flitmend::fcr
