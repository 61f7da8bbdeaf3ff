// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm_utils/simple_initiator_socket.h>

#include <random>
#include <systemc>
#include <tlm>
#include <vector>

/// Reads and writes at random in its own part of a memory, one access every `period` at most, and compares
/// what it reads with a copy of its own.
class TrafficPlayer : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<TrafficPlayer> socket{"socket"};

  SC_HAS_PROCESS(TrafficPlayer);
  TrafficPlayer(sc_core::sc_module_name, sc_dt::uint64 first, unsigned bytes, unsigned accesses,
                const sc_core::sc_time& period, unsigned seed);

  bool done() const { return done_ == accesses_; }
  unsigned wrong() const { return wrong_; }
  /// Mean time of an access, in ns.
  double mean_latency() const { return latency_.to_seconds() * 1e9 / done_; }

 private:
  void play();

  sc_dt::uint64 first_;
  std::vector<unsigned char> copy_;
  unsigned accesses_, done_ = 0, wrong_ = 0;
  sc_core::sc_time period_, latency_;
  std::mt19937 random_;
};
