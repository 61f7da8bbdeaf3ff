// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm.h>
#include <tlm_utils/passthrough_target_socket.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <systemc>
#include <utility>

#include "rtl_tlm/fabric/fabric.h"
#include "rtl_tlm/sockets/payload_pool.h"

namespace flitmend {

/// Receives the messages of a MessagePlayer at all nodes, one TLM-2.0 target per node, and says what has
/// arrived.
class MessageReceiver : public sc_core::sc_module {
 public:
  using Socket = tlm_utils::passthrough_target_socket_tagged<MessageReceiver>;
  /// With the handle of the message, and its Packet::content if it has enough bytes for that.
  using Receive = std::function<void(std::uint32_t handle, std::optional<std::uint64_t> content)>;

  sc_core::sc_vector<Socket> sockets;  ///< one per node

  /// Binds the sockets to the network's.
  MessageReceiver(sc_core::sc_module_name name, Fabric& fabric, Receive receive)
      : sc_module(name), sockets("sockets", fabric.node_count()), receive_(std::move(receive)) {
    for (unsigned node = 0; node < sockets.size(); ++node) {
      sockets[node].register_nb_transport_fw(this, &MessageReceiver::nb_transport_fw, static_cast<int>(node));
      fabric.sockets(node).initiator_socket.bind(sockets[node]);
    }
  }
  const char* kind() const override { return "flitmend_message_receiver"; }

 private:
  tlm::tlm_sync_enum nb_transport_fw(int, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
    std::uint64_t content = 0;
    const bool has_content = payload.is_write() && payload.get_data_length() >= sizeof content;
    if (has_content) std::memcpy(&content, payload.get_data_ptr(), sizeof content);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    receive_(payload.get_extension<MessageExtension>()->tag,
             has_content ? std::optional(content) : std::nullopt);
    return tlm::TLM_COMPLETED;
  }

  Receive receive_;
};

}  // namespace flitmend
