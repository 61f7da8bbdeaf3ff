// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <systemc>
#include <tlm>

/// A loosely timed core, temporally decoupled: it computes ahead of the simulation, up to a quantum, and
/// hands its local time on with each access. It adds up words of the ROM, keeps the sums in a memory, and
/// tries a write to the ROM now and then, which must fail.
class TimedCore : public sc_core::sc_module {
 public:
  static constexpr unsigned kWidth = 64;
  tlm_utils::simple_initiator_socket<TimedCore, kWidth> socket{"socket"};

  SC_HAS_PROCESS(TimedCore);
  TimedCore(sc_core::sc_module_name, sc_dt::uint64 rom, sc_dt::uint64 memory, unsigned rounds);

  bool done() const { return done_ == rounds_; }
  /// Sums that were not there when they were read again, and accesses with another status than expected.
  unsigned wrong() const { return wrong_; }
  unsigned refused_writes() const { return refused_; }

 private:
  void run();
  tlm::tlm_response_status access(tlm::tlm_command, sc_dt::uint64 address, sc_dt::uint64& word);

  sc_dt::uint64 rom_, memory_;
  unsigned rounds_, done_ = 0, wrong_ = 0, refused_ = 0;
  tlm_utils::tlm_quantumkeeper time_;
};
