// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/length.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace flitmend {

NormalLength::NormalLength(double centre, double deviation, std::uint32_t min, std::uint32_t max) {
  constexpr double kFarthest = 9;  // deviations; the rest is too small for a double to distinguish from 0
  first_ =
      std::max(min, static_cast<std::uint32_t>(std::max(0.0, std::floor(centre - kFarthest * deviation))));
  const auto last =
      static_cast<std::uint32_t>(std::min<double>(max, std::ceil(centre + kFarthest * deviation)));
  const auto below = [&](double x) {
    return std::erfc((centre - x) / (deviation * std::numbers::sqrt2)) / 2;
  };
  double sum = 0, weighted = 0;
  for (std::uint32_t length = first_; length <= last; ++length) {
    const double weight = below(length + 0.5) - below(length - 0.5);
    sum += weight;
    weighted += weight * length;
    cumulative_.push_back(sum);
  }
  mean_ = weighted / sum;
  for (double& c : cumulative_) c /= sum;
  cumulative_.back() = 1;
}

std::uint32_t NormalLength::draw(RandomStream& random) const {
  const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end(), random.uniform());
  return first_ + static_cast<std::uint32_t>(found - cumulative_.begin());
}

}  // namespace flitmend
