// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/sockets/socket_context.h"

#include <cstdlib>

#include "rtl_tlm/sockets/network_sockets.h"

namespace flitmend {

SocketContext::SocketContext(const TransactionParameters& p, NetworkContext& n, const NetworkClock& c)
    : parameters(p),
      network(n),
      clock(c),
      addresses(p.node_address_bytes, n.topology.node_count(), p.address_map),
      packetizer(n.hardware) {}

SocketContext::~SocketContext() = default;

void protocol_error(const char* where, const std::string& what) {
  SC_REPORT_FATAL("flitmend/tlm", (std::string(where) + ": " + what).c_str());
  std::abort();  // if the user's report handler ignores a fatal error
}

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
