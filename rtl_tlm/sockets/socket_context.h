// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "rtl_tlm/context.h"
#include "rtl_tlm/signals/message.h"
#include "rtl_tlm/sockets/address_map.h"
#include "rtl_tlm/sockets/packetizer.h"
#include "rtl_tlm/sockets/payload_pool.h"
#include "rtl_tlm/sockets/settings.h"
#include "rtl_tlm/sockets/transaction.h"

namespace flitmend {

class NetworkSockets;

/// The cycles of a network, for what is called between and within its clock edges.
class NetworkClock {
 public:
  /// The next clock edge, at which a message sent now is created. During a cycle's evaluation, and in the
  /// delta cycle of the edge itself, it is the edge after this one, so no result depends on the order of
  /// processes.
  virtual Cycle next_cycle() const = 0;
  /// Rising edges seen.
  virtual Cycle cycles() const = 0;

 protected:
  ~NetworkClock() = default;
};

/// Shared by the sockets of a fabric.
struct SocketContext {
  SocketContext(const TransactionParameters&, NetworkContext&, const NetworkClock&);
  ~SocketContext();
  NodeId node_count() const { return network.topology.node_count(); }
  NetworkSockets& at(NodeId node) { return *sockets[node]; }

  const TransactionParameters parameters;
  NetworkContext& network;
  const NetworkClock& clock;
  const AddressMap addresses;
  const Packetizer packetizer;
  PayloadPool payloads{};
  TransactionPool transactions{};
  std::vector<std::unique_ptr<NetworkSockets>> sockets{};  ///< by node
};

/// An element does what the base protocol forbids: SC_REPORT_FATAL "flitmend/tlm".
[[noreturn]] void protocol_error(const char* where, const std::string& what);

/// The messages of requests that initiators have created and that have not entered a source queue, for want
/// of room or because others must be answered before them. Only created, source, destination and length are
/// set.
std::vector<Message> held_back(const SocketContext&);

}  // namespace flitmend
