// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "rtl_tlm/message.h"
#include "testbench/statistics/students_t.h"

namespace flitmend {

/// Batch means of a correlated series of whole numbers, each observed at a cycle. Batches are equal slices of
/// time, not of count: a slice's sum does not depend on the order of observations within it, and it takes no
/// knowledge of the run's length. Slices are 2^s cycles long; when a cycle beyond the last slice comes,
/// neighbours merge and s grows by one. So a run of more than 32 cycles ends with 17 … 32 batches.
class BatchMeans {
 public:
  static constexpr unsigned kBatches = 32;

  /// `cycle` counts from the beginning of the measured window.
  void add(Cycle cycle, std::uint64_t value) {
    while ((cycle >> shift_) >= kBatches) merge();
    Batch& batch = batches_[cycle >> shift_];
    batch.sum += value;
    ++batch.count;
  }

  /// Half width of the 95 % confidence interval of the mean x̄ of all observations. With the k batches that
  /// are not empty, their sums S_b and counts n_b, n = Σ n_b:
  ///   t(97.5 %, k − 1) · sqrt(k/(k − 1) · Σ (S_b − x̄·n_b)²) / n,
  /// for equal counts the usual batch-means formula, for unequal ones that of a ratio estimator. None for k <
  /// 2. Too narrow where the series is correlated over more than a batch.
  std::optional<double> ci95() const;

  /// Batches with at least one observation.
  unsigned batches() const;
  /// Length of a batch in cycles.
  Cycle batch_cycles() const { return Cycle{1} << shift_; }

 private:
  struct Batch {
    std::uint64_t sum = 0;
    std::uint64_t count = 0;
  };
  void merge();

  std::array<Batch, kBatches> batches_{};
  unsigned shift_ = 0;
};

}  // namespace flitmend
