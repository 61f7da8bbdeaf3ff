// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/node/injector.h"

#include <algorithm>
#include <utility>

#include "rtl_tlm/node/receiver.h"
#include "rtl_tlm/router/router.h"

namespace flitmend {

Injector::Injector(sc_core::sc_module_name name, NetworkContext& context)
    : sc_module(name),
      context_(context),
      parallel_(context.hardware.network_interface.injects_in_parallel()),
      atomic_(context.hardware.router.reallocates_atomically()),
      whole_messages_(needs_whole_room(context.hardware.router.technique())),
      padded_(context.hardware.padding),
      classes_(std::max(context.routing.message_classes(), context.hardware.classes.count())),
      lanes_(context.hardware.router.virtual_channels),
      depth_(context.hardware.router.input_buffer),
      limit_(context.hardware.network_interface.source_queue) {
  for (unsigned c = 0; c < kMessageClasses; ++c)
    class_vcs_[c] = c >= classes_                           ? 0
                    : context.routing.message_classes() > 1 ? context.routing.message_class_vcs(c)
                                                            : ~VcMask{0};
  if (context.hardware.holds_paths()) paths_.resize(context.hardware.router.virtual_channels);
  clear();
}

void Injector::bind(Router& router) {
  router_ = &router;
  local_id_ = router.state().layout().local_port * router.state().vcs();
}

void Injector::clear() {
  for (auto& queue : queues_) queue.clear();
  for (Lane& lane : lanes_) {
    lane = Lane{};
    lane.credits = depth_;
  }
  waiting_ = 0;
  sending_ = 0;
  pointer_ = next_class_ = 0;
  arbiter_.reset(context_.hardware.classes);
  gates_ = {};
  if (mechanism_) mechanism_->clear();
  std::fill(paths_.begin(), paths_.end(), kNoMessage);
}

std::size_t Injector::waiting_at(Cycle t) const {
  std::size_t count = waiting_;
  for (const auto& queue : queues_)
    for (std::size_t i = queue.size(); i-- > 0 && queue[i].from > t;) --count;
  return count;
}

RingQueue<Injector::Queued>* Injector::due(Cycle t, unsigned message_class) {
  RingQueue<Queued>* const queues = &queues_[message_class * kInjectionPriorities];
  for (unsigned i = 0; i < kInjectionPriorities; ++i)
    if (!queues[i].empty() && queues[i].front().from <= t) return &queues[i];
  return nullptr;
}

[[gnu::always_inline]] inline std::uint32_t Injector::room(unsigned vc) const {
  return router_ ? router_->state().room(local_id_ + vc) : lanes_[vc].credits;
}

bool Injector::any_room() const {
  for (VcMask rest = sending_; rest; rest &= rest - 1)
    if (room(static_cast<unsigned>(std::countr_zero(rest))) > 0) return true;
  return false;
}

bool Injector::lane_is_free(Cycle t, unsigned vc, std::uint32_t length) const {
  if (lanes_[vc].message != kNoMessage || t < lanes_[vc].rests_until || path(vc) != kNoMessage ||
      (gates_.heads >> vc & 1))
    return false;
  const std::uint32_t free = room(vc);
  if (atomic_ && (free < depth_ || (router_ && router_->state().route_fsm(local_id_ + vc) != RouteFsm::idle)))
    return false;
  return free >= (whole_messages_ ? length : 1u);
}

// Observers of messages are notified of originals only, once, when the first packet leaves.
void Injector::tell_injected(MessageIndex index, Cycle t) {
  if (recovery_) {
    const MessageIndex packet = index;
    index = context_.messages[packet].original;
    if (index == kNoMessage || context_.messages[index].injected != kNever) {
      for (PacketObserver* observer : context_.packet_observers)
        index == kNoMessage ? observer->control_sent(packet, context_.messages[packet], t)
                            : observer->message_resent(index, context_.messages[index], t);
      return;
    }
    context_.messages[index].injected = t;
  }
  for (MessageObserver* observer : context_.observers)
    observer->message_injected(index, context_.messages[index], t);
}

ClassSet Injector::classes_with_messages(Cycle t) {
  ClassSet set = 0;
  for (unsigned c = 0; c < classes_; ++c)
    if (sends(c) || due(t, c)) set = static_cast<ClassSet>(set | 1u << c);
  return set;
}

unsigned Injector::first_class(Cycle t, ClassSet set) {
  const ClassRules& rules = context_.hardware.classes;
  const auto next_of = [&](unsigned c) -> const Message& {
    const Message& next =
        context_.messages[!parallel_ && sends(c) ? lanes_[current_[c]].message : due(t, c)->front().message];
    return next.original == kNoMessage ? next
                                       : context_.messages[next.original];  // its age is the original's
  };
  // Control messages of a recovery protocol are in the first class, and go before all.
  if ((set & 1) && next_of(0).kind == MessageKind::control) return 0;
  if (rules.arbitration != Arbitration::oldest_first) return arbiter_.next(rules, set);
  const auto age = [&](unsigned c) { return std::pair(next_of(c).created, next_of(c).id); };
  unsigned oldest = kControlClass;
  for (unsigned c = 0; c < classes_; ++c)
    if ((set >> c & 1) && (oldest == kControlClass || age(c) < age(oldest))) oldest = c;
  return oldest;
}

bool Injector::start_any(Cycle t) {
  const ClassRules& rules = context_.hardware.classes;
  if (classes_ > 1 && rules.ordered()) {
    ClassSet due_now = 0;
    for (unsigned c = 0; c < classes_; ++c)
      if (due(t, c)) due_now = static_cast<ClassSet>(due_now | 1u << c);
    for (ClassSet rest = due_now; rest;) {
      const unsigned c = first_class(t, rest);
      if (start(t, c)) {
        arbiter_.grant(rules, c, static_cast<ClassSet>(1u << c));  // others may have no virtual channel
        return true;
      }
      rest = static_cast<ClassSet>(rest & ~(1u << c));
    }
    return false;
  }
  for (unsigned i = 0; i < classes_; ++i) {
    const unsigned message_class = (next_class_ + i) % classes_;
    if (!start(t, message_class)) continue;
    next_class_ = message_class + 1;
    return true;
  }
  return false;
}

// Control messages and retransmissions are not held back: others wait for them.
bool Injector::held_back(const RingQueue<Queued>& queue, unsigned vc) {
  constexpr auto kFresh = static_cast<std::size_t>(InjectionPriority::fresh);
  return injection_limit_ &&
         static_cast<std::size_t>(&queue - queues_.data()) % kInjectionPriorities == kFresh &&
         !injection_limit_->admits(context_.messages[queue.front().message], vc);
}

bool Injector::start(Cycle t, unsigned message_class) {
  RingQueue<Queued>* queue = due(t, message_class);
  if (!queue || context_.sources_stopped) return false;
  const MessageIndex index = queue->front().message;
  Message& message = context_.messages[index];
  const VcMask allowed = class_vcs_[message_class];
  const unsigned vcs = static_cast<unsigned>(lanes_.size());
  for (unsigned i = 0; i < vcs; ++i) {
    const unsigned vc = (pointer_ + i) % vcs;
    if (!(allowed >> vc & 1) || !lane_is_free(t, vc, message.length)) continue;
    if (held_back(*queue, vc)) return false;
    queue->pop();
    --waiting_;
    pointer_ = vc + 1 == vcs ? 0 : vc + 1;
    current_[message_class] = vc;
    Lane& lane = lanes_[vc];
    lane.message = index;
    lane.next = 0;
    lane.length = message.length;
    lane.first_pad = padded_ ? context_.messages.fields(index).flits : message.length;
    lane.cut_short = false;
    lane.message_class = static_cast<std::uint8_t>(message_class);
    lane.sent_at = t;
    sending_ |= VcMask{1} << vc;
    if (message.absorptions == 0) [[likely]] {
      message.injected = t;
      tell_injected(index, t);
    }
    return true;
  }
  return false;
}

void Injector::send_flit(Cycle t, unsigned vc) {
  Lane& lane = lanes_[vc];
  const bool first = lane.next == 0;
  const bool last = lane.next + 1 == lane.length;
  Flit flit;
  flit.number = static_cast<std::uint16_t>(lane.next);
  flit.message = lane.message;
  flit.kind = first                        ? (last ? FlitKind::head_tail : FlitKind::head)
              : last                       ? (lane.cut_short ? FlitKind::virtual_tail : FlitKind::tail)
              : lane.next < lane.first_pad ? FlitKind::data
                                           : FlitKind::pad;
  flit.vc = static_cast<std::uint8_t>(vc);
  if (first && !paths_.empty()) {
    paths_[vc] = lane.message;
    context_.messages.fields(lane.message).holds_path = true;
  }
  last_flit_ = flit;
  last_word_ = first ? context_.messages[lane.message].head_state : lane.next;
  last_flit_at_ = lane.sent_at = t;
  if (router_) {
    router_->accept(t, local_id_ + vc, flit);
  } else {
    --lane.credits;
    channel_->write(t + channel_->latency(), flit);
  }
  ++context_.flits_injected;
  ++lane.next;
  if (first && mechanism_) mechanism_->head_left(vc, lane.message);
  if (last) {
    if (mechanism_) mechanism_->tail_left(t, vc, lane.message, lane.length, lane.cut_short);
    if (recovery_) recovery_->sent(t, lane.message);
    if (departures_ && context_.messages[lane.message].absorptions == 0)
      departures_->message_left(context_.messages[lane.message]);
    end(lane);
  }
}

bool Injector::hold_tail(unsigned vc) {
  if (!(gates_.tails >> vc & 1)) return false;
  mechanism_->count_wait(vc);
  return true;
}

void Injector::router_failed(Cycle t) {
  down_ = true;
  const bool asks_for_parts = mechanism_ && mechanism_->asks_for_parts();
  for (unsigned vc = 0; vc < lanes_.size(); ++vc) {
    if (mechanism_) mechanism_->vc_failed(t, vc, recovery_);
    Lane& lane = lanes_[vc];
    if (lane.message == kNoMessage || lane.next == 0) continue;  // a message that has not started waits
    const MessageIndex packet = stop(lane);
    context_.broken.hit(packet, t);
    if (!recovery_) continue;
    if (padded_) {
      recovery_->torn_down(t, packet, vc, false);
      continue;
    }
    recovery_->sent(t, packet);
    if (context_.messages[packet].kind != MessageKind::control && !asks_for_parts)
      recovery_->message_cut(t, cut_message(context_.messages, packet, lane.next));
  }
  if (mechanism_) mechanism_->router_failed(t, recovery_);
  for (unsigned vc = 0; vc < paths_.size(); ++vc) {
    if (paths_[vc] == kNoMessage) continue;
    context_.broken.hit(paths_[vc], t);
    release_path(t, vc, false);
  }
}

void Injector::release_path(Cycle t, unsigned vc, bool acknowledged) {
  const MessageIndex packet = std::exchange(paths_[vc], kNoMessage);
  if (packet == kNoMessage) return;
  if (lanes_[vc].message == packet) stop(lanes_[vc]);
  context_.messages.fields(packet).holds_path = false;
  recovery_->path_released(t, packet, acknowledged);
}

MessageIndex Injector::stop(Lane& lane) {
  const MessageIndex packet = lane.message;
  end(lane);
  context_.broken.discard(packet, lane.length - lane.next);
  return packet;
}

void Injector::torn_down(Cycle t, unsigned vc, bool no_route) {
  Lane& lane = lanes_[vc];
  if (lane.message == kNoMessage || lane.next == 0 || t < lane.deaf_until) return;
  recovery_->torn_down(t, stop(lane), vc, no_route);
}

void Injector::tear_down(Cycle t, unsigned vc, ControlLine line) {
  Lane& lane = lanes_[vc];
  if (channel_) {
    channel_->raise(line, t, VcMask{1} << vc);
    lane.deaf_until = t + channel_->latency() + channel_->credit_latency();
  } else {
    router_->injection_torn_down(t, local_id_ + vc);
  }
  stop(lane);
}

void Injector::cut_short(MessageIndex message) {
  for (Lane& lane : lanes_) {
    if (lane.message != message || lane.next == 0 || lane.next + 1 >= lane.length) continue;
    context_.broken.discard(message, lane.length - lane.next - 1);
    lane.length = lane.next + 1;
    lane.cut_short = true;
  }
}

void Injector::router_repaired() {
  down_ = false;
  for (Lane& lane : lanes_) lane.credits = depth_;
}

void Injector::drop_unreachable(Cycle t) {
  for (unsigned c = 0; c < classes_; ++c)
    for (auto* queue = due(t, c); queue; queue = due(t, c)) {
      const MessageIndex index = queue->front().message;
      const Message& message = context_.messages[index];
      if (!context_.node_dead(message.destination)) break;
      queue->pop();
      --waiting_;
      context_.broken.discard(index, message.length);
    }
}

void Injector::evaluate(Cycle t) {
  if (down_ | context_.any_dead_node) [[unlikely]] {
    if (down_) return;
    drop_unreachable(t);
  }
  if (parallel_) {
    send_in_parallel(t);
    return;
  }
  if (classes_ > 1) {
    context_.hardware.classes.ordered() ? send_by_rules(t) : send_by_class(t);
    return;
  }
  if (sending_ == 0 && (waiting_ == 0 || !start(t, 0))) return;
  if (const unsigned vc = current_[0]; may_send(vc)) send_flit(t, vc);
}

[[gnu::noinline]] void Injector::send_in_parallel(Cycle t) {
  while (waiting_ > 0 && start_any(t)) {
  }
  for (VcMask rest = sending_; rest; rest &= rest - 1)
    if (const auto vc = static_cast<unsigned>(std::countr_zero(rest)); may_send(vc)) send_flit(t, vc);
}

[[gnu::noinline]] void Injector::send_by_class(Cycle t) {
  for (unsigned i = 0; i < classes_; ++i) {
    const unsigned c = (next_class_ + i) % classes_;
    if (!sends(c) && (waiting_ == 0 || !start(t, c))) continue;
    if (!may_send(current_[c])) continue;
    send_flit(t, current_[c]);
    next_class_ = c + 1;
    return;
  }
}

[[gnu::noinline]] void Injector::send_by_rules(Cycle t) {
  const ClassRules& rules = context_.hardware.classes;
  ClassSet ready = 0;
  for (ClassSet rest = classes_with_messages(t); rest;) {  // in their order: they may share virtual channels
    const unsigned c = first_class(t, rest);
    rest = static_cast<ClassSet>(rest & ~(1u << c));
    if ((sends(c) || start(t, c)) && may_send(current_[c])) ready = static_cast<ClassSet>(ready | 1u << c);
  }
  arbiter_.only(rules, ready);
  if (ready == 0) return;
  const unsigned c = first_class(t, ready);
  const bool control = context_.messages[lanes_[current_[c]].message].kind == MessageKind::control;
  if (!control) arbiter_.grant(rules, c, ready);
  send_flit(t, current_[c]);
}

}  // namespace flitmend
