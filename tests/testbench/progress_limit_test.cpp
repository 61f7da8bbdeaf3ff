// SPDX-License-Identifier: Apache-2.0
#include "testbench/progress_limit.h"

#include <gtest/gtest.h>

namespace flitmend {

TEST(ProgressLimit, CountsFromTheLastStep) {
  ProgressLimit limit(100);
  limit.look({.steps = 3, .waiting = true}, 1000);
  limit.look({.steps = 3, .waiting = true}, 1099);
  EXPECT_EQ(limit.reason(), "");
  limit.look({.steps = 4, .waiting = true}, 1150);
  limit.look({.steps = 5, .waiting = true}, 1249);
  limit.look({.steps = 5, .waiting = true}, 1348);
  EXPECT_EQ(limit.reason(), "");
  limit.look({.steps = 5, .waiting = true}, 1349);
  EXPECT_NE(limit.reason().find("100 cycles"), std::string::npos) << limit.reason();
}

TEST(ProgressLimit, DoesNotCountCyclesWithoutAWait) {
  ProgressLimit limit(100);
  for (Cycle now = 0; now < 10000; now += 50) limit.look({.waiting = now % 100 != 0}, now);
  EXPECT_EQ(limit.reason(), "");
}

TEST(ProgressLimit, ZeroIsNone) {
  ProgressLimit limit(0);
  limit.look({.waiting = true}, 0);
  limit.look({.waiting = true}, Cycle{1} << 50);
  EXPECT_EQ(limit.reason(), "");
}

}  // namespace flitmend
