// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <memory>
#include <optional>
#include <tlm>
#include <vector>

#include "rtl_tlm/signals/message.h"
#include "rtl_tlm/sockets/blocking_target.h"
#include "rtl_tlm/sockets/exclusion.h"
#include "rtl_tlm/sockets/request_queue.h"
#include "rtl_tlm/sockets/socket_context.h"

namespace flitmend {

class NetworkSockets;

/// The side of a node's sockets towards its targets: hands them the requests that have arrived, one BEGIN_REQ
/// at a time each, and sends their answers back.
class TargetSide {
 public:
  TargetSide(NetworkSockets&, SocketContext&, NodeId nodes, unsigned targets);

  /// Without a target, writes end here, and reads fail.
  void connect(unsigned target, tlm::tlm_fw_transport_if<>& element);
  tlm::tlm_fw_transport_if<>* target(unsigned number) { return targets_[number].element; }

  tlm::tlm_sync_enum nb_transport_bw(unsigned target, tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                     sc_core::sc_time&);

  RequestQueue& queue(unsigned target) { return targets_[target].queue; }
  const RequestQueue& queue(unsigned target) const { return targets_[target].queue; }
  /// Requests ask for a place. Before the first cycle.
  void limit_places() {
    for (Target& target : targets_) target.queue.limit(true);
  }
  /// All of a request has arrived.
  void arrived(NetworkTransaction&);
  /// A request to here has been lost.
  void lost(NetworkTransaction&);
  /// The initiator's extensions are about to go: what a target has been handed of the request, or gets next,
  /// keeps copies.
  void own_extensions(const NetworkTransaction&);
  /// At a clock edge: what is due. True if something is left to do at the next one.
  bool evaluate(Cycle);
  unsigned targets() const { return static_cast<unsigned>(targets_.size()); }
  /// The cycle in which a target was handed a request that it has not accepted; none: it has accepted all of
  /// them.
  std::optional<Cycle> refused_since(unsigned target) const {
    return targets_[target].requesting ? std::optional(targets_[target].requested_in) : std::nullopt;
  }
  /// The cycle in which a target was handed the oldest request that it has not answered; none: it has
  /// answered all of them.
  std::optional<Cycle> unanswered_since(unsigned target) const;
  /// Requests that a target has been handed or is handed next.
  std::size_t requests(unsigned target) const {
    return targets_[target].next.size() +
           static_cast<std::size_t>(std::ranges::count(at_target_, target, &Underway::target));
  }
  /// A debug access to bytes of a target, after the target itself: posted writes that have been answered and
  /// not been handed to the target show in what is read, and yield to what is written.
  void debug_posted(unsigned target, sc_dt::uint64 address, tlm::tlm_generic_payload&, unsigned bytes);

 private:
  /// A request that the target has, or gets next.
  struct Underway {
    tlm::tlm_generic_payload* copy = nullptr;   ///< the payload that it gets
    NetworkTransaction* transaction = nullptr;  ///< null: its sender has been answered
    bool placed = false;                        ///< of a request whose sender has been answered
    unsigned target = 0;
    Cycle begun = 0;  ///< the cycle of its BEGIN_REQ
  };
  struct Target {
    Target(const TransactionParameters& parameters, NodeId nodes) : queue(parameters, nodes) {}
    tlm::tlm_fw_transport_if<>* element = nullptr;
    std::unique_ptr<BlockingTarget> blocking;  ///< before an element without nb_transport_fw
    bool called = false;                       ///< it has had a request
    RequestQueue queue;
    RingQueue<Underway> next;  ///< handed over and not begun
    Exclusion request;
    tlm::tlm_generic_payload* requesting = nullptr;  ///< whose BEGIN_REQ has not been accepted
    Cycle requested_in = 0;                          ///< the cycle of the last BEGIN_REQ
  };
  /// An answer that is not due yet.
  struct Answer {
    tlm::tlm_generic_payload* copy = nullptr;
    unsigned target = 0;
    sc_core::sc_time due;
    bool end_response = false;  ///< the target waits for END_RESP
  };

  /// Its target has not answered it yet.
  bool unanswered(const Underway& u) const {
    return std::ranges::find(answers_, u.copy, &Answer::copy) == answers_.end();
  }
  bool posted(const NetworkTransaction& t) const {
    return context_.parameters.posted_writes && t.payload->get_command() != tlm::TLM_READ_COMMAND;
  }
  tlm::tlm_generic_payload* make_copy(const NetworkTransaction&);
  /// All that has arrived, as far as the targets may be handed it now. True as begin_requests().
  bool hand_over();
  /// What has arrived for one of them.
  void hand_over(Target&);
  void hand_over(Target&, NetworkTransaction&);
  /// Begins what the target may be handed now. True if more of it waits for a time that no call tells.
  bool begin_requests(Target&);
  void answer_without_target(NetworkTransaction&);
  /// `posted`: the transaction whose sender is answered when the target has seen it; null: none.
  void begin_request(const Underway&, NetworkTransaction* posted);
  /// Calls the target with BEGIN_REQ; by b_transport if it has no nb_transport_fw.
  tlm::tlm_sync_enum call(unsigned target, tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&);
  /// From now on the target is called by b_transport; `refusal`: the error of its nb_transport_fw.
  void call_blocking(unsigned target, const sc_core::sc_report& refusal);
  void finish_posted(NetworkTransaction&, tlm::tlm_response_status);
  void answer_later(const Answer&);
  void end_response(unsigned target, tlm::tlm_generic_payload&);
  /// The target is done with a request: sends the reply.
  void answered(tlm::tlm_generic_payload&, Cycle created);
  void reply(NetworkTransaction&, Cycle created);

  NetworkSockets& sockets_;
  SocketContext& context_;
  std::vector<Target> targets_;
  std::vector<Underway> at_target_;  ///< by age
  std::vector<Answer> answers_;      ///< not due yet
  std::size_t queued_ = 0;           ///< requests handed over and not begun, of all targets
};

}  // namespace flitmend
