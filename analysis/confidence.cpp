// SPDX-License-Identifier: Apache-2.0
#include "analysis/confidence.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

namespace flitmend {
namespace {

ShareInterval wilson(double p, double n, double z) {
  const double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n);
  return {p > 0 ? std::max(0.0, centre - half) : 0.0, p < 1 ? std::min(1.0, centre + half) : 1.0};
}

}  // namespace

double normal_quantile(double confidence) {
  return quantile(complement(boost::math::normal(), (1 - confidence) / 2));
}

double students_t_quantile(double degrees_of_freedom, double probability) {
  return quantile(boost::math::students_t(degrees_of_freedom), probability);
}

double beta_quantile(double a, double b, double probability) {
  return boost::math::ibeta_inv(a, b, probability);
}

std::optional<ShareInterval> share_interval(std::uint64_t hits, std::uint64_t samples, double confidence) {
  if (samples < 2) return std::nullopt;
  const auto n = static_cast<double>(samples);
  return wilson(static_cast<double>(hits) / n, n, normal_quantile(confidence));
}

std::optional<ShareInterval> grouped_share_interval(const GroupedShare& g, double confidence) {
  if (g.groups < 2) return std::nullopt;
  const double one_draw = g.share * (1 - g.share);  // variance of one draw
  if (!(one_draw > 0 && g.variance > 0)) return wilson(g.share, g.groups, normal_quantile(confidence));
  const double t = students_t_quantile(g.groups - 1, (1 + confidence) / 2);
  return wilson(g.share, std::clamp(one_draw / g.variance, g.groups, g.draws), t);
}

}  // namespace flitmend
