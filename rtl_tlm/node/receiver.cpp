// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/node/receiver.h"

#include <algorithm>
#include <bit>
#include <boost/format.hpp>

namespace flitmend {

Receiver::Receiver(sc_core::sc_module_name name, NetworkContext& context, NodeId node, MessageSink& sink)
    : sc_module(name), context_(context), node_(node), sink_(sink), ring_mask_(context.hardware.ring - 1) {
  if (context.hardware.hand_over_flits()) {
    on_the_way_.resize(context.hardware.ring);
    for (auto& slot : on_the_way_) slot.reserve(16);
  }
  if (!context.hardware.padding) return;
  heads_.resize(context.hardware.router.virtual_channels, kNoMessage);
  if (context.hardware.network_interface.unlimited_ejection()) ends_.resize(context.hardware.ring);
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
  if (!busy()) return;
  auto& due = on_the_way_[static_cast<unsigned>(t) & ring_mask_];
  underway_ -= due.size();
  for (const Flit& flit : due) consume(t, flit);
  due.clear();
  if (ends_underway_ == 0) [[likely]]
    return;
  auto& ends = ends_[static_cast<unsigned>(t) & ring_mask_];
  ends_underway_ -= ends.size();
  for (const MessageIndex packet : ends) end(t, packet);
  ends.clear();
}

void Receiver::keep(const Flit& flit) {
  if (kept_.empty()) kept_.resize(context_.hardware.router.virtual_channels);
  kept_[flit.vc].push(flit);
  stalled_ |= VcMask{1} << flit.vc;
}

bool Receiver::take_kept(Flit& flit) {
  const auto vcs = static_cast<unsigned>(kept_.size());
  for (unsigned i = 0; i < vcs; ++i) {
    const unsigned vc = (next_kept_ + i) % vcs;
    auto& flits = kept_[vc];
    if (flits.empty()) continue;
    flit = flits.front();
    if (is_head(flit.kind) && !admits(context_.messages[flit.message])) continue;
    flits.pop();
    if (flits.empty()) stalled_ &= ~(VcMask{1} << vc);
    next_kept_ = vc + 1;
    return true;
  }
  return false;
}

void Receiver::end(Cycle t, MessageIndex packet) {
  ended_at_ = t;
  recovery_->rest_torn_down(t, packet);
}

void Receiver::tear_down(Cycle t, Cycle arrival, MessageIndex packet) {
  if (arrival == t) {
    end(t, packet);
    return;
  }
  ends_[static_cast<unsigned>(arrival) & ring_mask_].push_back(packet);
  ++ends_underway_;
}

void Receiver::rest_torn_down(Cycle t, VcMask vcs) {
  for (; vcs; vcs &= vcs - 1)
    if (const MessageIndex packet = heads_[static_cast<unsigned>(std::countr_zero(vcs))];
        packet != kNoMessage)
      end(t, packet);
}

void Receiver::router_failed(Cycle t) {
  for_each_flit_underway([&](const Flit& flit) {
    ++context_.flits_discarded;
    context_.broken.lose(flit.message, t);
  });
  clear();
}

void Receiver::clear() {
  for (auto& slot : on_the_way_) slot.clear();
  for (auto& slot : ends_) slot.clear();
  for (auto& flits : kept_) flits.clear();
  stalled_ = 0;
  std::fill(heads_.begin(), heads_.end(), kNoMessage);
  underway_ = ends_underway_ = 0;
}

std::uint32_t Receiver::flits_received() const {
  if (last_flit_at_ == kNever || is_tail(last_flit_.kind) || last_flit_.kind == FlitKind::pad) return 0;
  const bool ended = ended_at_ != kNever && ended_at_ >= last_flit_at_ && ended_at_ < context_.next_cycle;
  return ended ? 0 : last_flit_.number + 1u;
}

void Receiver::commit(Cycle t, MessageIndex packet) {
  context_.messages[packet].committed = true;
  if (recovery_) recovery_->data_consumed(t, packet);
}

void Receiver::arrived(Cycle t, const Flit& tail) {
  if (recovery_) {
    const bool whole = !ends_piece(tail.kind);
    if (context_.hardware.padding && whole && !context_.messages[tail.message].committed)
      commit(t, tail.message);
    recovery_->tail_consumed(t, tail.message, ends_piece(tail.kind));
    return;
  }
  Message& message = context_.messages[tail.message];
  if (ends_piece(tail.kind)) [[unlikely]] {  // no recovery: the piece is dropped
    context_.broken.piece_ended(tail.message);
    return;
  }
  if (message.destination != node_) [[unlikely]] {
    sink_.message_absorbed(tail.message, message, t);
    return;
  }
  if (message.carries_bytes) sink_.data_arrived(message, 0, data_flits(message.length));
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
