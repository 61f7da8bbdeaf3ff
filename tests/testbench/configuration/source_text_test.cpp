// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/source_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "base/errors.h"

namespace flitmend {
namespace {

std::string refusal_of(const std::string& text) {
  try {
    check_source_text(text, "c.yaml");
  } catch (const ConfigurationError& e) {
    return e.what();
  }
  return "";
}

std::string unreadable(const std::filesystem::path& path) {
  try {
    read_source_text(path);
  } catch (const ConfigurationError& e) {
    return e.what();
  }
  return "";
}

TEST(SourceText, TakesUtf8) {
  EXPECT_EQ(refusal_of("a: b\r\n\tc: 'ü€𝄞'\n"), "");
  EXPECT_EQ(refusal_of("\xef\xbb\xbf# with a mark\n"), "");
}

TEST(SourceText, RefusesOtherBytes) {
  const std::string end = " is not text; a configuration must be YAML in UTF-8";
  EXPECT_EQ(refusal_of(std::string("a: 1\nb\0c", 8)), "c.yaml:2:2: byte 0x00" + end);
  EXPECT_EQ(refusal_of("a: 1\nb: \x04 2"), "c.yaml:2:4: byte 0x04" + end);
  EXPECT_EQ(refusal_of("\x7f"
                       "ELF"),
            "c.yaml:1:1: byte 0x7f" + end);
  EXPECT_EQ(refusal_of("a: \xff\xfe"), "c.yaml:1:4: byte 0xff" + end);
  EXPECT_EQ(refusal_of("a: \xe9t\xe9"), "c.yaml:1:4: byte 0xe9" + end);         // Latin-1
  EXPECT_EQ(refusal_of("a: \xc0\xaf"), "c.yaml:1:4: byte 0xc0" + end);          // overlong
  EXPECT_EQ(refusal_of("a: \xe0\x80\xaf"), "c.yaml:1:4: byte 0xe0" + end);      // overlong
  EXPECT_EQ(refusal_of("a: \xed\xa0\x80"), "c.yaml:1:4: byte 0xed" + end);      // surrogate
  EXPECT_EQ(refusal_of("a: \xf4\x90\x80\x80"), "c.yaml:1:4: byte 0xf4" + end);  // beyond the last character
  EXPECT_EQ(refusal_of("a: ü\xe2\x82"), "c.yaml:1:6: byte 0xe2" + end);         // cut short
}

TEST(SourceText, UnreadableFiles) {
  EXPECT_EQ(unreadable("no/such.yaml"), "cannot read no/such.yaml: No such file or directory");
  EXPECT_EQ(unreadable("/"), "cannot read /: Is a directory");
  if (std::filesystem::exists("/dev/zero")) {
    EXPECT_EQ(unreadable("/dev/zero"),
              "cannot read /dev/zero: it is a device, not a regular file; write its content to a file and "
              "name that");
  }
}

}  // namespace
}  // namespace flitmend
