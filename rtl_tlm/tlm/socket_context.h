// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "rtl_tlm/tlm/address_map.h"
#include "rtl_tlm/tlm/packetizer.h"
#include "rtl_tlm/tlm/payload_pool.h"
#include "rtl_tlm/tlm/transaction_parameters.h"
#include "rtl_tlm/tlm/transaction_pool.h"

namespace flitmend {

/// Shared by the sockets of a fabric.
struct SocketContext {
  SocketContext(const TransactionParameters& p, const HardwareParameters& hardware, NodeId nodes)
      : parameters(p), addresses(p.node_address_bytes, nodes, p.address_map), packetizer(hardware) {}

  const TransactionParameters parameters;
  const AddressMap addresses;
  const Packetizer packetizer;
  PayloadPool payloads{};
  TransactionPool transactions{};
};

/// An element does what the base protocol forbids: SC_REPORT_FATAL "flitmend/tlm".
[[noreturn]] void protocol_error(const char* where, const std::string& what);

}  // namespace flitmend
