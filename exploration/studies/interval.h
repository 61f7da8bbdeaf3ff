// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

namespace flitmend {

/// Mean and half width of its two-sided 95 % confidence interval.
struct Interval {
  double mean = 0;
  double half_width = 0;

  double low() const { return mean - half_width; }
  double high() const { return mean + half_width; }
};

/// For independent values by Student's t [Student08]; at least 2 values. Equal values have a half width of 0.
Interval interval_95(const std::vector<double>& values);

}  // namespace flitmend
