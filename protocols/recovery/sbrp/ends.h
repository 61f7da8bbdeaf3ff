// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <vector>

#include "protocols/recovery/finished_ids.h"
#include "protocols/recovery/reassembly.h"
#include "protocols/recovery/sbrp/requester.h"
#include "protocols/recovery/sbrp/sender.h"

namespace flitmend::sbrp {

/// The receiving end at a node: puts messages together from pieces, drops what it has already, and asks for
/// what is missing. It keeps no record of a message that arrives in one piece, except that it has arrived.
class ReceivingEnd {
 public:
  ReceivingEnd(NetworkInterface&, NetworkContext&, const Parameters&);

  /// The head of a packet has been consumed.
  void head_consumed(MessageIndex packet) { arriving_.push_back(packet); }
  /// A tail of any kind has been consumed: the piece has ended.
  void tail_consumed(Cycle t, MessageIndex packet);
  /// The router has died: every piece that was arriving ends here.
  void router_failed(Cycle t);
  /// The sender is done with a message: nothing more will come.
  void finished(NodeId source, std::uint32_t id);
  void evaluate(Cycle t) {
    if (t >= next_due_) ask_again(t);
  }
  bool busy() const { return !open_.empty(); }
  Cycle next_due() const { return next_due_; }
  void clear();

  /// To be made by the requester. Taken by the unit after every call.
  std::vector<Request> requests;

 private:
  /// A message of which a piece has arrived, but not all.
  struct Open {
    NodeId source = 0;
    std::uint32_t id = 0;
    std::uint32_t length = 0;
    std::uint16_t sub_message = 0;  ///< the highest that has arrived
    std::uint32_t times_asked = 0;
    Cycle ask_due = 0;
    Reassembly data;
  };

  FinishedIds& finished_of(NodeId source);
  void piece_ended(Cycle t, MessageIndex packet, bool tail);
  Open* find(NodeId source, std::uint32_t id);
  Open& open(const Message& packet, std::uint32_t length);
  void remove(Open&);
  void deliver(Cycle t, MessageIndex packet);
  void acknowledge(Cycle t, const Message& packet);
  /// Whether it drops the pieces of a message, for whose rest it has waited too long.
  bool drops_pieces(const Open&) const;
  void wait_for_rest(Cycle t, Open&);
  void ask(const Open&, bool silent);
  bool arriving(const Open&) const;
  void ask_again(Cycle t);

  NetworkInterface& interface_;
  NetworkContext& context_;
  const Parameters& parameters_;
  std::vector<FinishedIds> finished_;   ///< by source; empty until something arrives
  std::vector<MessageIndex> arriving_;  ///< packets whose head has arrived and whose tail has not
  std::vector<Open> open_;
  Cycle next_due_ = kNever;
};

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
  bool active() const override { return sender_.active() || receiver_.busy() || requester_.busy(); }
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
