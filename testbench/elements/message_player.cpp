// SPDX-License-Identifier: Apache-2.0
#include "testbench/elements/message_player.h"

#include <algorithm>
#include <cstring>

namespace flitmend {

MessagePlayer::MessagePlayer(sc_core::sc_module_name name, Fabric& fabric, PayloadPool& payloads,
                             MessageSchedule& schedule, std::uint64_t node_address_bytes)
    : sc_module(name),
      sockets("sockets", fabric.node_count()),
      fabric_(fabric),
      payloads_(payloads),
      schedule_(schedule),
      address_bytes_(node_address_bytes),
      waiting_(fabric.node_count()),
      blocked_(fabric.node_count()),
      flow_sent_(fabric.node_count()),
      bytes_sent_(fabric.node_count()) {
  for (unsigned node = 0; node < sockets.size(); ++node) {
    sockets[node].bind(fabric.sockets(node).target_socket);
    sockets[node].register_nb_transport_bw(this, &MessagePlayer::nb_transport_bw, static_cast<int>(node));
  }
  SC_METHOD(play);
  sensitive << wake_;
}

void MessagePlayer::play() {
  const Cycle now = fabric_.next_cycle();
  while (auto message = schedule_.pop(now)) {
    message->ready = now;
    if (blocked_[message->source])
      waiting_[message->source].push(*message);
    else
      send(*message);
  }
  if (const Cycle next = schedule_.next_cycle(); next != kNever)
    wake_.notify(fabric_.edge_time(std::max(next, now + 1)) - sc_core::sc_time_stamp());
  else if (schedule_.finished())
    fabric_.pause_at(0);
}

void MessagePlayer::send(const MessageSchedule::Packet& message) {
  // The message's own address selects the place within the node's range.
  const std::uint64_t range = address_bytes_ > message.bytes ? address_bytes_ - message.bytes + 1 : 0;
  const std::uint64_t base = message.destination * address_bytes_;
  tlm::tlm_generic_payload* payload = nullptr;
  if (range == 0 || message.bytes == 0) {
    payload = payloads_.acquire_message(base, message.length);
  } else {
    payload = payloads_.acquire(tlm::TLM_WRITE_COMMAND, base + message.address % range, message.bytes);
    for (std::uint32_t at = 0; at < message.bytes; at += sizeof message.content)
      std::memcpy(payload->get_data_ptr() + at, &message.content,
                  std::min<std::size_t>(sizeof message.content, message.bytes - at));
  }
  flow_sent_[message.source] = message.flow;
  bytes_sent_[message.source] = message.bytes;
  MessageExtension& extension = *payload->get_extension<MessageExtension>();
  extension.tag = message.handle;
  extension.created = message.ready;
  if (!classes_.empty()) extension.message_class = classes_[message.flow];
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  switch (sockets[message.source]->nb_transport_fw(*payload, phase, delay)) {
    case tlm::TLM_COMPLETED:
      answer(*payload);
      break;
    case tlm::TLM_ACCEPTED:
      blocked_[message.source] = true;
      break;
    case tlm::TLM_UPDATED:
      break;
  }
}

void MessagePlayer::answer(tlm::tlm_generic_payload& payload) {
  const std::uint32_t handle = payload.get_extension<MessageExtension>()->tag;
  const Cycle next = fabric_.next_cycle();
  const Cycle delivered = next > 0 ? next - 1 : 0;
  if (payload.is_response_ok())
    schedule_.delivered(handle, delivered);
  else
    schedule_.undeliverable(handle, delivered);
  payload.release();
  if (schedule_.finished()) fabric_.pause_at(0);
  wake();
}

void MessagePlayer::wake() {
  // The earlier one takes precedence.
  wake_.notify(fabric_.edge_time(fabric_.next_cycle()) - sc_core::sc_time_stamp());
}

void MessagePlayer::tell_held_back(MessageObserver& observer) {
  for (const auto& messages : waiting_)
    for (std::size_t i = 0; i < messages.size(); ++i) {
      flow_sent_[messages[i].source] = messages[i].flow;
      Message message;
      message.created = messages[i].ready;
      message.source = messages[i].source;
      message.destination = messages[i].destination;
      message.length = messages[i].length;
      observer.message_held_back(message);
    }
}

tlm::tlm_sync_enum MessagePlayer::nb_transport_bw(int node, tlm::tlm_generic_payload& payload,
                                                  tlm::tlm_phase& phase, sc_core::sc_time&) {
  if (phase == tlm::BEGIN_RESP) {
    answer(payload);
    return tlm::TLM_COMPLETED;
  }
  auto& waiting = waiting_[static_cast<unsigned>(node)];
  blocked_[static_cast<unsigned>(node)] = false;
  while (!waiting.empty() && !blocked_[static_cast<unsigned>(node)]) {
    const MessageSchedule::Packet message = waiting.front();
    waiting.pop();
    send(message);
  }
  return tlm::TLM_ACCEPTED;
}

}  // namespace flitmend
