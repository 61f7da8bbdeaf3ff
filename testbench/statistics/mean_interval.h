// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace flitmend {

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

}  // namespace flitmend
