// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace flitmend::test {

/// Mean and variance of many values.
class Moments {
 public:
  void add(double x) {
    ++count_;
    const double before = x - mean_;
    mean_ += before / count_;
    squares_ += before * (x - mean_);
  }
  double mean() const { return mean_; }
  double variance() const { return squares_ / (count_ - 1); }

 private:
  double count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

/// Deviation of counts from expected counts, as a standard normal variable (Wilson and Hilferty's form of chi
/// square). Cells with an expectation of 0 must be empty; otherwise the result is infinity.
inline double chi_square_score(std::span<const std::uint64_t> counts, std::span<const double> expected) {
  double chi_square = 0, freedom = -1;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double difference = static_cast<double>(counts[i]) - expected[i];
    if (expected[i] == 0) {
      if (counts[i]) return INFINITY;
      continue;
    }
    chi_square += difference * difference / expected[i];
    ++freedom;
  }
  const double spread = 2 / (9 * freedom);
  return (std::cbrt(chi_square / freedom) - (1 - spread)) / std::sqrt(spread);
}

}  // namespace flitmend::test
