// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>

namespace flitmend {

struct CloseStream {
  void operator()(std::FILE* stream) const { std::fclose(stream); }
};
using InputStream = std::unique_ptr<std::FILE, CloseStream>;

/// Opens a regular file for reading. None if it cannot be opened, or is anything else: a pipe can make the
/// reader wait forever, and a device may never end. `why` then says what is wrong, as part of a message.
InputStream open_input_file(const std::string& path, std::string& why);

/// The whole content of a file that the user names. Throws ConfigurationError, which names the file, if it
/// cannot be read, is not a regular file, or has more than `most_bytes`, which it calls the limit for `what`.
std::string read_input_file(const std::string& path, std::size_t most_bytes,
                            const char* what = "such a file");

/// The content of a text file, without the byte order mark that some editors put before UTF-8. Refuses
/// UTF-16.
std::string without_byte_order_mark(std::string content, const std::string& path);

/// The content of a file that the user names, as a text: read_input_file without a byte order mark.
std::string read_input_text(const std::string& path, std::size_t most_bytes,
                            const char* what = "such a file");

}  // namespace flitmend
