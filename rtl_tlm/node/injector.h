// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "rtl_tlm/context.h"
#include "rtl_tlm/interfaces/injector_mechanism.h"
#include "rtl_tlm/interfaces/interface_recovery.h"
#include "rtl_tlm/node/injection_limit.h"
#include "rtl_tlm/registers/router_state.h"
#include "rtl_tlm/signals/channel.h"
#include "rtl_tlm/signals/ring_queue.h"

namespace flitmend {

class Router;
class MessageSink;

/// Priorities at the source, highest first: control messages of a recovery protocol, retransmissions, new
/// messages.
enum class InjectionPriority : std::uint8_t { control, resend, fresh };
inline constexpr unsigned kInjectionPriorities = 3;

/// The sending half of a network interface: one source queue per message class and priority, and the
/// packetizer. Over an injection channel it sends one flit per cycle, of one message per message class; the
/// classes take turns, or go first as router.arbitration says. With
/// parallel injection it sends one message per virtual channel in parallel, each at one flit per cycle into
/// its own injection buffer.
class Injector : public sc_core::sc_module {
 public:
  Injector(sc_core::sc_module_name, NetworkContext&);
  const char* kind() const override { return "flitmend_injector"; }

  /// Queues a message with its present head state. It may leave from cycle `from` on.
  void push(MessageIndex message, InjectionPriority priority, Cycle from) {
    queues_[context_.messages[message].message_class * kInjectionPriorities + static_cast<unsigned>(priority)]
        .push({message, from});
    ++waiting_;
  }
  const NetworkContext& context() const { return context_; }
  /// Messages in the source queues.
  std::size_t waiting() const { return waiting_; }
  /// Those of them that may leave in cycle t. (A sender in a clock edge's delta cycle may run before or after
  /// the network, so waiting() may or may not include messages of the next edge.)
  std::size_t waiting_at(Cycle t) const;
  bool busy() const { return (waiting_ | sending_) != 0; }
  /// Whether the source queue takes another message (network_interface.source_queue).
  bool accepts(std::size_t kept_back = 0) const {
    return limit_ == 0 || waiting_ + kept_back + (recovery_ ? recovery_->waiting() : 0) < limit_;
  }

  void evaluate(Cycle t);
  /// Nothing can leave until a credit or a new message arrives, and both wake the interface.
  bool waits_for_room() const { return told_of_room_ && waiting_ == 0 && !any_room(); }
  /// Without an injection channel a credit only says that a buffer has room.
  [[gnu::always_inline]] void credit(VcMask vcs) {
    if (router_) return;
    for (VcMask rest = vcs; rest; rest &= rest - 1)
      ++lanes_[static_cast<unsigned>(std::countr_zero(rest))].credits;
  }
  /// What a mechanism of the routers adds.
  void set_mechanism(std::unique_ptr<InjectorMechanism> mechanism) {
    mechanism_ = std::move(mechanism);
    told_of_room_ = mechanism_->needs_room_signal();
  }
  InjectorMechanism* mechanism() { return mechanism_.get(); }  ///< null: none
  template <class M>
  const M& mechanism() const {
    return static_cast<const M&>(*mechanism_);
  }
  /// The virtual channels that it closes.
  InjectorGates& gates() { return gates_; }
  const InjectorGates& gates() const { return gates_; }
  /// The path that starts in that virtual channel is released. The rest of its packet is not sent any
  /// more.
  void release_path(Cycle t, unsigned vc, bool acknowledged);
  /// This node's router is dead from the cycle after t on: messages being sent are cut. Nothing leaves until
  /// the router is back.
  void router_failed(Cycle t);
  void router_repaired();
  /// The router says that the message being sent on a virtual channel is torn down. `no_route`: its head
  /// found no route.
  void torn_down(Cycle t, unsigned vc, bool no_route);
  /// Tears down the message being sent on a virtual channel, of which some flits have left: the line follows
  /// them.
  void tear_down(Cycle t, unsigned vc, ControlLine);
  /// No message is given that virtual channel before that cycle.
  void rest(unsigned vc, Cycle until) { lanes_[vc].rests_until = until; }
  /// The source stops sending a message: its next flit is a virtual tail. No effect if its head has not left,
  /// or if only its tail is left to send.
  void cut_short(MessageIndex);
  /// Removes all messages of which no flit has left, and calls f(index) for each.
  template <class F>
  void take_waiting(F&& f) {
    for (auto& queue : queues_)
      for (; !queue.empty(); queue.pop()) f(queue.front().message);
    waiting_ = 0;
    for (Lane& lane : lanes_)
      if (lane.message != kNoMessage && lane.next == 0) {
        f(lane.message);
        end(lane);
      }
  }
  /// Calls f(index) for each message of which no flit has left.
  template <class F>
  void for_each_waiting(F&& f) const {
    for (const auto& queue : queues_)
      for (std::size_t i = 0; i < queue.size(); ++i) f(queue[i].message);
    for (const Lane& lane : lanes_)
      if (lane.message != kNoMessage && lane.next == 0) f(lane.message);
  }
  /// Whether a message is being sent; one whose router is dead waits, and is not.
  bool midway() const { return sending_ != 0 && !down_; }
  void clear();

  /// Message that is being sent on a virtual channel (kNoMessage: none), and its next flit.
  MessageIndex sending(unsigned vc) const { return lanes_[vc].message; }
  std::uint32_t next_flit(unsigned vc) const { return lanes_[vc].next; }
  unsigned credits(unsigned vc) const { return lanes_[vc].credits; }
  /// T_elapse: cycles since a flit of the message on a virtual channel left, or since it was given the
  /// virtual channel.
  Cycle elapsed(unsigned vc, Cycle t) const { return t - lanes_[vc].sent_at; }
  /// The packet that holds the path that starts in a virtual channel; kNoMessage: none does.
  MessageIndex path(unsigned vc) const { return paths_.empty() ? kNoMessage : paths_[vc]; }
  /// Virtual channel that the next message tries first.
  unsigned vc_pointer() const { return pointer_; }
  /// Chooses the class that sends next, with more than one class and ClassRules::ordered().
  const ClassArbiter& class_arbiter() const { return arbiter_; }
  /// The flit sent in the last cycle evaluated, null if none.
  const Flit* sent_flit() const { return context_.is_last_cycle(last_flit_at_) ? &last_flit_ : nullptr; }
  /// For a head, the routing state h with which it was sent; for any other flit, its number.
  std::uint64_t last_word() const { return last_word_; }

  /// Sends over a channel (injection_latency ≥ 1), or directly to the input controller of the router's local
  /// port.
  void bind(Channel& channel) { channel_ = &channel; }
  void bind(Router& router);
  /// New messages enter that router only as an InjectionLimit admits them.
  void limit_injection(Router& router) { injection_limit_.emplace(router); }
  /// Is notified when the last flit of a message has left.
  void notify(MessageSink& departures) { departures_ = &departures; }
  /// The unit to notify when a packet has left.
  void set_recovery(InterfaceRecovery* recovery) { recovery_ = recovery; }

 private:
  struct Lane {
    MessageIndex message = kNoMessage;
    std::uint32_t next = 0;
    std::uint32_t length = 0;
    std::uint32_t credits = 0;
    std::uint32_t first_pad = 0;  ///< number of the first flit after the data, pad or tail
    bool cut_short = false;       ///< its last flit is a virtual tail
    std::uint8_t message_class = 0;
    Cycle rests_until = 0;  ///< no message is given the virtual channel before
    Cycle sent_at = 0;      ///< when a flit of it last left
    Cycle deaf_until = 0;   ///< the router tears down the message before, if any
  };

  struct Queued {
    MessageIndex message = kNoMessage;
    Cycle from = 0;  ///< it may leave from then on
  };

  /// The queue of highest priority of that class whose front message may leave at t.
  RingQueue<Queued>* due(Cycle t, unsigned message_class);
  bool lane_is_free(Cycle t, unsigned vc, std::uint32_t length) const;
  std::uint32_t room(unsigned vc) const;
  /// Whether a message that is being sent can send its next flit.
  bool any_room() const;
  bool start(Cycle t, unsigned message_class);
  /// Whether the first message of a queue has to wait for the injection limit.
  bool held_back(const RingQueue<Queued>&, unsigned vc);
  bool start_any(Cycle t);
  void send_in_parallel(Cycle t);
  /// With more than one message class: classes take turns on the injection channel.
  void send_by_class(Cycle t);
  /// The same, but the classes go first as ClassRules say.
  void send_by_rules(Cycle t);
  /// Whether a message of that class is being sent on the injection channel.
  bool sends(unsigned message_class) const {
    const Lane& lane = lanes_[current_[message_class]];
    return lane.message != kNoMessage && lane.message_class == message_class;
  }
  /// Classes with a message that is being sent on the injection channel, or may leave the queue.
  ClassSet classes_with_messages(Cycle t);
  /// The class of a set, not empty, whose message goes first.
  unsigned first_class(Cycle t, ClassSet);
  void tell_injected(MessageIndex, Cycle t);
  /// Abandons messages at the front of the queues while their destination is permanently dead.
  [[gnu::noinline, gnu::cold]] void drop_unreachable(Cycle t);
  void send_flit(Cycle t, unsigned vc);
  /// Whether the next flit of a lane may leave: there is room, and a tail finds its gate open.
  bool may_send(unsigned vc) {
    return room(vc) > 0 && (gates_.tails == 0 || lanes_[vc].next + 1 != lanes_[vc].length || !hold_tail(vc));
  }
  /// Whether the tail of a lane waits at its gate.
  bool hold_tail(unsigned vc);
  /// Stops sending the message of a lane. Returns it.
  MessageIndex stop(Lane&);
  /// A lane has no message any more.
  void end(Lane& lane) {
    lane.message = kNoMessage;
    sending_ &= ~(VcMask{1} << (&lane - lanes_.data()));
  }

  NetworkContext& context_;
  // What every flit needs comes first, in few cache lines.
  bool parallel_;
  bool atomic_;
  bool whole_messages_;
  bool told_of_room_ = false;  ///< InjectorMechanism::needs_room_signal
  bool padded_;                ///< packets are padded
  bool down_ = false;          ///< the router is dead
  InterfaceRecovery* recovery_ = nullptr;
  Channel* channel_ = nullptr;
  Router* router_ = nullptr;
  MessageSink* departures_ = nullptr;
  std::size_t waiting_ = 0;
  VcMask sending_ = 0;  ///< virtual channels on which messages are being sent
  InjectorGates gates_;
  unsigned local_id_ = 0;  ///< id of the local port's virtual channel 0
  unsigned classes_;
  std::vector<Lane> lanes_;
  std::array<unsigned, kMessageClasses> current_{};  ///< lane of the class's message on the channel
  Flit last_flit_;
  std::uint64_t last_word_ = 0;
  Cycle last_flit_at_ = kNever;

  /// By class and priority.
  std::array<RingQueue<Queued>, kMessageClasses * kInjectionPriorities> queues_;
  std::array<VcMask, kMessageClasses> class_vcs_;
  unsigned next_class_ = 0;  ///< that may use the injection channel first
  unsigned pointer_ = 0;     ///< round robin over virtual channels
  unsigned depth_;
  std::size_t limit_;
  std::optional<InjectionLimit> injection_limit_;
  std::unique_ptr<InjectorMechanism> mechanism_;
  std::vector<MessageIndex> paths_;  ///< by virtual channel: who holds it; empty if paths are not held
  ClassArbiter arbiter_;             ///< of the injection channel
};

}  // namespace flitmend
