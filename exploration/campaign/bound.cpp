// SPDX-License-Identifier: Apache-2.0
#include "exploration/campaign/bound.h"

#include <boost/math/special_functions/beta.hpp>
#include <cmath>

namespace flitmend {

double upper_bound(std::uint64_t failures, std::uint64_t trials, double confidence) {
  if (failures >= trials) return 1;
  const auto n = static_cast<double>(trials);
  const auto f = static_cast<double>(failures);
  if (failures == 0) return -std::expm1(std::log1p(-confidence) / n);
  return boost::math::ibeta_inv(f + 1, n - f, confidence);
}

}  // namespace flitmend
