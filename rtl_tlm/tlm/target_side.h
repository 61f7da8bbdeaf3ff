// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm>
#include <vector>

#include "rtl_tlm/message.h"
#include "rtl_tlm/tlm/exclusion.h"
#include "rtl_tlm/tlm/request_queue.h"
#include "rtl_tlm/tlm/socket_context.h"

namespace flitmend {

class NetworkSockets;

/// The side of a node's sockets towards its target: hands it the requests that have arrived, one BEGIN_REQ at
/// a time, and sends its answers back.
class TargetSide {
 public:
  TargetSide(NetworkSockets&, SocketContext&, NodeId nodes);

  /// Without a target, writes end here, and reads fail.
  void connect(tlm::tlm_fw_transport_if<>& target) { target_ = &target; }
  tlm::tlm_fw_transport_if<>* target() { return target_; }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&);

  RequestQueue& queue() { return queue_; }
  const RequestQueue& queue() const { return queue_; }
  /// All of a request has arrived.
  void arrived(NetworkTransaction&);
  /// A request to here has been lost.
  void lost(NetworkTransaction&);
  /// At a clock edge: what is due. True if something is left to do at the next one.
  bool evaluate(Cycle);
  /// When the target was last handed a request that it has not accepted; null: it has accepted all of them.
  const sc_core::sc_time* refused_since() const { return requesting_ ? &requested_at_ : nullptr; }

 private:
  /// A request that the target has, or gets next.
  struct Underway {
    tlm::tlm_generic_payload* copy = nullptr;   ///< the payload that it gets
    NetworkTransaction* transaction = nullptr;  ///< null: its sender has been answered
    bool placed = false;                        ///< of a request whose sender has been answered
  };
  /// An answer that is not due yet.
  struct Answer {
    tlm::tlm_generic_payload* copy = nullptr;
    sc_core::sc_time due;
    bool end_response = false;  ///< the target waits for END_RESP
  };

  bool posted(const NetworkTransaction& t) const {
    return context_.parameters.posted_writes && t.payload->get_command() != tlm::TLM_READ_COMMAND;
  }
  tlm::tlm_generic_payload* make_copy(const NetworkTransaction&);
  void hand_over();
  void hand_over(NetworkTransaction&);
  void answer_without_target(NetworkTransaction&);
  /// `posted`: the transaction whose sender is answered when the target has seen it; null: none.
  void begin_request(const Underway&, NetworkTransaction* posted);
  void finish_posted(NetworkTransaction&, tlm::tlm_response_status);
  void answer_later(const Answer&);
  void end_response(tlm::tlm_generic_payload&);
  /// The target is done with a request: sends the reply.
  void answered(tlm::tlm_generic_payload&, Cycle created);
  void reply(NetworkTransaction&, Cycle created);

  NetworkSockets& sockets_;
  SocketContext& context_;
  tlm::tlm_fw_transport_if<>* target_ = nullptr;
  RequestQueue queue_;
  RingQueue<Underway> to_target_;
  std::vector<Underway> at_target_;
  std::vector<Answer> answers_;  ///< not due yet
  Exclusion request_;
  tlm::tlm_generic_payload* requesting_ = nullptr;  ///< whose BEGIN_REQ has not been accepted
  sc_core::sc_time requested_at_;
};

}  // namespace flitmend
