// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>

#include "payloads.h"

/// Copies a block of memory, line by line. Several lines are under way at a time: each is read, and written
/// when its bytes are here.
class DmaEngine : public sc_core::sc_module {
 public:
  static constexpr unsigned kWidth = 128, kLine = 64, kLinesUnderWay = 4;
  tlm_utils::simple_initiator_socket<DmaEngine, kWidth> socket{"socket"};

  SC_HAS_PROCESS(DmaEngine);
  DmaEngine(sc_core::sc_module_name, sc_dt::uint64 from, sc_dt::uint64 to, unsigned bytes);

  bool done() const { return written_ == lines_; }
  unsigned failed() const { return failed_; }
  const sc_core::sc_time& finished_at() const { return finished_at_; }

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&);
  void copy();
  void request(tlm::tlm_generic_payload&);
  void response(tlm::tlm_generic_payload&);

  Payloads payloads_;
  sc_dt::uint64 from_, to_;
  unsigned lines_, read_ = 0, written_ = 0, failed_ = 0;
  std::vector<tlm::tlm_generic_payload*> to_write_;
  unsigned under_way_ = 0;
  bool requesting_ = false;
  sc_core::sc_event changed_;
  sc_core::sc_time finished_at_;
};
