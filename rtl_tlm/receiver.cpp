// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/receiver.h"

#include <boost/format.hpp>

namespace flitmend {

Receiver::Receiver(sc_core::sc_module_name name, NetworkContext& context, NodeId node, MessageSink& sink)
    : sc_module(name), context_(context), node_(node), sink_(sink), ring_mask_(context.hardware.ring - 1) {
  if (context.hardware.unlimited_ejection) {
    on_the_way_.resize(context.hardware.ring);
    for (auto& slot : on_the_way_) slot.reserve(16);
  }
}

void Receiver::out_of_order(Cycle t, const Flit& flit) const {
  SC_REPORT_FATAL(
      "flitmend/contract",
      (boost::format(
           "%1%: cycle %2%: flit (%3%) arrived out of order: %4% flits of its message had arrived") %
       name() % t % flit % context_.messages[flit.message].received)
          .str()
          .c_str());
}

void Receiver::evaluate(Cycle t) {
  if (underway_ == 0) return;
  auto& due = on_the_way_[static_cast<unsigned>(t) & ring_mask_];
  underway_ -= due.size();
  for (const Flit& flit : due) consume(t, flit);
  due.clear();
}

void Receiver::router_failed(Cycle t) {
  context_.flits_discarded += underway_;
  for (const auto& slot : on_the_way_)
    for (const Flit& flit : slot) context_.broken.lose(flit.message, t);
  clear();
}

void Receiver::clear() {
  for (auto& slot : on_the_way_) slot.clear();
  underway_ = 0;
}

void Receiver::arrived(Cycle t, const Flit& tail) {
  if (recovery_) {
    recovery_->tail_consumed(t, tail.message, ends_piece(tail.kind));
    return;
  }
  Message& message = context_.messages[tail.message];
  if (ends_piece(tail.kind)) [[unlikely]] {  // no recovery: the piece is dropped
    context_.broken.piece_ended(tail.message);
    return;
  }
  for (MessageObserver* observer : context_.observers)
    observer->message_delivered(tail.message, message, node_, t);
  --context_.messages_in_network;
  sink_.message_arrived(tail.message, message, t);
  if (message.incomplete) [[unlikely]]
    context_.broken.deliver(tail.message);
  else
    context_.messages.release(tail.message);
}

}  // namespace flitmend
