// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <tlm>
#include <vector>

#include "rtl_tlm/sockets/exclusion.h"
#include "rtl_tlm/sockets/send_order.h"
#include "rtl_tlm/sockets/socket_context.h"

namespace flitmend {

class NetworkSockets;

/// The side of a node's sockets towards its initiators: takes their requests, sends them as messages, and
/// gives the responses back. Initiators that wait for room are served round robin.
class InitiatorSide {
 public:
  InitiatorSide(NetworkSockets&, SocketContext&);

  /// Another initiator. They are numbered in this order.
  void connect(tlm::tlm_bw_transport_if<>& initiator) { initiators_.emplace_back().element = &initiator; }
  unsigned initiators() const { return static_cast<unsigned>(initiators_.size()); }
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) {
    for (Initiator& initiator : initiators_) initiator.element->invalidate_direct_mem_ptr(first, last);
  }

  tlm::tlm_sync_enum nb_transport_fw(unsigned initiator, tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                     sc_core::sc_time&);
  void b_transport(unsigned initiator, tlm::tlm_generic_payload&, sc_core::sc_time&);

  /// A transaction has its reply, or needs none, or has been lost.
  void finish(NetworkTransaction&);
  /// The source queue has room again.
  void offer_room();
  /// At a clock edge: what is due. True if something is left to do at the next one.
  bool evaluate();
  /// The cycle of the BEGIN_RESP that an initiator has not accepted (END_RESP); none: it has accepted all.
  std::optional<Cycle> refused_since(unsigned initiator) const {
    return initiators_[initiator].responding ? std::optional(initiators_[initiator].responded_in)
                                             : std::nullopt;
  }

 private:
  /// Where a payload goes, if it can become messages.
  struct Request {
    AddressMap::Place place;
    std::size_t extent = 0;
    std::uint32_t length = 2;  ///< flits, without data
  };
  struct Initiator {
    tlm::tlm_bw_transport_if<>* element = nullptr;
    NetworkTransaction* waiting = nullptr;           ///< its BEGIN_REQ has not had its END_REQ yet
    RingQueue<NetworkTransaction*> blocked;          ///< of b_transport, waiting for room
    RingQueue<NetworkTransaction*> responses;        ///< whose BEGIN_RESP is to come
    tlm::tlm_generic_payload* responding = nullptr;  ///< whose BEGIN_RESP has not been accepted
    Cycle responded_in = 0;                          ///< the cycle of that
    Exclusion response;
  };
  /// TLM_OK_RESPONSE, or the error response to it.
  tlm::tlm_response_status decode(const tlm::tlm_generic_payload&, Request&) const;
  /// Whether no transaction before it keeps back the answer to one that the network refuses. Those whose
  /// response waits, or has not ended, are before it too.
  bool answers_at_once(unsigned initiator) const;
  /// `status`: of decode().
  NetworkTransaction* open(unsigned initiator, tlm::tlm_generic_payload&, tlm::tlm_response_status status,
                           const Request&);
  bool has_room() const;
  /// Counts a request that gets room, so that the other initiators come before the next one of this.
  void grant(unsigned initiator) {
    ++unanswered_;
    last_granted_ = initiator;
  }
  /// The first initiator after last_granted_ that waits and is due; none: initiators().
  unsigned next_waiting() const;
  /// Sends it, or lets it wait for its turn. It may leave from that cycle on. One that the network refuses is
  /// answered when it is its turn.
  void issue(NetworkTransaction&, Cycle from);
  /// Issues a transaction after all that were due before it.
  void issue_now(NetworkTransaction&);
  void send(NetworkTransaction&, Cycle from);
  /// Sets the creation cycle of a request that was issued ahead of its time, once that cycle is reached.
  /// True: it is still in the future.
  bool await_creation(NetworkTransaction&);
  /// An exception ends a b_transport call: its process is terminated or reset, for example. A transaction
  /// that waits for room is withdrawn. One under way goes on, and keeps its place until its answer arrives.
  void abandon(NetworkTransaction&);
  void answer(NetworkTransaction&);
  static void copy_back(NetworkTransaction&);
  void begin_response(Initiator&, NetworkTransaction&);
  /// True if responses wait for a time that no call tells.
  bool begin_responses();
  /// Issues what was accepted ahead of its time and is due.
  void issue_delayed();

  NetworkSockets& sockets_;
  SocketContext& context_;
  std::vector<Initiator> initiators_;
  SendOrder order_;
  std::vector<NetworkTransaction*> delayed_;  ///< accepted ahead of their time, which is `due`
  std::size_t unanswered_ = 0;                ///< accepted, and not answered
  std::size_t waiting_ = 0;                   ///< requests and b_transport calls that wait for room
  unsigned last_granted_ = 0;                 ///< round robin: the others come first
};

}  // namespace flitmend
