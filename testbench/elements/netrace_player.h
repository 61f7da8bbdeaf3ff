// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "rtl_tlm/fabric/fabric.h"
#include "rtl_tlm/sockets/payload_pool.h"
#include "traces/netrace/replay.h"

namespace flitmend {

/// Replays a Netrace file with its dependencies: one TLM-2.0 initiator per node, one schedule for all. A
/// packet that waited for a delivery in cycle t is created in cycle t + 1, the first edge after it. The cycle
/// in which the last packet is delivered or abandoned pauses the simulation.
class NetracePlayer : public sc_core::sc_module {
 public:
  using Socket = tlm_utils::simple_initiator_socket_tagged<NetracePlayer>;
  sc_core::sc_vector<Socket> sockets;  ///< one per node

  SC_HAS_PROCESS(NetracePlayer);
  NetracePlayer(sc_core::sc_module_name, Fabric&, PayloadPool&, NetraceReplay&,
                std::uint64_t node_address_bytes);

  bool finished() const { return replay_.finished(); }
  /// At the end of a run: reports the packets that were ready but not handed over because the source queue
  /// was full.
  void tell_held_back(MessageObserver&) const;

 private:
  void play();
  void send(const NetraceReplay::Packet&);
  void answer(tlm::tlm_generic_payload&);
  tlm::tlm_sync_enum nb_transport_bw(int node, tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&);

  Fabric& fabric_;
  PayloadPool& payloads_;
  NetraceReplay& replay_;
  std::uint64_t address_bytes_;
  /// By node: for room in the source queue. `ready` is the cycle of their creation.
  std::vector<RingQueue<NetraceReplay::Packet>> waiting_;
  std::vector<bool> blocked_;
  sc_core::sc_event wake_;
};

}  // namespace flitmend
