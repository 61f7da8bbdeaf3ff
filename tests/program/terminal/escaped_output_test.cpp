// SPDX-License-Identifier: Apache-2.0
#include "program/terminal/escaped_output.h"

#include <gtest/gtest.h>

#include <sstream>

namespace flitmend {
namespace {

std::string shown(const std::string& text) {
  std::ostringstream destination;
  EscapedOutput(destination) << text;
  return destination.str();
}

TEST(EscapedOutput, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(shown("plain: größer, 漢字, │\nsecond\tline\n"), "plain: größer, 漢字, │\nsecond\tline\n");
  EXPECT_EQ(shown("\x1b[31mred\x07\r\n"), "\\x1b[31mred\\x07\\x0d\n");
  EXPECT_EQ(shown("a\u202eb\u200bc\n"), "a\\u202eb\\u200bc\n");
  EXPECT_EQ(shown("\x9b"
                  "2J\xff\n"),
            "\\x9b2J\\xff\n");
  EXPECT_EQ(shown("\u009b2J\n"), "\\u009b2J\n") << "the one-character form of ESC [";
}

TEST(EscapedOutput, DoesNotCutACharacterThatComesInPieces) {
  std::ostringstream destination;
  EscapedOutput out(destination);
  out << "gr" << '\xc3' << '\xb6' << "e";
  EXPECT_EQ(destination.str(), "") << "a line is written as a whole";
  out << "r\n";
  EXPECT_EQ(destination.str(), "gröer\n");
  out << "no line end" << std::flush;
  EXPECT_EQ(destination.str(), "gröer\nno line end");
}

TEST(EscapedOutput, FailsWithItsDestination) {
  std::ostringstream destination;
  EscapedOutput out(destination);
  destination.setstate(std::ios::badbit);
  out << "text\n" << std::flush;
  EXPECT_FALSE(out);
}

}  // namespace
}  // namespace flitmend
