// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "protocols/recovery/fcr/parameters.h"
#include "protocols/recovery/fcr/sender.h"
#include "protocols/recovery/finished_ids.h"
#include "rtl_tlm/node/network_interface.h"

namespace flitmend::fcr {

/// The receiving end at a node: commits a message when PAD reports that all its data have arrived, and drops
/// duplicates. A message that FKILL tears down before PAD leaves no trace here.
class ReceivingEnd {
 public:
  ReceivingEnd(NetworkInterface&, NetworkContext&, const Parameters&);

  void head_consumed(MessageIndex packet) { arriving_.push_back(packet); }
  /// All data of a packet have been consumed.
  void data_consumed(Cycle t, MessageIndex packet);
  void tail_consumed(MessageIndex packet) { forget(packet); }
  /// FKILL: the rest of a packet will not arrive.
  void rest_killed(MessageIndex packet);
  /// The router has died: the rest of no packet will arrive.
  void router_failed();
  void clear();

 private:
  /// False if it was not arriving.
  bool forget(MessageIndex packet);
  /// The guard's acknowledgement.
  void acknowledge(Cycle t, NodeId source, std::uint32_t id);

  NetworkInterface& interface_;
  NetworkContext& context_;
  const Parameters& parameters_;
  std::vector<FinishedIds> finished_;   ///< by source; empty until something arrives
  std::vector<MessageIndex> arriving_;  ///< packets whose head has arrived and whose tail has not
};

/// Both ends of FCR at a node.
class Ends final : public InterfaceRecovery {
 public:
  Ends(NetworkInterface&, NetworkContext&, const Parameters&);

  void send(MessageIndex original) override { sender_.send(original); }
  void sent(Cycle t, MessageIndex packet) override { sender_.sent(t, packet); }
  void torn_down(Cycle t, MessageIndex packet, unsigned vc, bool no_route) override {
    sender_.killed(t, packet, vc, no_route);
  }
  void head_consumed(MessageIndex packet) override { receiver_.head_consumed(packet); }
  void rest_torn_down(Cycle, MessageIndex packet) override { receiver_.rest_killed(packet); }
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
