// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>
#include <vector>

#include "rtl_tlm/context.h"
#include "rtl_tlm/interfaces/interface_recovery.h"
#include "rtl_tlm/signals/channel.h"
#include "rtl_tlm/signals/ring_queue.h"

namespace flitmend {

/// Takes messages that have arrived whole, and decides what happens to them next.
class MessageSink {
 public:
  /// The last flit of a message for this node has been consumed at cycle t. The descriptor is released
  /// afterwards.
  virtual void message_arrived(MessageIndex, Message&, Cycle t) = 0;
  /// The same of a message for another node: it is to be injected again.
  virtual void message_absorbed(MessageIndex, Message&, Cycle) {}
  /// A message from this node is undeliverable: there is no route to its destination. Released afterwards.
  virtual void message_failed(MessageIndex, Message&, Cycle t) = 0;
  /// `count` data flits, from number `first` of the message's data flits on, have been consumed here. The
  /// message carries bytes.
  virtual void data_arrived(Message&, std::uint32_t first, std::uint32_t count) = 0;
  /// The full source queue has room again (NetworkInterface::want_room).
  virtual void source_queue_has_room() = 0;
  /// The head of a message for this node is here. False: there is no room for the message now, so its virtual
  /// channel stalls, and this is called again. Only after NetworkInterface::ask_sink.
  virtual bool admits(Message&) { return true; }
  /// The last flit of a message has left this node. Only after NetworkInterface::ask_sink.
  virtual void message_left(Message&) {}
  /// At a clock edge, after NetworkInterface::wake_sink. True: again at the next one.
  virtual bool work(Cycle) { return false; }

 protected:
  ~MessageSink() = default;
};

/// The receiving half of a network interface: consumes and counts flits, and hands over each message when its
/// tail has arrived.
class Receiver : public sc_core::sc_module {
 public:
  Receiver(sc_core::sc_module_name, NetworkContext&, NodeId, MessageSink&);
  const char* kind() const override { return "flitmend_receiver"; }

  /// Consumes a flit from the ejection channel.
  void consume(Cycle t, const Flit& flit) {
    ++context_.flits_consumed;
    last_flit_ = flit;
    last_flit_at_ = t;
    Message& message = context_.messages[flit.message];
    last_source_ = message.source;
    last_id_ = message.id;
    last_word_ = is_head(flit.kind) ? message.head_state : flit.number;
    if (!is_head(flit.kind) && flit.number != message.received) [[unlikely]]
      out_of_order(t, flit);
    ++message.received;
    if (recovery_) tell_recovery(flit, message);
    if (flit.kind == FlitKind::pad && !message.committed) [[unlikely]]
      commit(t, flit.message);
    if (is_tail(flit.kind)) arrived(t, flit);
  }
  /// Unlimited ejection: takes a flit to be consumed at cycle `arrival` ≥ t.
  void eject(Cycle t, Cycle arrival, const Flit& flit) {
    if (arrival == t) {
      consume(t, flit);
      return;
    }
    on_the_way_[static_cast<unsigned>(arrival) & ring_mask_].push_back(flit);
    ++underway_;
  }
  void evaluate(Cycle t);
  /// A flit is at the end of the ejection channel. False: there is no room for its message, so the flit is
  /// kept, without its credit, as are those that follow on its virtual channel.
  bool admit(const Flit& flit) {
    const VcMask bit = VcMask{1} << flit.vc;
    if (!(stalled_ & bit) && (!is_head(flit.kind) || admits(context_.messages[flit.message]))) return true;
    keep(flit);
    return false;
  }
  /// Virtual channels whose flits are kept.
  VcMask stalled() const { return stalled_; }
  std::size_t kept(unsigned vc) const { return kept_.empty() ? 0 : kept_[vc].size(); }
  /// Takes a flit that was kept and may be consumed now; false if there is none. Virtual channels take turns.
  bool take_kept(Flit&);
  /// The rest of the packets on these virtual channels has been torn down.
  void rest_torn_down(Cycle t, VcMask vcs);
  /// Unlimited ejection: the same for a packet, in that cycle, after its flits.
  void tear_down(Cycle t, Cycle arrival, MessageIndex packet);
  /// F_rec: flits of the message being received that have arrived; with several at a time, of the one whose
  /// flit came last. 0 after PAD, a tail and the end of a packet that is torn down.
  std::uint32_t flits_received() const;
  /// This node's router is dead: flits that it was handing over are lost at cycle t.
  void router_failed(Cycle t);
  bool busy() const { return underway_ + ends_underway_ > 0; }
  std::size_t underway() const { return underway_; }
  /// Flits that the router has handed over, or that are kept, and that are not consumed yet.
  template <class F>
  void for_each_flit_underway(F&& f) const {
    for (const auto& flits : on_the_way_)
      for (const Flit& flit : flits) f(flit);
    for (const auto& flits : kept_)
      for (std::size_t i = 0; i < flits.size(); ++i) f(flits[i]);
  }
  void clear();
  /// Replaces the usual delivery.
  void set_recovery(InterfaceRecovery* recovery) { recovery_ = recovery; }

  /// The flit consumed in the last cycle evaluated (if several, the last of them); null if none.
  const Flit* consumed_flit() const { return context_.is_last_cycle(last_flit_at_) ? &last_flit_ : nullptr; }
  /// For a head, the routing state h with which it came; for any other flit, its number.
  std::uint64_t last_word() const { return last_word_; }
  /// Source and id of its message, whose descriptor may have been released.
  NodeId last_source() const { return last_source_; }
  std::uint32_t last_id() const { return last_id_; }

 private:
  [[gnu::noinline]] void out_of_order(Cycle, const Flit&) const;
  [[gnu::noinline]] void keep(const Flit&);
  bool admits(Message& message) { return message.destination != node_ || sink_.admits(message); }
  void arrived(Cycle t, const Flit& tail);
  void start(const Flit& head) {
    if (!heads_.empty()) heads_[head.vc] = head.message;
    recovery_->head_consumed(head.message);
  }
  void tell_recovery(const Flit& flit, const Message& message) {
    if (is_head(flit.kind)) start(flit);
    if (message.incomplete && context_.hardware.holds_paths() && !is_tail(flit.kind)) [[unlikely]]
      context_.broken.piece_ended(flit.message);
  }
  /// A packet is torn down after part of it has arrived.
  void end(Cycle t, MessageIndex packet);
  /// All data of a padded packet have arrived.
  [[gnu::noinline]] void commit(Cycle t, MessageIndex packet);

  NetworkContext& context_;
  NodeId node_;
  MessageSink& sink_;
  InterfaceRecovery* recovery_ = nullptr;
  // What every flit needs comes first, in few cache lines.
  std::size_t underway_ = 0;
  std::size_t ends_underway_ = 0;
  VcMask stalled_ = 0;
  Flit last_flit_;
  std::uint64_t last_word_ = 0;
  NodeId last_source_ = 0;
  std::uint32_t last_id_ = 0;
  Cycle last_flit_at_ = kNever;
  Cycle ended_at_ = kNever;

  std::vector<MessageIndex> heads_;  ///< with padding: the last packet on each virtual channel
  unsigned ring_mask_;
  unsigned next_kept_ = 0;                     ///< round robin over stalled virtual channels
  std::vector<std::vector<Flit>> on_the_way_;  ///< ring by cycle
  std::vector<RingQueue<Flit>> kept_;  ///< by virtual channel: flits that wait for room; their credits too
  /// Unlimited ejection: packets whose rest is torn down, ring by cycle.
  std::vector<std::vector<MessageIndex>> ends_;
};

}  // namespace flitmend
