// SPDX-License-Identifier: Apache-2.0
#include "base/detours.h"

#include <gtest/gtest.h>

namespace flitmend {
namespace {

TEST(Detours, AreWhatWaysHaveMoreThanTheDistance) {
  Detours detours(6);
  EXPECT_FALSE(detours.deviation_percent());
  detours.add(2, 2);
  detours.add(2, 4);  // 100 %
  detours.add(4, 5);  // 25 %
  detours.add(6, 6);
  EXPECT_EQ(detours.count(), 4u);
  EXPECT_EQ(detours.longest(), 2u);
  EXPECT_DOUBLE_EQ(*detours.deviation_percent(), 125.0 / 4);
}

}  // namespace
}  // namespace flitmend
