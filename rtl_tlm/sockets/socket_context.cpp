// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/sockets/socket_context.h"

#include <cstdlib>

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

}  // namespace flitmend
