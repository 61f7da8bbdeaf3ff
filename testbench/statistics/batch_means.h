// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "rtl_tlm/signals/message.h"
#include "testbench/statistics/mean_interval.h"

namespace flitmend {

/// Batch means of a correlated series of whole numbers, each observed at a cycle. Batches are equal slices of
/// time, not of count: a slice's sum does not depend on the order of observations within it, and it takes no
/// knowledge of the run's length. Slices are 2^s cycles long; when a cycle beyond the last slice comes,
/// neighbours merge and s grows by one. So a run of more than 128 cycles ends with 65 … 128 batches.
class BatchMeans {
 public:
  static constexpr unsigned kBatches = 128;

  /// `cycle` counts from the beginning of the measured window.
  void add(Cycle cycle, std::uint64_t value) {
    while ((cycle >> shift_) >= kBatches) merge();
    Batch& batch = batches_[cycle >> shift_];
    batch.sum += value;
    ++batch.count;
  }

  /// The 95 % confidence interval of the mean of all observations.
  MeanInterval interval() const { return mean_interval_95(batches_); }

  /// Batches with at least one observation.
  unsigned batches() const;
  /// Length of a batch in cycles.
  Cycle batch_cycles() const { return Cycle{1} << shift_; }

 private:
  void merge();

  std::array<Batch, kBatches> batches_{};
  unsigned shift_ = 0;
};

}  // namespace flitmend
