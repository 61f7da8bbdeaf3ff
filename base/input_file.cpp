// SPDX-License-Identifier: Apache-2.0
#include "base/input_file.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <string_view>
#include <system_error>

#include "base/errors.h"
#include "base/escaped_text.h"

namespace flitmend {

std::string read_input_file(const std::string& path, std::size_t most_bytes, const char* what) {
  const auto fail = [&](const std::string& why) {
    throw ConfigurationError("cannot read " + escaped_text(path) + ": " + why);
  };
  const auto reason = [](int error) { return std::generic_category().message(error); };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) fail(reason(errno));
  std::string text;
  char block[1 << 14];
  while (const std::size_t count = std::fread(block, 1, sizeof block, file.get())) {
    text.append(block, count);
    if (text.size() > most_bytes)
      fail("it is larger than " + std::to_string(most_bytes >> 20) + " MiB, the limit for " + what);
  }
  if (std::ferror(file.get())) fail(reason(errno));
  return text;
}

std::string read_input_text(const std::string& path, std::size_t most_bytes, const char* what) {
  std::string text = read_input_file(path, most_bytes, what);
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    throw ConfigurationError(Place{path, 1}, "the file is in UTF-16; save it as UTF-8");
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (text.starts_with(kMark)) text.erase(0, kMark.size());
  return text;
}

}  // namespace flitmend
