// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm>
#include <vector>

#include "rtl_tlm/tlm/exclusion.h"
#include "rtl_tlm/tlm/send_order.h"
#include "rtl_tlm/tlm/socket_context.h"

namespace flitmend {

class NetworkSockets;

/// The side of a node's sockets towards its initiators: takes their requests, sends them as messages, and
/// gives the responses back.
class InitiatorSide {
 public:
  InitiatorSide(NetworkSockets&, SocketContext&, NodeId nodes);

  void connect(tlm::tlm_bw_transport_if<>& initiator) { initiator_ = &initiator; }
  tlm::tlm_bw_transport_if<>* initiator() { return initiator_; }

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&);
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&);

  /// A transaction has its reply, or needs none, or has been lost.
  void finish(NetworkTransaction&);
  /// The source queue has room again.
  void offer_room();
  /// At a clock edge: what is due. True if something is left to do at the next one.
  bool evaluate();

 private:
  /// Where a payload goes, if it can become messages.
  struct Request {
    AddressMap::Place place;
    std::size_t extent = 0;
    std::uint32_t length = 2;  ///< flits, without data
  };
  /// TLM_OK_RESPONSE, or the error response to it.
  tlm::tlm_response_status decode(const tlm::tlm_generic_payload&, Request&) const;
  NetworkTransaction* open(tlm::tlm_generic_payload&, const Request&);
  bool has_room() const;
  /// Sends it, or lets it wait for its turn.
  void issue(NetworkTransaction&, Cycle created);
  /// Issues a transaction after all that were due before it.
  void issue_now(NetworkTransaction&);
  void send(NetworkTransaction&, Cycle created);
  void answer(NetworkTransaction&);
  static void copy_back(NetworkTransaction&);
  void begin_responses();
  /// Issues what was accepted ahead of its time and is due.
  void issue_delayed();

  NetworkSockets& sockets_;
  SocketContext& context_;
  tlm::tlm_bw_transport_if<>* initiator_ = nullptr;
  SendOrder order_;
  NetworkTransaction* waiting_ = nullptr;     ///< its BEGIN_REQ has not had its END_REQ yet
  std::vector<NetworkTransaction*> delayed_;  ///< accepted ahead of their time, which is `due`
  RingQueue<NetworkTransaction*> responses_;  ///< whose BEGIN_RESP is to come
  tlm::tlm_generic_payload* responding_ = nullptr;
  Exclusion response_;
  sc_core::sc_event room_;
  std::size_t unanswered_ = 0;  ///< accepted, and not answered
  unsigned blocked_ = 0;        ///< b_transport calls waiting for room
};

}  // namespace flitmend
