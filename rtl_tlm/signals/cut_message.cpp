// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/signals/cut_message.h"

namespace flitmend {

CutMessage cut_message(const MessagePool& messages, MessageIndex index, std::uint32_t count) {
  const Message& packet = messages[index];
  return {.source = packet.source,
          .destination = packet.destination,
          .id = packet.id,
          .length = packet.length,
          .first = packet.sub_message > 0 ? messages.fields(index).first : 0,
          .count = count,
          .sub_message = packet.sub_message};
}

SentPacket sent_packet(const MessagePool& messages, MessageIndex packet, std::uint32_t count) {
  return {cut_message(messages, packet, count), messages[packet].kind == MessageKind::control};
}

}  // namespace flitmend
