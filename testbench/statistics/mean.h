// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

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

}  // namespace flitmend
