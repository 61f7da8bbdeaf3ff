// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "rtl_tlm/fabric/fabric.h"
#include "testbench/statistics/results.h"
#include "testbench/statistics/settings.h"

namespace flitmend {

/// What the routers of a fabric counted: flits, credits, channels. Their counters are read at the edges of
/// the measured window and at the end, so there is no cost per flit.
class FabricStatistics {
 public:
  /// The fabric must outlive it.
  explicit FabricStatistics(const Fabric&);

  /// Call before the first measured cycle is evaluated; without this call the window starts with the run.
  void window_begins();
  /// Call after the last measured cycle; without this call the window lasts until fill().
  void window_ends();

  /// Sets simulation.flit_hops, flits, the fabric's part of the contract, and channels if requested.
  /// simulation.measured_cycles must have been set.
  void fill(Results&, const StatisticsSettings&) const;

 private:
  /// Writes the flits that each output with a channel has sent so far, by router and port. Does not allocate
  /// if the vector has room for all channels.
  void read_channel_flits(std::vector<std::uint64_t>&) const;

  const Fabric& fabric_;
  std::vector<std::uint64_t> at_begin_;
  std::vector<std::uint64_t> at_end_;  // empty: the window has not ended
};

}  // namespace flitmend
