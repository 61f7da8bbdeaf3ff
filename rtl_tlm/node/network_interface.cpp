// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/node/network_interface.h"

#include <string>

#include "rtl_tlm/router/router.h"

namespace flitmend {

NetworkInterface::NetworkInterface(sc_core::sc_module_name name, NetworkContext& context, NodeId node)
    : sc_module(name),
      injector("injector", context),
      receiver("receiver", context, node, *this),
      context_(context),
      node_(node),
      arrivals_(std::size_t{4} * context.hardware.ring),
      padded_(context.hardware.padding),
      routing_random_(context.seed, RandomPurpose::routing,
                      static_cast<std::uint32_t>(context.topology.router_count() + node)) {}

[[gnu::always_inline]] inline MessageIndex NetworkInterface::allocate(NodeId destination,
                                                                      std::uint32_t length, MessageKind kind,
                                                                      Cycle created) {
  const MessageIndex index = context_.messages.allocate();
  Message& message = context_.messages[index];
  message.created = created;
  message.source = node_;
  message.destination = destination;
  message.length = length;
  message.kind = kind;
  message.message_class = is_reply(kind) && context_.routing.message_classes() > 1;
  message.head_state = context_.routing.initial_state(node_, destination, routing_random_);
  return index;
}

MessageIndex NetworkInterface::send(NodeId destination, std::uint32_t length, MessageKind kind,
                                    void* transaction) {
  return send(destination, length, kind, transaction, context_.next_cycle, context_.next_cycle);
}

MessageIndex NetworkInterface::send(NodeId destination, std::uint32_t length, MessageKind kind,
                                    void* transaction, Cycle created, Cycle from,
                                    std::uint8_t message_class) {
  const MessageIndex index = allocate(destination, length, kind, created);
  Message& message = context_.messages[index];
  if (message_class != 0 && message_class < context_.hardware.classes.count())
    message.message_class = message_class;
  message.id = next_id_++;
  message.transaction = transaction;
  if (recovery_) {
    message.injected = kNever;
    context_.messages.begin_fields(index);
  }
  ++context_.messages_in_network;
  for (MessageObserver* observer : context_.observers) observer->message_created(index, message);
  if (context_.node_dead(node_)) [[unlikely]]
    context_.broken.discard(index, length);
  else if (recovery_)
    recovery_->send(index);
  else
    injector.push(index, InjectionPriority::fresh, from);
  *wake_.active |= wake_.bit;
  return index;
}

void NetworkInterface::bind(Router& router, Channel* injection, Channel* ejection) {
  if (!wake_.active)
    SC_REPORT_FATAL("flitmend/network_interface",
                    (std::string(name()) +
                     ": it is not evaluated; use the interfaces of a Fabric, or call set_wake first")
                        .c_str());
  router.attach(*this);
  router_ = &router;
  injection_ = injection;
  ejection_ = ejection;
  for (const MechanismHooks* mechanism : router.state().layout().mechanisms)
    if (mechanism->for_injector)
      injector.set_mechanism(mechanism->for_injector(router.state(), injector.gates()));
  MaskRings rings;
  if (const InjectorMechanism* const mechanism = injector.mechanism()) {
    takes_line_ = true;
    told_of_room_ = mechanism->needs_room_signal();
    if (mechanism->answers_tails()) tail_answer_ = mechanism->line();
    rings[mechanism->line()] = arriving(Arriving::line);
  }
  if (injection) {
    injector.bind(*injection);
    injection->set_writer(target(Arriving::credits, wake_.credits), control(wake_.credits), rings);
  } else {
    injector.bind(router);
    if (takes_line_) router.set_injector_target(target(Arriving::line, wake_.credits), rings);
    if (told_of_room_) router.set_room_target(target(Arriving::credits, wake_.credits));
  }
  if (context_.hardware.network_interface.limits_injection()) injector.limit_injection(router);
  if (ejection) ejection->set_reader(target(Arriving::flits, wake_.flits), control(wake_.flits));
}

void NetworkInterface::give_up(MessageIndex index, Cycle t, GivenUp heard) {
  Message& message = context_.messages[index];
  for (MessageObserver* observer : context_.observers) (observer->*heard)(index, message, t);
  --context_.messages_in_network;
  message_failed(index, message, t);
  context_.messages.release(index);
}

void NetworkInterface::settle(MessageIndex index, Cycle t, bool unreachable) {
  const bool undeliverable = unreachable || context_.node_dead(context_.messages[index].destination);
  give_up(index, t,
          context_.node_dead(node_) ? &MessageObserver::message_void
          : undeliverable           ? &MessageObserver::message_undeliverable
                                    : &MessageObserver::message_lost);
}

MessageIndex NetworkInterface::compose(NodeId destination, std::uint32_t length, MessageKind kind,
                                       Cycle created) {
  const MessageIndex index = allocate(destination, length, kind, created);
  context_.messages.begin_fields(index);
  return index;
}

void NetworkInterface::attach(InterfaceRecovery& recovery) {
  recovery_ = &recovery;
  injector.set_recovery(&recovery);
  receiver.set_recovery(&recovery);
}

void NetworkInterface::deliver(MessageIndex original, Cycle t) {
  Message& message = context_.messages[original];
  for (MessageObserver* observer : context_.observers)
    observer->message_delivered(original, message, node_, t);
  --context_.messages_in_network;
  message_arrived(original, message, t);
}

void NetworkInterface::message_absorbed(MessageIndex index, Message& message, Cycle t) {
  ++context_.absorptions;
  if (++message.absorptions == kMostAbsorptions) {
    context_.broken.give_up(index);
    return;
  }
  message.received = 0;
  absorbed_.push({index, t + context_.hardware.network_interface.reinjection_cycles});
  keep_pending(kAbsorbed);
}

void NetworkInterface::inject_absorbed(Cycle t) {
  for (; !absorbed_.empty() && absorbed_.front().due <= t; absorbed_.pop())
    injector.push(absorbed_.front().message, InjectionPriority::fresh, t);
  if (absorbed_.empty()) end_pending(kAbsorbed);
}

void NetworkInterface::acknowledge(Cycle t, MessageIndex packet) {
  router_->acknowledge(t, context_.messages.fields(packet).exit, packet);
}

void NetworkInterface::look_up_again() {
  injector.for_each_waiting([&](MessageIndex index) {
    Message& message = context_.messages[index];
    message.head_state = context_.routing.initial_state(node_, message.destination, routing_random_);
  });
  stay_awake();
}

void NetworkInterface::node_died(Cycle t) {
  // Its own messages never leave. Those of others, which it has absorbed, are lost with it.
  const auto remove = [&](MessageIndex index) {
    const Message& message = context_.messages[index];
    if (message.source == node_)
      context_.broken.discard(index, message.length);
    else
      context_.broken.lose(index, t, message.length);
  };
  injector.take_waiting(remove);
  for (; !absorbed_.empty(); absorbed_.pop()) remove(absorbed_.front().message);
  if (recovery_) recovery_->node_died(t);
}

void NetworkInterface::clear() {
  injector.clear();
  receiver.clear();
  absorbed_.clear();
  end_pending(kFlitsKept);
  end_pending(kAbsorbed);
  if (recovery_) recovery_->clear();
  std::fill(arrivals_.begin(), arrivals_.end(), Word{0});
}

}  // namespace flitmend
