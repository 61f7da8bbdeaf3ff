// SPDX-License-Identifier: Apache-2.0
#include "program/terminal/wrapped_text.h"

#include <gtest/gtest.h>

namespace flitmend {
namespace {

TEST(WrappedText, BreaksAtSpaces) {
  EXPECT_EQ(wrapped("one two three", 0, 7), "one two\nthree");
  EXPECT_EQ(wrapped("one two three", 2, 7), "one\n  two\n  three");
  EXPECT_EQ(wrapped("a_long_word b", 0, 4), "a_long_word\nb") << "a word is never broken";
  EXPECT_EQ(wrapped("äöü äöü", 0, 7), "äöü äöü") << "columns, not bytes";
}

TEST(WrappedText, KeepsLinesThatFit) {
  const std::string text = "short\n\n    indented line that is long\nthe  end\n";
  EXPECT_EQ(wrapped_lines(text, 0), text);
  EXPECT_EQ(wrapped_lines(text, 80), text);
  EXPECT_EQ(wrapped_lines(text, 20), "short\n\n    indented line\n      that is long\nthe  end\n");
  EXPECT_EQ(wrapped_lines("no newline at the end", 12), "no newline\n  at the end");
}

TEST(WrappedText, NoLineIsWiderThanTheTerminal) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += std::string(1 + i % 9, 'x') + (i % 37 == 36 ? "\n" : " ");
  for (const std::size_t width : {20u, 40u, 79u}) {
    std::size_t start = 0;
    const std::string lines = wrapped_lines(text, width) + "\n";
    for (std::size_t end; (end = lines.find('\n', start)) != lines.npos; start = end + 1)
      EXPECT_LE(end - start, width);
  }
}

}  // namespace
}  // namespace flitmend
