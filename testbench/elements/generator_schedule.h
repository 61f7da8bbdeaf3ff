// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <systemc>
#include <vector>

#include "rtl_tlm/fabric/fabric.h"

namespace flitmend {

class TrafficGenerator;

/// Wakes the traffic generators of a network. One process and one timed event serve all of them, because a
/// kernel event per message costs more than the message. Generators that wake in the same cycle wake in the
/// order of their nodes.
class GeneratorSchedule : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(GeneratorSchedule);
  GeneratorSchedule(sc_core::sc_module_name, const Fabric&);

  /// Wakes the generator at the time of that cycle's edge. Call it before the start, or from generate(); each
  /// generator has at most one entry.
  void wake(TrafficGenerator&, Cycle);
  /// Wakes the generator in the next delta cycle.
  void wake_soon(TrafficGenerator&);

 private:
  struct Entry {
    Cycle cycle;
    std::uint32_t node;
    TrafficGenerator* generator;
    /// Whether this entry comes after the other: the order of a heap whose top is the earliest.
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
