// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <gtest/gtest.h>

#include <boost/format/exceptions.hpp>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace flitmend {

TEST(Text, CountsInTheSingularOnlyOne) {
  EXPECT_EQ(counted(1u, "node"), "1 node");
  EXPECT_EQ(counted(0u, "fault set"), "0 fault sets");
  EXPECT_EQ(counted(std::numeric_limits<std::uint64_t>::max(), "path"), "18446744073709551615 paths");
}

TEST(Text, FormatsArguments) {
  EXPECT_EQ(formatted("no argument, 100 %%"), "no argument, 100 %");
  EXPECT_EQ(formatted("%1% of %2%: %1%", 3, std::string("four")), "3 of four: 3");
  EXPECT_EQ(formatted("%2%, %1%", "first", std::string_view("second")), "second, first");
  EXPECT_EQ(formatted("%1%", "50 % of %2%"), "50 % of %2%");
  EXPECT_EQ(formatted("%1% %2%", std::uint8_t{200}, std::int8_t{-100}), "200 -100");
  EXPECT_EQ(formatted("%1% %2%", std::numeric_limits<std::int64_t>::min(),
                      std::numeric_limits<std::uint64_t>::max()),
            "-9223372036854775808 18446744073709551615");
  EXPECT_EQ(formatted("%1% %2% %3$.2f", .25, 1e9f, 1.0 / 3), "0.25 1e+09 0.33");
}

TEST(Text, FormatsNeitherBooleansNorCharacters) {
  static_assert(std::convertible_to<int, FormatArgument>);
  static_assert(!std::convertible_to<bool, FormatArgument>);
  static_assert(!std::convertible_to<char, FormatArgument>);
  static_assert(!std::convertible_to<const void*, FormatArgument>);
}

TEST(Text, FormatsOnlyWithAnArgumentForEachPlace) {
  EXPECT_THROW(formatted("%1% of %2%", 1), boost::io::too_few_args);
  EXPECT_THROW(formatted("%1%", 1, 2), boost::io::too_many_args);
  EXPECT_THROW(formatted("text", 1), boost::io::too_many_args);
}

TEST(Text, JoinsWordsAndIntegers) {
  EXPECT_EQ(joined(std::vector<std::string>{"a", "", "c"}), "a, , c");
  EXPECT_EQ(joined(std::vector<std::string_view>{"east", "vc0"}, "."), "east.vc0");
  EXPECT_EQ(joined(std::vector<std::string>{}), "");
  EXPECT_EQ(joined(std::vector<std::uint32_t>{8, 0, 16}, "x"), "8x0x16");
}

TEST(Text, WritesNumbersThatReadBack) {
  EXPECT_EQ(number_text(1e-9), "1e-09");
  EXPECT_EQ(number_text(.004), "0.004");
  EXPECT_EQ(number_text(-1), "-1");
  EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(std::stod(number_text(.1 + .2)), .1 + .2);
}

}  // namespace flitmend
