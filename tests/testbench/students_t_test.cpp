// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/students_t.h"

#include <gtest/gtest.h>

#include <boost/math/distributions/students_t.hpp>

namespace flitmend {

TEST(StudentsT, IsTheDistributions) {
  for (const std::size_t degrees : {1, 2, 3, 5, 10, 20, 30, 31, 32, 33, 40, 63, 99, 127, 1000, 1000000}) {
    const double exact = quantile(boost::math::students_t(static_cast<double>(degrees)), 0.975);
    EXPECT_NEAR(students_t_975(degrees), exact, degrees <= 31 ? 1e-9 : 3e-8) << degrees;
  }
}

}  // namespace flitmend
