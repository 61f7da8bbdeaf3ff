// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <vector>

#include "protocols/recovery/end_to_end/delayed_acknowledgements.h"
#include "protocols/recovery/end_to_end/sender.h"

namespace flitmend::end_to_end {

/// Both ends at a node. The receiving end takes every message once and acknowledges it, drops duplicates and
/// acknowledges them again, and refuses broken pieces. If acknowledgements may wait, the next message to
/// their node carries them in its last flit (piggybacking); after Parameters::acknowledgement_delay they
/// leave as control messages.
class Ends final : public InterfaceRecovery {
 public:
  Ends(NetworkInterface&, NetworkContext&, const Parameters&);

  void send(MessageIndex original) override { sender_.send(original); }
  void sent(Cycle t, MessageIndex packet) override;
  void tail_consumed(Cycle t, MessageIndex packet, bool broken) override;
  void spent(Cycle t, MessageIndex) override;
  void node_died(Cycle t) override {
    delayed_.clear();
    sender_.node_died(t);
  }
  void evaluate(Cycle t) override;
  bool busy() const override { return sender_.busy() || !delayed_.empty(); }
  Cycle next_due() const override { return std::min(sender_.next_due(), delayed_.next_due()); }
  std::size_t waiting() const override { return sender_.waiting(); }
  void clear() override;

 private:
  void control_consumed(Cycle t, MessageIndex, bool broken);
  void answer(NodeId source, std::uint32_t sequence, Control);
  /// A message from a source has arrived: acknowledges it when a message to the source leaves, or after the
  /// delay, or at once if the source waits for that.
  void acknowledge_later(Cycle t, NodeId source, bool waits);
  void acknowledge_all(NodeId source);
  /// Writes what has arrived from a node into a message to it.
  void carry_acknowledgement(MessageIndex);
  ReceiveWindow& window(NodeId source);

  NetworkInterface& interface_;
  NetworkContext& context_;
  Sender sender_;
  Cycle delay_;  ///< Parameters::acknowledgement_delay
  DelayedAcknowledgements delayed_;
  std::vector<ReceiveWindow> windows_;  ///< by source; empty until something arrives
};

}  // namespace flitmend::end_to_end
