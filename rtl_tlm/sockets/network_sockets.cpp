// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/sockets/network_sockets.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "base/text.h"
#include "rtl_tlm/sockets/payload_pool.h"

namespace flitmend {
namespace {

TransactionPart& part_of(const Message& message) {
  return *static_cast<TransactionPart*>(message.transaction);
}

/// The class of the messages of a request.
[[gnu::noinline]] std::uint8_t class_of_request(const NetworkTransaction& t) {
  const auto* const extension = t.payload->get_extension<MessageExtension>();
  return extension ? extension->message_class : std::uint8_t{0};
}

}  // namespace

NetworkSockets::NetworkSockets(sc_core::sc_module_name name, SocketContext& context,
                               NetworkInterface& interface)
    : sc_module(name),
      target_socket(*this, initiator_side_, "target_socket"),
      initiator_socket(*this, target_side_, 0, "initiator_socket"),
      context_(context),
      interface_(interface),
      node_(interface.node()),
      initiator_side_(*this, context),
      target_side_(*this, context, context.node_count(), context.addresses.target_count(node_)) {
  interface_.set_sink(this);
}

void NetworkSockets::end_of_elaboration() {
  target_socket.connect();
  for (const auto& binding : more_initiators_) binding->connect();
  connect_targets();
  if (context_.parameters.target_queue > 0 && interface_.can_stall()) {
    target_side_.limit_places();
    interface_.ask_sink();
  }
}

void NetworkSockets::connect_targets() {
  if (targets_connected_) return;
  targets_connected_ = true;
  initiator_socket.connect();
  for (const auto& binding : more_targets_) binding->connect();
}

void NetworkSockets::require_target(unsigned target) const {
  if (const unsigned count = context_.addresses.target_count(node_); target >= count)
    throw std::out_of_range(
        formatted("%1%: there is no target %2% at this node; it has %3%", name(), target, count));
}

void NetworkSockets::send_messages(NetworkTransaction& t, NodeId destination, MessageKind kind,
                                   std::uint32_t length, Cycle created, Cycle from) {
  const std::size_t bytes = t.bytes.size();
  const Packetizer& packetizer = context_.packetizer;
  t.message_class = context_.network.hardware.classes.list.empty() || is_reply(kind) ? std::uint8_t{0}
                                                                                     : class_of_request(t);
  if (bytes > 0)
    t.received.assign(bytes, 0);
  else
    t.received.clear();
  t.parts.resize(packetizer.messages(bytes));
  t.parts_left = t.parts_unsent = t.parts.size();
  std::size_t first = 0;
  for (TransactionPart& part : t.parts) {
    part = {&t, first};
    const std::uint32_t flits = bytes > 0 ? packetizer.flits(bytes, first) : length;
    const MessageIndex index =
        interface_.send(destination, flits, kind, &part, created, from, t.message_class);
    if (bytes > 0) context_.network.messages[index].carries_bytes = true;
    first += packetizer.bytes_per_message();
  }
}

bool NetworkSockets::admits(Message& message) {
  if (!message.transaction || is_reply(message.kind)) return true;
  NetworkTransaction& t = *part_of(message).transaction;
  return target_side_.queue(t.target).admit(t);
}

void NetworkSockets::data_arrived(Message& message, std::uint32_t first, std::uint32_t count) {
  const TransactionPart& part = part_of(message);
  NetworkTransaction& t = *part.transaction;
  const std::size_t flit_bytes = context_.network.hardware.link.flit_bytes;
  const std::size_t from = part.first + first * flit_bytes;
  if (from >= t.bytes.size()) return;
  std::memcpy(&t.received[from], &t.bytes[from], std::min(count * flit_bytes, t.bytes.size() - from));
}

void NetworkSockets::message_left(Message& message) {
  if (!message.transaction || !is_reply(message.kind)) return;
  NetworkTransaction& t = *part_of(message).transaction;
  if (--t.parts_unsent > 0 || !t.placed) return;
  target_side_.queue(t.target).leave(t);
  interface_.wake_sink();
}

void NetworkSockets::message_arrived(MessageIndex index, Message& message, Cycle cycle) {
  if (!message.transaction) return;  // sent without a socket
  NetworkTransaction& t = *part_of(message).transaction;
  if (--t.parts_left > 0) return;
  if (t.lost) {
    give_up(t);
    return;
  }
  if (t.replying) {
    initiator_side_.finish(t);
    return;
  }
  check_bytes(t, index, message, cycle);
  target_side_.arrived(t);
}

void NetworkSockets::check_bytes(const NetworkTransaction& t, MessageIndex index, const Message& message,
                                 Cycle cycle) {
  if (t.received.empty() || std::memcmp(t.payload->get_data_ptr(), t.received.data(), t.received.size()) == 0)
    return;
  corrupted_ += t.bytes.size();
  for (MessageObserver* observer : context_.network.observers)
    observer->message_corrupted(index, message, cycle);
}

void NetworkSockets::message_failed(MessageIndex, Message& message, Cycle) {
  if (!message.transaction) return;
  NetworkTransaction& t = *part_of(message).transaction;
  t.lost = true;
  if (--t.parts_left == 0) give_up(t);
}

void NetworkSockets::give_up(NetworkTransaction& t) {
  TargetSide& target = context_.at(t.destination).target_side_;
  t.status = tlm::TLM_GENERIC_ERROR_RESPONSE;
  if (!t.replying)
    target.lost(t);
  else if (t.placed)
    target.queue(t.target).leave(t);
  context_.at(t.source).initiator_side_.finish(t);
}

bool NetworkSockets::work(Cycle t) {
  const bool initiator = initiator_side_.evaluate();
  return target_side_.evaluate(t) || initiator;
}

unsigned NetworkSockets::transport_dbg(tlm::tlm_generic_payload& payload) {
  const auto place = context_.addresses.find(payload.get_address());
  if (!place) return 0;
  NetworkSockets& there = context_.at(place->node);
  there.connect_targets();
  TargetSide& side = there.target_side_;
  tlm::tlm_fw_transport_if<>* const target = side.target(place->target);
  if (!target) return 0;
  const sc_dt::uint64 address = payload.get_address();
  const unsigned length = payload.get_data_length();
  payload.set_address(place->local);
  // Nothing is beyond the node's range.
  payload.set_data_length(static_cast<unsigned>(std::min<sc_dt::uint64>(length, place->left)));
  const unsigned bytes = target->transport_dbg(payload);
  side.debug_posted(place->target, place->local, payload, std::min(bytes, payload.get_data_length()));
  payload.set_address(address);
  payload.set_data_length(length);
  return bytes;
}

bool NetworkSockets::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  dmi.init();
  const auto place = context_.addresses.find(payload.get_address());
  if (!context_.parameters.dmi || !place) {
    dmi.allow_read_write();  // denied: of no kind, anywhere
    dmi.set_end_address(~sc_dt::uint64{0});
    return false;
  }
  NetworkSockets& there = context_.at(place->node);
  there.connect_targets();
  tlm::tlm_fw_transport_if<>* const target = there.target_side_.target(place->target);
  const sc_dt::uint64 base = payload.get_address() - place->local;
  const sc_dt::uint64 first = place->local - place->before, last = place->local + place->left - 1;
  bool granted = false;
  if (target) {
    const sc_dt::uint64 address = payload.get_address();
    payload.set_address(place->local);
    granted = target->get_direct_mem_ptr(payload, dmi);
    payload.set_address(address);
  } else {
    dmi.allow_read_write();
    dmi.set_end_address(last);
  }
  if (dmi.get_start_address() < first) {
    if (granted) dmi.set_dmi_ptr(dmi.get_dmi_ptr() + (first - dmi.get_start_address()));
    dmi.set_start_address(first);
  }
  dmi.set_start_address(base + std::min<sc_dt::uint64>(dmi.get_start_address(), last));
  dmi.set_end_address(base + std::min<sc_dt::uint64>(dmi.get_end_address(), last));
  return granted;
}

void NetworkSockets::invalidate_direct_mem_ptr(unsigned target, sc_dt::uint64 first, sc_dt::uint64 last) {
  if (!context_.parameters.dmi) return;
  context_.addresses.for_each_region(
      {node_, target}, first, last, [this](std::uint64_t from, std::uint64_t to) {
        for (NodeId node = 0; node < context_.node_count(); ++node)
          context_.at(node).initiator_side_.invalidate_direct_mem_ptr(from, to);
      });
}

}  // namespace flitmend
