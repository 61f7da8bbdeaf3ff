// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bzlib.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/input_file.h"

namespace flitmend {

/// Reads a bzip2 file as a stream of bytes, with a fixed buffer. The file may consist of several bzip2
/// streams in a row, as parallel compressors write them. Throws ConfigurationError if the file cannot be
/// opened or read, is not bzip2, is damaged, or is truncated.
class Bzip2Source {
 public:
  explicit Bzip2Source(std::string path);
  ~Bzip2Source();
  Bzip2Source(const Bzip2Source&) = delete;
  Bzip2Source& operator=(const Bzip2Source&) = delete;

  /// Up to `size` bytes; fewer only at the end of the file.
  std::size_t read(void* data, std::size_t size);
  /// Bytes returned so far.
  std::uint64_t position() const { return position_; }
  const std::string& path() const { return path_; }

 private:
  void fill();
  bool next_stream();
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_;
  InputStream file_;
  std::vector<char> buffer_;
  bz_stream stream_{};
  bool open_ = false;
  bool end_of_file_ = false;
  unsigned streams_ = 0;
  std::uint64_t compressed_bytes_ = 0;
  std::uint64_t position_ = 0;
};

}  // namespace flitmend
