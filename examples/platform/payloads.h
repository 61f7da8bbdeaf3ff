// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <tlm>
#include <vector>

/// Payloads with buffers of their own, used again and again.
class Payloads : public tlm::tlm_mm_interface {
 public:
  tlm::tlm_generic_payload& take(tlm::tlm_command command, sc_dt::uint64 address, unsigned bytes) {
    if (free_.empty()) {
      all_.push_back(std::make_unique<Payload>(this));
      free_.push_back(all_.back().get());
    }
    Payload& p = *free_.back();
    free_.pop_back();
    p.acquire();
    p.buffer.assign(bytes, 0);
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(p.buffer.data());
    p.set_data_length(bytes);
    p.set_streaming_width(bytes);
    p.set_dmi_allowed(false);
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return p;
  }
  ~Payloads() override = default;

 private:
  struct Payload : tlm::tlm_generic_payload {
    explicit Payload(tlm::tlm_mm_interface* mm) : tlm::tlm_generic_payload(mm) {}
    std::vector<unsigned char> buffer;
  };
  void free(tlm::tlm_generic_payload* p) override { free_.push_back(static_cast<Payload*>(p)); }

  std::vector<std::unique_ptr<Payload>> all_;
  std::vector<Payload*> free_;
};
