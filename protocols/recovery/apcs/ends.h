// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "protocols/recovery/apcs/sender.h"
#include "protocols/recovery/finished_ids.h"

namespace flitmend::apcs {

/// Both ends at a node. The receiving end takes every message once, and acknowledges every packet over the
/// circuit on which it arrived, duplicates too: the first acknowledgement may not have reached the sender.
class Ends final : public InterfaceRecovery {
 public:
  Ends(NetworkInterface&, NetworkContext&, const Parameters&);

  void send(MessageIndex original) override { sender_.send(original); }
  void sent(Cycle t, MessageIndex packet) override { sender_.sent(t, packet); }
  void tail_consumed(Cycle t, MessageIndex packet, bool broken) override;
  void spent(Cycle t, MessageIndex) override;
  void circuit_ended(Cycle t, MessageIndex packet, bool acknowledged) override {
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
