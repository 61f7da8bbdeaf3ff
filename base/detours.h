// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace flitmend {

/// How much longer routes are than the shortest paths. Sums are whole numbers, so the order of calls changes
/// no digit.
class Detours {
 public:
  /// Distances 0 to `diameter`.
  explicit Detours(std::uint32_t diameter) : more_(diameter + 1) {}

  /// A route of `hops` channels between two nodes at that distance, 1 to the diameter. Fewer hops count as no
  /// detour.
  void add(std::uint32_t distance, std::uint64_t hops) {
    ++count_;
    const std::uint64_t more = hops > distance ? hops - distance : 0;
    more_[distance] += more;
    longest_ = std::max(longest_, more);
  }
  std::uint64_t count() const { return count_; }
  /// The most hops beyond the distance.
  std::uint64_t longest() const { return longest_; }
  /// Mean of (hops − distance) / distance, in percent; none without routes.
  std::optional<double> deviation_percent() const {
    if (count_ == 0) return std::nullopt;
    double sum = 0;
    for (std::size_t distance = 1; distance < more_.size(); ++distance)
      sum += static_cast<double>(more_[distance]) / static_cast<double>(distance);
    constexpr double kPercent = 100;
    return kPercent * sum / static_cast<double>(count_);
  }

 private:
  std::vector<std::uint64_t> more_;  ///< hops beyond the distance, summed by distance
  std::uint64_t count_ = 0;
  std::uint64_t longest_ = 0;
};

}  // namespace flitmend
