// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "protocols/recovery/end_to_end/sender.h"

namespace flitmend::end_to_end {

/// Both ends at a node. The receiving end takes every message once and acknowledges it, drops duplicates and
/// acknowledges them again, and refuses broken pieces.
class Ends final : public InterfaceRecovery {
 public:
  Ends(NetworkInterface&, NetworkContext&, const Parameters&);

  void send(MessageIndex original) override { sender_.send(original); }
  void sent(Cycle t, MessageIndex packet) override { sender_.sent(t, packet); }
  void tail_consumed(Cycle t, MessageIndex packet, bool broken) override;
  void spent(Cycle t, MessageIndex) override;
  void node_died(Cycle t) override { sender_.node_died(t); }
  void evaluate(Cycle t) override { sender_.evaluate(t); }
  bool busy() const override { return sender_.busy(); }
  Cycle next_due() const override { return sender_.next_due(); }
  std::size_t waiting() const override { return sender_.waiting(); }
  void clear() override;

 private:
  void control_consumed(Cycle t, MessageIndex, bool broken);
  void answer(NodeId source, std::uint32_t sequence, Control);
  ReceiveWindow& window(NodeId source);

  NetworkInterface& interface_;
  NetworkContext& context_;
  Sender sender_;
  std::vector<ReceiveWindow> windows_;  ///< by source; empty until something arrives
};

}  // namespace flitmend::end_to_end
