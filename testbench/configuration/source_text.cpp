// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/source_text.h"

#include "base/errors.h"
#include "base/input_file.h"
#include "base/text.h"

namespace flitmend {
namespace {

constexpr std::size_t kMostBytes = 16 << 20;

/// Length in bytes of the UTF-8 character at `at`; 0 if there is none.
std::size_t character_bytes(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  const unsigned char first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t count = first >= 0xc2 && first < 0xe0   ? 2
                            : first >= 0xe0 && first < 0xf0 ? 3
                            : first >= 0xf0 && first < 0xf5 ? 4
                                                            : 0;
  for (std::size_t i = 1; i < count; ++i)
    if (byte(at + i) < 0x80 || byte(at + i) >= 0xc0) return 0;
  const bool overlong = (first == 0xe0 && byte(at + 1) < 0xa0) || (first == 0xf0 && byte(at + 1) < 0x90);
  const bool no_character =
      (first == 0xed && byte(at + 1) >= 0xa0) || (first == 0xf4 && byte(at + 1) >= 0x90);
  return overlong || no_character ? 0 : count;
}

}  // namespace

void check_source_text(const std::string& text, const std::string& name) {
  int line = 1, column = 1;  // in bytes, as the YAML parser counts
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const std::size_t bytes = character_bytes(text, at);
    if (bytes == 0 || byte == 0x7f || (byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t'))
      throw ConfigurationError({name, line, column},
                               formatted("byte 0x%02x is not text; a configuration must be YAML in UTF-8",
                                         static_cast<unsigned>(byte)));
    at += bytes;
    column += static_cast<int>(bytes);
    if (byte == '\n') {
      ++line;
      column = 1;
    }
  }
}

std::string read_source_text(const std::filesystem::path& path) {
  std::string text = read_input_file(path.string(), kMostBytes, "a configuration");
  check_source_text(text, path.string());
  return text;
}

}  // namespace flitmend
