// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace flitmend {

/// SHA-256 [FIPS180] of bytes that come piece by piece.
class Sha256 {
 public:
  void add(std::string_view bytes);
  /// The digest of all bytes so far, as 64 hexadecimal digits. Call once, at the end.
  std::string digest();

 private:
  static constexpr std::size_t kBlockBytes = 64;
  void add_block(const unsigned char* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, kBlockBytes> rest_{};  ///< bytes of an incomplete block
  std::size_t rest_bytes_ = 0;
  std::uint64_t bytes_ = 0;
};

/// SHA-256 of these bytes.
std::string sha256(std::string_view bytes);

/// SHA-256 of the content of a file of any size that the user names. Throws ConfigurationError, which names
/// the file, if it cannot be read or is no regular file.
std::string sha256_of_file(const std::string& path);

}  // namespace flitmend
