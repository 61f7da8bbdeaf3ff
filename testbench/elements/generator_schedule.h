// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <systemc>
#include <vector>

#include "rtl_tlm/fabric/fabric.h"

namespace flitmend {

class TrafficGenerator;

/// Wakes the traffic generators of a network: one process and one timed event for all, because a kernel event
/// for every message costs more than the message. Whoever is woken in the same cycle is woken by node.
class GeneratorSchedule : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(GeneratorSchedule);
  GeneratorSchedule(sc_core::sc_module_name, const Fabric&);

  /// Wakes it at the time of that cycle's edge. Before the start, or from generate(); each generator has one
  /// entry at most.
  void wake(TrafficGenerator&, Cycle);
  /// Wakes it in the next delta cycle.
  void wake_soon(TrafficGenerator&);

 private:
  struct Entry {
    Cycle cycle;
    std::uint32_t node;
    TrafficGenerator* generator;
    /// Whether it comes after the other: the order of a heap whose top is the first.
    bool operator<(const Entry& other) const {
      return cycle != other.cycle ? cycle > other.cycle : node > other.node;
    }
  };

  void run();

  const Fabric& fabric_;
  std::vector<Entry> sleeping_;  ///< a heap
  std::vector<TrafficGenerator*> soon_;
  std::vector<TrafficGenerator*> woken_;
  sc_core::sc_event delta_;
};

}  // namespace flitmend
