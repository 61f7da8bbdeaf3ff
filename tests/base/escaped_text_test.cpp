// SPDX-License-Identifier: Apache-2.0
#include "base/escaped_text.h"

#include <gtest/gtest.h>

namespace flitmend {

TEST(EscapedText, LeavesWhatCanBeSeen) {
  for (const std::string text : {"", "router.virtual_channels: 4", "Größe 8×8 – π", "日本", "a b"})
    EXPECT_EQ(escaped_text(text), text);
}

TEST(EscapedText, EscapesWhatATerminalObeysAndWhatNobodySees) {
  EXPECT_EQ(escaped_text("\x1b[31mred"), "\\x1b[31mred");
  EXPECT_EQ(escaped_text("a\nb\tc\rd"), "a\\nb\\tc\\x0dd");
  EXPECT_EQ(escaped_text(std::string("\0\x7f", 2)), "\\x00\\x7f");
  EXPECT_EQ(escaped_text("traffic\u200b"), "traffic\\u200b");
  EXPECT_EQ(escaped_text("a\u00a0b\u202ec\ufeff"), "a\\u00a0b\\u202ec\\ufeff");
  EXPECT_EQ(escaped_text("\xc2\x9b"
                         "1m"),
            "\\u009b1m");
}

TEST(EscapedText, EscapesBytesThatAreNotText) {
  EXPECT_EQ(escaped_text("a\xff\xc3(\xe2\x82"), "a\\xff\\xc3(\\xe2\\x82");
  EXPECT_EQ(escaped_text("\xc0\xaf\xf5"), "\\xc0\\xaf\\xf5");
}

TEST(HtmlEscaped, TextIsNoMarkup) {
  EXPECT_EQ(html_escaped("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&#39;");
  EXPECT_EQ(html_escaped(""), "");
}

}  // namespace flitmend
