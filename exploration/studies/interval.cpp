// SPDX-License-Identifier: Apache-2.0
#include "exploration/studies/interval.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "testbench/statistics/mean_interval.h"

namespace flitmend {

Interval interval_95(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  if (std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); }))
    return {values.front(), 0};  // rounding of their sum must not count as spread
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return {mean, students_t_975(values.size() - 1) * std::sqrt(squares / (n - 1) / n)};
}

}  // namespace flitmend
