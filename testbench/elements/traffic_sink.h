// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm.h>
#include <tlm_utils/passthrough_target_socket.h>

#include <cstring>

namespace flitmend {

/// A processing element that accepts everything: an ordinary TLM-2.0 target that responds at once. Reads
/// return zeros.
class TrafficSink : public sc_core::sc_module {
 public:
  tlm_utils::passthrough_target_socket<TrafficSink> socket;

  explicit TrafficSink(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    socket.register_nb_transport_fw(this, &TrafficSink::nb_transport_fw);
    socket.register_b_transport(this, &TrafficSink::b_transport);
  }
  const char* kind() const override { return "flitmend_traffic_sink"; }

  std::uint64_t received() const { return received_; }
  std::uint64_t received_bytes() const { return received_bytes_; }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) {
    if (phase == tlm::BEGIN_REQ) take(payload);
    return tlm::TLM_COMPLETED;
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) { take(payload); }
  void take(tlm::tlm_generic_payload& payload) {
    ++received_;
    if (payload.is_read()) std::memset(payload.get_data_ptr(), 0, payload.get_data_length());
    if (payload.is_write()) received_bytes_ += payload.get_data_length();
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  std::uint64_t received_ = 0;
  std::uint64_t received_bytes_ = 0;
};

}  // namespace flitmend
