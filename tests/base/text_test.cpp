// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace flitmend {

TEST(Text, CountsInTheSingularOnlyOne) {
  EXPECT_EQ(counted(1u, "node"), "1 node");
  EXPECT_EQ(counted(0u, "fault set"), "0 fault sets");
  EXPECT_EQ(counted(std::numeric_limits<std::uint64_t>::max(), "path"), "18446744073709551615 paths");
}

TEST(Text, JoinsWords) {
  EXPECT_EQ(joined(std::vector<std::string>{"a", "", "c"}), "a, , c");
  EXPECT_EQ(joined(std::vector<std::string_view>{"east", "vc0"}, "."), "east.vc0");
  EXPECT_EQ(joined(std::vector<std::string>{}), "");
}

TEST(Text, WritesNumbersThatReadBack) {
  EXPECT_EQ(number_text(1e-9), "1e-09");
  EXPECT_EQ(number_text(.004), "0.004");
  EXPECT_EQ(number_text(-1), "-1");
  EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(std::stod(number_text(.1 + .2)), .1 + .2);
}

}  // namespace flitmend
