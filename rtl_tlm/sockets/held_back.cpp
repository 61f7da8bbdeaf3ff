// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/sockets/held_back.h"

namespace flitmend {

std::vector<Message> held_back(const SocketContext& context) {
  std::vector<Message> messages;
  for (const NetworkTransaction* const t : context.transactions.in_use_now()) {
    if (t->sent || t->refused || t->created == kNever) continue;
    const std::size_t bytes = t->bytes.size();
    const std::size_t step = context.packetizer.bytes_per_message();
    for (std::size_t i = 0; i < context.packetizer.messages(bytes); ++i) {
      Message& message = messages.emplace_back();
      message.created = t->created;
      message.source = t->source;
      message.destination = t->destination;
      message.length = bytes > 0 ? context.packetizer.flits(bytes, i * step) : t->length;
    }
  }
  return messages;
}

}  // namespace flitmend
