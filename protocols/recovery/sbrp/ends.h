// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "protocols/recovery/sbrp/receiver.h"
#include "protocols/recovery/sbrp/requester.h"
#include "protocols/recovery/sbrp/sender.h"

namespace flitmend::sbrp {

/// Both ends of SBRP-0, -1 or -2 at a node, and the requests that the node makes for its router. UTP adds to
/// them (utp::Ends).
class Ends : public InterfaceRecovery {
 public:
  Ends(NetworkInterface&, NetworkContext&, const Parameters&);

  void send(MessageIndex original) override { sender_.send(original); }
  void sent(Cycle t, MessageIndex packet) override;
  void head_consumed(MessageIndex packet) override;
  void tail_consumed(Cycle t, MessageIndex packet, bool broken) override;
  void spent(Cycle t, MessageIndex) override;
  void message_cut(Cycle t, const CutMessage& cut) override { ask(t, {cut, false}); }
  void router_failed(Cycle t) override;
  void delivered(Cycle t, MessageIndex original) override { sender_.notice(t, original); }
  void node_died(Cycle t) override;
  void evaluate(Cycle t) override {
    receiver_.evaluate(t);
    if (!receiver_.requests.empty()) make_requests(t);
    requester_.evaluate(t);
    sender_.evaluate(t);
  }
  bool busy() const override { return sender_.busy() || receiver_.busy() || requester_.busy(); }
  Cycle next_due() const override {
    return std::min({sender_.next_due(), receiver_.next_due(), requester_.next_due()});
  }
  std::size_t waiting() const override { return sender_.waiting(); }
  void clear() override;

 protected:
  void control_arrived(Cycle t, MessageIndex);
  bool is_control(MessageIndex index) const { return context_.messages[index].kind == MessageKind::control; }

  NetworkInterface& interface_;
  NetworkContext& context_;
  Parameters parameters_;
  SendingEnd sender_;
  ReceivingEnd receiver_;
  Requester requester_;

 private:
  void ask(Cycle t, const Request&);
  void make_requests(Cycle t);
};

}  // namespace flitmend::sbrp
