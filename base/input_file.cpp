// SPDX-License-Identifier: Apache-2.0
#include "base/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>

#include "base/errors.h"
#include "base/escaped_text.h"
#include "base/text.h"

namespace flitmend {
namespace {

std::string reason(int error) {
  return std::generic_category().message(error);
}

/// What is wrong with an open file that is to be read as a whole; empty if nothing is.
std::string unsuitable(int descriptor) {
  struct stat about {};
  if (fstat(descriptor, &about) != 0) return reason(errno);
  if (S_ISREG(about.st_mode)) return "";
  if (S_ISDIR(about.st_mode)) return reason(EISDIR);
  return std::string("it is a ") + (S_ISFIFO(about.st_mode) ? "pipe" : "device") +
         ", not a regular file; write its content to a file and name that";
}

}  // namespace

InputStream open_input_file(const std::string& path, std::string& why) {
  // Opening a pipe would wait for its writer; a terminal must not become that of this process.
  const int descriptor = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  why = descriptor < 0 ? reason(errno) : unsuitable(descriptor);
  InputStream stream(why.empty() ? fdopen(descriptor, "rb") : nullptr);
  if (why.empty() && !stream) why = reason(errno);
  if (descriptor >= 0 && !stream) close(descriptor);
  return stream;
}

std::string read_input_file(const std::string& path, std::size_t most_bytes, const char* what) {
  const auto fail = [&](const std::string& why) {
    throw ConfigurationError("cannot read " + escaped_text(path) + ": " + why);
  };
  std::string why;
  const InputStream file = open_input_file(path, why);
  if (!file) fail(why);
  std::string text;
  char block[1 << 14];
  while (const std::size_t count = std::fread(block, 1, sizeof block, file.get())) {
    text.append(block, count);
    if (text.size() > most_bytes)
      fail(formatted("it is larger than %1% MiB, the limit for %2%", most_bytes >> 20, what));
  }
  if (std::ferror(file.get())) fail(reason(errno));
  return text;
}

std::string without_byte_order_mark(std::string text, const std::string& path) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    throw ConfigurationError(Place{path, 1}, "the file is in UTF-16; save it as UTF-8");
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (text.starts_with(kMark)) text.erase(0, kMark.size());
  return text;
}

std::string read_input_text(const std::string& path, std::size_t most_bytes, const char* what) {
  return without_byte_order_mark(read_input_file(path, most_bytes, what), path);
}

}  // namespace flitmend
