// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_target_socket.h>

#include <systemc>
#include <tlm>
#include <vector>

/// A memory that serves one request after the other: END_REQ when it takes a request, BEGIN_RESP `latency`
/// later. It refuses writes if it is read-only, and everything past its end.
template <unsigned BUSWIDTH>
class Memory;

/// What does not depend on the width of the socket.
class MemoryArray {
 public:
  MemoryArray(std::size_t bytes, bool read_only) : bytes_(bytes), read_only_(read_only) {}
  /// Does what the payload asks, and sets its status.
  void execute(tlm::tlm_generic_payload&);

  std::vector<unsigned char>& bytes() { return bytes_; }
  unsigned served() const { return served_; }
  unsigned refused() const { return refused_; }

 private:
  std::vector<unsigned char> bytes_;
  bool read_only_;
  unsigned served_ = 0, refused_ = 0;
};

template <unsigned BUSWIDTH>
class Memory : public sc_core::sc_module, public MemoryArray {
 public:
  tlm_utils::simple_target_socket<Memory, BUSWIDTH> socket{"socket"};

  SC_HAS_PROCESS(Memory);
  Memory(sc_core::sc_module_name name, std::size_t bytes, const sc_core::sc_time& latency,
         bool read_only = false)
      : sc_module(name), MemoryArray(bytes, read_only), latency_(latency) {
    socket.register_nb_transport_fw(this, &Memory::nb_transport_fw);
    SC_THREAD(serve);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) {
      p.acquire();
      requests_.notify(p, delay);
      return tlm::TLM_ACCEPTED;
    }
    ended_.notify(delay);  // END_RESP
    return tlm::TLM_COMPLETED;
  }
  void serve() {
    for (;;) {
      tlm::tlm_generic_payload* p = requests_.get_next_transaction();
      if (!p) {
        wait(requests_.get_event());
        continue;
      }
      tlm::tlm_phase phase = tlm::END_REQ;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      socket->nb_transport_bw(*p, phase, delay);
      wait(latency_);
      execute(*p);
      phase = tlm::BEGIN_RESP;
      delay = sc_core::SC_ZERO_TIME;
      if (socket->nb_transport_bw(*p, phase, delay) == tlm::TLM_ACCEPTED) wait(ended_);
      p->release();
    }
  }

  sc_core::sc_time latency_;
  tlm_utils::peq_with_get<tlm::tlm_generic_payload> requests_{"requests"};
  sc_core::sc_event ended_{"ended"};
};
