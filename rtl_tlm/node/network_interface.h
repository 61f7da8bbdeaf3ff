// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <optional>
#include <systemc>
#include <utility>
#include <vector>

#include "rtl_tlm/mechanisms/kills/interface_kills.h"
#include "rtl_tlm/node/injector.h"
#include "rtl_tlm/node/receiver.h"

namespace flitmend {

class Router;

/// The network interface of a node: an Injector and a Receiver next to the router. The fabric evaluates it
/// before the routers; a stand-alone router has none. Messages enter with send() and leave through the
/// MessageSink; NetworkSockets (TLM-2.0) is the usual owner of both.
class NetworkInterface : public sc_core::sc_module, private MessageSink {
 public:
  NetworkInterface(sc_core::sc_module_name, NetworkContext&, NodeId);
  const char* kind() const override { return "flitmend_network_interface"; }

  Injector injector;
  Receiver receiver;

  NodeId node() const { return node_; }
  NetworkContext& context() { return context_; }
  /// Puts a message of `length` flits (1 … 65535) into the source queue, created now: it may leave at the
  /// next clock edge. The caller must have checked accepts().
  MessageIndex send(NodeId destination, std::uint32_t length, MessageKind kind = MessageKind::data,
                    void* transaction = nullptr);
  /// The same for a message created in cycle `created`, which may leave from cycle `from` ≥ created on.
  /// `message_class`: one that the network does not have is 0. Replies in a virtual network of their own
  /// have the class of it.
  MessageIndex send(NodeId destination, std::uint32_t length, MessageKind kind, void* transaction,
                    Cycle created, Cycle from, std::uint8_t message_class = 0);
  /// Whether the source queue takes another message besides the `kept_back` ones that the caller holds.
  bool accepts(std::size_t kept_back = 0) const { return injector.accepts(kept_back); }
  /// Attaches the two ends of a recovery protocol. Before the first cycle.
  void attach(InterfaceRecovery&);
  InterfaceRecovery* recovery() { return recovery_; }
  const InterfaceRecovery* recovery() const { return recovery_; }
  /// Creates a message of the recovery protocol from this node, without queueing it.
  MessageIndex compose(NodeId destination, std::uint32_t length, MessageKind kind, Cycle created);
  /// Queues it. It may leave from the cycle of its creation on.
  void push(MessageIndex index, InjectionPriority priority) {
    Message& message = context_.messages[index];
    if (message.original != kNoMessage && !context_.hardware.classes.list.empty())
      message.message_class = context_.messages[message.original].message_class;
    injector.push(index, priority, context_.messages[index].created);
    *wake_.active |= wake_.bit;
  }
  /// Data flits of an original that has not been delivered have arrived here, in one of its packets.
  void place(MessageIndex original, std::uint32_t first, std::uint32_t count) {
    Message& message = context_.messages[original];
    if (message.carries_bytes && sink_) sink_->data_arrived(message, first, count);
  }
  /// An original has arrived here: notifies observers and the processing element, once.
  void deliver(MessageIndex original, Cycle);
  void stay_awake() { *wake_.active |= wake_.bit; }
  /// Held paths: a packet has been received; the acknowledgement goes back over its path, from cycle t on.
  void acknowledge(Cycle t, MessageIndex packet);
  /// Held paths: the path that starts in that virtual channel has been released.
  void path_released(Cycle t, unsigned vc, bool acknowledged) {
    injector.release_path(t, vc, acknowledged);
    stay_awake();
  }
  /// The sink for messages that arrive here; null: they are counted and dropped.
  void set_sink(MessageSink* sink) { sink_ = sink; }

  /// The fabric's masks of the interfaces at which flits or credits arrive (rings by cycle) and of those with
  /// work of their own, and this interface's bit in all three. Before bind.
  struct Wake {
    Word* flits = nullptr;
    Word* credits = nullptr;
    Word* active = nullptr;
    Word bit = 0;
    Word* asleep = nullptr;  ///< interfaces that only wait for a timer
    Cycle* due = nullptr;    ///< none of them has work before that cycle
  };
  void set_wake(const Wake& wake) { wake_ = wake; }
  /// Connects the interface to the router's local port. Without an injection channel it fills the router's
  /// buffers directly; without an ejection channel the router hands it every ejected flit.
  void bind(Router&, Channel* injection, Channel* ejection);

  // A clock cycle (before that of the routers) consists of three calls, each made if this interface's bit is
  // set in the call's mask.
  /// A flit, or a control line, has arrived on the ejection channel.
  void receive_flit(Cycle t) {
    if (padded_) InterfaceKills::receive(*ejection_, t, receiver);
    if (std::exchange(arriving(Arriving::flits)[slot(t)], 0) == 0) return;  // lost with its channel
    const Flit& flit = ejection_->read(t);
    if (asks_sink_ && !receiver.admit(flit))
      keep_pending(kFlitsKept);
    else
      take_flit(t, flit);
  }
  /// Credits, the line of a mechanism or a control line have arrived at the injector.
  void receive_credits(Cycle t) {
    if (padded_ && injection_) InterfaceKills::receive(*injection_, t, injector);
    const Word credits = std::exchange(arriving(Arriving::credits)[slot(t)], 0);
    injector.credit(credits);
    if (takes_line_)
      if (const VcMask vcs = std::exchange(arriving(Arriving::line)[slot(t)], 0))
        injector.mechanism()->line_arrived(vcs);
    if (told_of_room_ && credits) stay_awake();
  }
  /// Its own work. True if work remains.
  bool evaluate(Cycle t) {
    if (receiver.busy()) receiver.evaluate(t);
    if (pending_) begin_pending(t);
    if (recovery_) recovery_->evaluate(t);
    if (injector.busy()) injector.evaluate(t);
    if (pending_ & kRoomWanted && accepts()) [[unlikely]]
      offer_room();
    if ((injector.busy() && !injector.waits_for_room()) || receiver.busy() || pending_) return true;
    return recovery_ && recovery_->busy() && !sleeps(t);
  }
  /// A flit that the router hands over at cycle t, to be consumed at `arrival` ≥ t.
  void eject(Cycle t, Cycle arrival, const Flit& flit) {
    receiver.eject(t, arrival, flit);
    if (receiver.busy()) *wake_.active |= wake_.bit;
  }
  /// From now on the sink is asked whether there is room for a message (MessageSink::admits), and told when
  /// one has left.
  void ask_sink() {
    asks_sink_ = true;
    injector.notify(*this);
  }
  /// Whether it may keep flits on the ejection channel: not with unlimited ejection, and not if messages of a
  /// recovery protocol would wait with them.
  bool can_stall() const { return ejection_ && !recovery_; }
  /// Calls the sink at the next edge (MessageSink::work).
  void wake_sink() { keep_pending(kSinkWork); }
  /// Notifies the sink once, when the full source queue has room again.
  void want_room() { keep_pending(kRoomWanted); }
  /// Unlimited ejection: the rest of a packet is torn down, at `arrival` ≥ t.
  void tear_down(Cycle t, Cycle arrival, MessageIndex packet) {
    receiver.tear_down(t, arrival, packet);
    if (receiver.busy()) *wake_.active |= wake_.bit;
  }
  /// This node's router is dead from the cycle after t on, or back. Messages in the processing element's
  /// memory survive.
  void router_failed(Cycle t) {
    injector.router_failed(t);
    receiver.router_failed(t);
    if (recovery_) recovery_->router_failed(t);
    stay_awake();
    std::fill(arrivals_.begin(), arrivals_.end(), Word{0});
  }
  void router_repaired() {
    injector.router_repaired();
    stay_awake();
  }
  /// The routing tables are new: messages of which no flit has left look up their heads again.
  void look_up_again();
  /// The processing element has died with its router: messages that wait here will never leave.
  void node_died(Cycle t);
  /// Abandons a message of this node: notifies the observers (by `heard`), then the sender, and releases the
  /// descriptor.
  using GivenUp = void (MessageObserver::*)(MessageIndex, const Message&, Cycle);
  void give_up(MessageIndex, Cycle, GivenUp heard);
  /// The same for a message of which nothing is left: void, undeliverable or lost.
  void settle(MessageIndex, Cycle, bool unreachable);
  bool busy() const {
    return injector.busy() || receiver.busy() || pending_ & (kSinkWork | kFlitsKept | kAbsorbed) ||
           (recovery_ && recovery_->busy());
  }
  void clear();
  /// After a reset of the fabric: tells a sender waiting for room in the source queue that there is room.
  /// What the sink has to do is still there.
  void restart_sink() {
    if (pending_ & kSinkWork) stay_awake();
    if (pending_ & kRoomWanted) offer_room();
  }
  const Channel* injection_channel() const { return injection_; }
  const Channel* ejection_channel() const { return ejection_; }

 private:
  /// Work other than moving flits, to go on with in the next cycle.
  enum Pending : std::uint8_t { kSinkWork = 1, kRoomWanted = 2, kFlitsKept = 4, kAbsorbed = 8 };

  void keep_pending(Pending what) {
    pending_ |= what;
    stay_awake();
  }
  /// If only a timer of the recovery protocol is left: it is due later than in the next cycle.
  bool sleeps(Cycle t) {
    const Cycle due = recovery_->next_due();
    if (due <= t + 1) return false;
    *wake_.asleep |= wake_.bit;
    *wake_.due = std::min(*wake_.due, due);
    return true;
  }
  void end_pending(Pending what) { pending_ &= static_cast<std::uint8_t>(~what); }
  void offer_room() {
    end_pending(kRoomWanted);
    if (sink_) sink_->source_queue_has_room();
  }
  /// A descriptor for a message of this node, without a number.
  MessageIndex allocate(NodeId destination, std::uint32_t length, MessageKind kind, Cycle created);
  void message_arrived(MessageIndex index, Message& message, Cycle t) override {
    if (sink_) sink_->message_arrived(index, message, t);
  }
  void message_failed(MessageIndex index, Message& message, Cycle t) override {
    if (sink_) sink_->message_failed(index, message, t);
  }
  void data_arrived(Message& message, std::uint32_t first, std::uint32_t count) override {
    if (sink_) sink_->data_arrived(message, first, count);
  }
  void message_absorbed(MessageIndex, Message&, Cycle t) override;
  void source_queue_has_room() override {}
  bool admits(Message& message) override { return sink_->admits(message); }
  void message_left(Message& message) override { sink_->message_left(message); }
  void take_flit(Cycle t, const Flit& flit) {
    ejection_->send_credit(t, flit.vc);
    if (tail_answer_ && is_tail(flit.kind)) ejection_->send_with_credits(*tail_answer_, t, flit.vc);
    receiver.consume(t, flit);
  }
  void begin_pending(Cycle t) {
    if (pending_ & kFlitsKept) take_kept_flit(t);
    if (pending_ & kAbsorbed) inject_absorbed(t);
    if (!(pending_ & kSinkWork)) return;
    end_pending(kSinkWork);
    if (sink_->work(t)) pending_ |= kSinkWork;
  }
  [[gnu::noinline]] void take_kept_flit(Cycle t) {
    Flit flit;
    if (receiver.take_kept(flit)) take_flit(t, flit);
    if (!receiver.stalled()) end_pending(kFlitsKept);
  }
  /// Queues the absorbed messages that software has had for long enough.
  [[gnu::noinline]] void inject_absorbed(Cycle t);
  /// Rings by cycle: arrivals on the channels. `control` is not read: an interface ignores channel status,
  /// and looks at its control lines whenever it is woken.
  enum class Arriving : unsigned { flits, credits, control, line };
  Word* arriving(Arriving what) {
    return arrivals_.data() + static_cast<unsigned>(what) * context_.hardware.ring;
  }
  unsigned slot(Cycle t) const { return static_cast<unsigned>(t) & (context_.hardware.ring - 1); }
  VcTarget target(Arriving what, Word* wake) {
    return {arriving(what), 1, low_bits(context_.hardware.router.virtual_channels), wake, wake_.bit};
  }
  ArrivalTarget control(Word* wake) {
    return {arriving(Arriving::control), 1, wake, padded_ ? wake_.bit : 0, nullptr};
  }

  NetworkContext& context_;
  NodeId node_;
  std::vector<Word> arrivals_;
  Wake wake_;
  Channel* injection_ = nullptr;
  Channel* ejection_ = nullptr;
  Router* router_ = nullptr;
  MessageSink* sink_ = nullptr;
  InterfaceRecovery* recovery_ = nullptr;
  bool asks_sink_ = false;
  std::uint8_t pending_ = 0;                ///< of Pending
  bool takes_line_ = false;                 ///< of the injector's mechanism
  std::optional<ControlLine> tail_answer_;  ///< raised for each tail that the interface consumes
  bool told_of_room_ = false;               ///< credits say when a buffer has room again
  bool padded_;                             ///< packets are padded: interfaces have control lines
  std::uint32_t next_id_ = 0;
  struct AbsorbedMessage {
    MessageIndex message;
    Cycle due;
  };
  RingQueue<AbsorbedMessage> absorbed_;  ///< in the order of their arrival
  RandomStream routing_random_;
};

}  // namespace flitmend
