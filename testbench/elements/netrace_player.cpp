// SPDX-License-Identifier: Apache-2.0
#include "testbench/elements/netrace_player.h"

#include <algorithm>
#include <cstring>

namespace flitmend {

NetracePlayer::NetracePlayer(sc_core::sc_module_name name, Fabric& fabric, PayloadPool& payloads,
                             NetraceReplay& replay, std::uint64_t node_address_bytes)
    : sc_module(name),
      sockets("sockets", fabric.node_count()),
      fabric_(fabric),
      payloads_(payloads),
      replay_(replay),
      address_bytes_(node_address_bytes),
      waiting_(fabric.node_count()),
      blocked_(fabric.node_count()) {
  for (unsigned node = 0; node < sockets.size(); ++node)
    sockets[node].register_nb_transport_bw(this, &NetracePlayer::nb_transport_bw, static_cast<int>(node));
  SC_METHOD(play);
  sensitive << wake_;
}

void NetracePlayer::play() {
  const Cycle now = fabric_.next_cycle();
  while (auto packet = replay_.pop(now)) {
    packet->ready = now;
    if (blocked_[packet->source])
      waiting_[packet->source].push(*packet);
    else
      send(*packet);
  }
  if (const Cycle next = replay_.next_cycle(); next != kNever)
    wake_.notify(fabric_.edge_time(std::max(next, now + 1)) - sc_core::sc_time_stamp());
}

void NetracePlayer::send(const NetraceReplay::Packet& packet) {
  // The trace's own address selects the place within the node's range.
  const std::uint64_t range = address_bytes_ > packet.bytes ? address_bytes_ - packet.bytes + 1 : 0;
  const std::uint64_t base = packet.destination * address_bytes_;
  tlm::tlm_generic_payload* payload = nullptr;
  if (range == 0) {
    payload = payloads_.acquire_message(base, packet.length);
  } else {
    payload = payloads_.acquire(tlm::TLM_WRITE_COMMAND, base + packet.address % range, packet.bytes);
    for (std::uint32_t at = 0; at < packet.bytes; at += sizeof packet.id)
      std::memcpy(payload->get_data_ptr() + at, &packet.id,
                  std::min<std::size_t>(sizeof packet.id, packet.bytes - at));
  }
  MessageExtension& extension = *payload->get_extension<MessageExtension>();
  extension.tag = packet.handle;
  extension.created = packet.ready;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  switch (sockets[packet.source]->nb_transport_fw(*payload, phase, delay)) {
    case tlm::TLM_COMPLETED:
      answer(*payload);
      break;
    case tlm::TLM_ACCEPTED:
      blocked_[packet.source] = true;
      break;
    case tlm::TLM_UPDATED:
      break;
  }
}

void NetracePlayer::answer(tlm::tlm_generic_payload& payload) {
  const std::uint32_t handle = payload.get_extension<MessageExtension>()->tag;
  const Cycle next = fabric_.next_cycle();
  const Cycle delivered = next > 0 ? next - 1 : 0;
  if (payload.is_response_ok())
    replay_.delivered(handle, delivered);
  else
    replay_.undeliverable(handle, delivered);
  payload.release();
  if (replay_.finished()) fabric_.pause_at(0);
  wake_.notify(fabric_.edge_time(next) - sc_core::sc_time_stamp());  // the earlier one takes precedence
}

void NetracePlayer::tell_held_back(MessageObserver& observer) const {
  for (const auto& packets : waiting_)
    for (std::size_t i = 0; i < packets.size(); ++i) {
      Message message;
      message.created = packets[i].ready;
      message.source = packets[i].source;
      message.destination = packets[i].destination;
      message.length = packets[i].length;
      observer.message_held_back(message);
    }
}

tlm::tlm_sync_enum NetracePlayer::nb_transport_bw(int node, tlm::tlm_generic_payload& payload,
                                                  tlm::tlm_phase& phase, sc_core::sc_time&) {
  if (phase == tlm::BEGIN_RESP) {
    answer(payload);
    return tlm::TLM_COMPLETED;
  }
  auto& waiting = waiting_[static_cast<unsigned>(node)];
  blocked_[static_cast<unsigned>(node)] = false;
  while (!waiting.empty() && !blocked_[static_cast<unsigned>(node)]) {
    const NetraceReplay::Packet packet = waiting.front();
    waiting.pop();
    send(packet);
  }
  return tlm::TLM_ACCEPTED;
}

}  // namespace flitmend
