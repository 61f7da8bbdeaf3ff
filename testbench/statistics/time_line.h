// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "rtl_tlm/fabric/fabric.h"
#include "testbench/statistics/optional_statistic.h"

namespace flitmend {

/// A run in slices of time, from its first cycle to its last one. Memory: 4 MB. Runs of up to 65,536 cycles
/// are cut exactly; the slices of longer ones begin at multiples of a power of two.
class TimeLine final : public OptionalStatistic, private CycleObserver {
 public:
  static constexpr std::uint64_t kMostSlices = 1000;
  /// In at most that many slices; none is shorter than a cycle.
  TimeLine(const Topology&, std::uint64_t slices);

  void message_created(const Message&) override;
  void message_delivered(const Message&, Cycle) override;
  void processing_elements(NodeId count, Cycle from) override;
  CycleObserver* cycle_observer(const Fabric&) override;
  void finish(const Fabric&, Cycle measured_cycles) override;
  void visit(ResultsVisitor&) const override;

 private:
  /// Some cycles, a power of two.
  struct Bin {
    std::uint64_t offered = 0, accepted = 0;    ///< flits
    std::uint64_t delivered = 0, latency = 0;   ///< messages; the sum of their latencies
    std::uint64_t in_flight = 0, buffered = 0;  ///< flits, summed over the cycles
    std::uint64_t nodes = 0;                    ///< that are not dead, summed over the cycles
    Bin& operator+=(const Bin&);
  };
  struct Slice {
    Cycle begin = 0, cycles = 0;
    std::optional<double> offered, accepted, mean, in_flight, occupancy;
    void visit(ResultsVisitor&) const;
  };

  void cycle_done(Cycle t, const Word* evaluated, const Word* arriving, unsigned words) override;
  Cycle needed_after(Cycle) const override { return kNever; }
  Bin& bin_of(Cycle);
  /// Calls add(bin, cycles) for the parts of bins between two cycles, the second one exclusive.
  template <class Add>
  void for_each_bin(Cycle begin, Cycle end, Add&& add);
  /// The flits of the last cycle have stayed where they were up to that cycle, exclusive.
  void stayed_until(Cycle);
  Slice slice(const Bin& sum, Cycle begin, Cycle end) const;
  std::vector<Slice> slices() const;

  NodeId nodes_;           ///< that are not dead
  Cycle nodes_until_ = 0;  ///< cycles before it have been counted
  std::uint64_t most_slices_;
  const Fabric* fabric_ = nullptr;
  std::uint64_t buffer_slots_ = 0;  ///< of all input buffers
  std::vector<Bin> bins_;
  unsigned shift_ = 0;  ///< a bin has 2^shift cycles
  Cycle next_ = 0;      ///< cycles before it have been counted
  std::uint64_t in_flight_ = 0, buffered_ = 0;
  Cycle cycles_ = 0;  ///< of the run, once it is over
};

}  // namespace flitmend
