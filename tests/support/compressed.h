// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <lzma.h>
#include <zlib.h>

#include <stdexcept>
#include <string>

namespace flitmend::test {

/// One member of gzip.
inline std::string gzip(std::string text) {
  z_stream stream{};
  if (deflateInit2(&stream, 9, Z_DEFLATED, 16 + 15, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("gzip failed");
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<unsigned char*>(text.data());
  stream.avail_in = static_cast<unsigned>(text.size());
  stream.next_out = reinterpret_cast<unsigned char*>(out.data());
  stream.avail_out = static_cast<unsigned>(out.size());
  const int status = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::runtime_error("gzip failed");
  return out;
}

/// One stream of xz.
inline std::string xz(const std::string& text) {
  lzma_options_lzma options;
  lzma_lzma_preset(&options, 6);
  options.dict_size = 1 << 20;
  const lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  std::string out(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  if (lzma_stream_buffer_encode(const_cast<lzma_filter*>(filters), LZMA_CHECK_CRC64, nullptr,
                                reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                                reinterpret_cast<unsigned char*>(out.data()), &size, out.size()) != LZMA_OK)
    throw std::runtime_error("xz failed");
  out.resize(size);
  return out;
}

/// The same, but its header asks for a dictionary of 1 GiB. To compress with one takes 10 GiB.
inline std::string xz_of_large_dictionary(const std::string& text) {
  constexpr std::size_t kStreamHeader = 12;
  constexpr char kLzma2 = 0x21, kGibibyte = 36;
  std::string out = xz(text);
  const std::size_t header = (static_cast<unsigned char>(out[kStreamHeader]) + std::size_t{1}) * 4;
  const std::size_t filter = out.find(std::string{kLzma2, 1}, kStreamHeader);
  out.at(filter + 2) = kGibibyte;
  std::uint32_t crc =
      lzma_crc32(reinterpret_cast<const unsigned char*>(out.data()) + kStreamHeader, header - 4, 0);
  for (std::size_t i = 0; i < 4; ++i, crc >>= 8)
    out.at(kStreamHeader + header - 4 + i) = static_cast<char>(crc & 0xff);
  return out;
}

}  // namespace flitmend::test
