// SPDX-License-Identifier: Apache-2.0
#include "base/digest.h"

#include <nettle/base16.h>
#include <nettle/sha2.h>

#include <cerrno>
#include <system_error>

#include "base/errors.h"
#include "base/escaped_text.h"
#include "base/input_file.h"

namespace flitmend {
namespace {

class Sha256 {
 public:
  Sha256() { nettle_sha256_init(&state_); }
  void add(const void* bytes, std::size_t count) {
    nettle_sha256_update(&state_, count, static_cast<const std::uint8_t*>(bytes));
  }
  std::string digest() {
    std::uint8_t bytes[SHA256_DIGEST_SIZE];
    nettle_sha256_digest(&state_, sizeof bytes, bytes);
    std::string text(BASE16_ENCODE_LENGTH(sizeof bytes), '\0');
    nettle_base16_encode_update(text.data(), sizeof bytes, bytes);
    return text;
  }

 private:
  sha256_ctx state_;
};

}  // namespace

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes.data(), bytes.size());
  return hash.digest();
}

std::string sha256_of_file(const std::string& path) {
  const auto fail = [&](const std::string& why) {
    throw ConfigurationError("cannot read " + escaped_text(path) + ": " + why);
  };
  std::string why;
  const InputStream file = open_input_file(path, why);
  if (!file) fail(why);
  Sha256 hash;
  char block[1 << 16];
  while (const std::size_t count = std::fread(block, 1, sizeof block, file.get())) hash.add(block, count);
  if (std::ferror(file.get())) fail(std::generic_category().message(errno));
  return hash.digest();
}

}  // namespace flitmend
