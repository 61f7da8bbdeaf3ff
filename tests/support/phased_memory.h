// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm.h>
#include <tlm_utils/simple_target_socket.h>

#include <deque>
#include <vector>

#include "base/random_stream.h"

namespace flitmend {

/// The ways in which a target may end a request.
enum class RequestEnd {
  end_req_call,     ///< TLM_ACCEPTED, END_REQ later
  end_req_return,   ///< TLM_UPDATED with END_REQ
  response_call,    ///< TLM_ACCEPTED; BEGIN_RESP implies END_REQ
  response_return,  ///< TLM_UPDATED with BEGIN_RESP
  completed,        ///< TLM_COMPLETED
};

struct MemoryForms {
  std::vector<RequestEnd> request_ends = {RequestEnd::end_req_call, RequestEnd::end_req_return,
                                          RequestEnd::response_call, RequestEnd::response_return,
                                          RequestEnd::completed};
  unsigned longest_accept = 10;   ///< ns from BEGIN_REQ to END_REQ
  unsigned longest_latency = 30;  ///< ns from then to BEGIN_RESP
  unsigned longest_delay = 0;     ///< ns, annotated to END_REQ, BEGIN_RESP and returns
  double errors = 0;              ///< share of transactions that are refused with an error
};

/// A memory with the full base protocol. Each transaction takes one of the forms, at random; they are
/// executed in the order of their requests, with their response.
class PhasedMemory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<PhasedMemory> socket{"socket"};

  SC_HAS_PROCESS(PhasedMemory);
  PhasedMemory(sc_core::sc_module_name, std::size_t bytes, MemoryForms, std::uint64_t seed,
               std::uint32_t index);

  const std::vector<unsigned char>& bytes() const { return bytes_; }
  std::uint64_t executed() const { return executed_; }
  /// Transactions answered with an error, and not executed.
  std::uint64_t refused() const { return refused_; }
  /// Requests that have arrived and not been responded to; and the most that there have been.
  std::size_t waiting() const { return queue_.size(); }
  std::size_t most_waiting() const { return most_waiting_; }

 private:
  using Payload = tlm::tlm_generic_payload;
  struct Request {
    Payload* payload;
    sc_core::sc_time earliest;  ///< local time of its last phase
    bool accepted;              ///< its END_REQ has been sent, or will be implied
  };
  tlm::tlm_sync_enum nb_transport_fw(Payload&, tlm::tlm_phase&, sc_core::sc_time&);
  void b_transport(Payload&, sc_core::sc_time&);
  tlm::tlm_sync_enum begin_request(Payload&, tlm::tlm_phase&, sc_core::sc_time&);
  void accept();
  void serve();
  void execute(Payload&);
  sc_core::sc_time up_to(unsigned longest);

  std::vector<unsigned char> bytes_;
  MemoryForms forms_;
  RandomStream random_;
  std::deque<Request> queue_;
  Payload* responding_ = nullptr;
  sc_core::sc_event requested_, to_accept_, accepted_, response_ended_;
  std::uint64_t executed_ = 0, refused_ = 0;
  std::size_t most_waiting_ = 0;
};

}  // namespace flitmend
