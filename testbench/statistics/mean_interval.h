// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rtl_tlm/signals/message.h"

namespace flitmend {

/// Mean of whole numbers. The sum is kept exactly (up to 2^64), so neither the order of observations nor
/// their number can change a digit of the result.
class Mean {
 public:
  void add(std::uint64_t value) {
    sum_ += value;
    ++count_;
  }
  std::uint64_t count() const { return count_; }
  std::uint64_t sum() const { return sum_; }
  /// None without observations.
  std::optional<double> mean() const {
    if (count_ == 0) return std::nullopt;
    return static_cast<double>(sum_) / static_cast<double>(count_);
  }

 private:
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
};

/// Sum and number of the observations in one slice of time.
struct Batch {
  std::uint64_t sum = 0;
  std::uint64_t count = 0;
};

/// Half width of the 95 % confidence interval of a mean, or the reason why there is none.
struct MeanInterval {
  std::optional<double> half_width;
  std::string_view reason;  ///< empty if there is a half width
};

/// The interval of the mean of all observations, from their batches in order of time. Neighbouring batches
/// may be correlated; the interval is widened for that. There is none if the mean drifts over the batches, if
/// they are too few, or if they are too correlated. docs/statistics-methods.md explains the method.
MeanInterval mean_interval_95(std::span<const Batch>);

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

/// Mean and half width of its two-sided 95 % confidence interval.
struct Interval {
  double mean = 0;
  double half_width = 0;

  double low() const { return mean - half_width; }
  double high() const { return mean + half_width; }
};

/// The interval of the mean of independent values by Student's t [Student08]; at least 2 values. Equal values
/// have a half width of 0.
Interval interval_95(const std::vector<double>& values);

}  // namespace flitmend
