// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/input_file.h"

namespace flitmend {

/// Reads the content of a file from its start to its end, in constant memory. A file that begins as those of
/// gzip or xz do is decompressed; it may have several members. Any other is read as it is.
class DecompressedFile {
 public:
  /// Throws ConfigurationError if the file cannot be opened.
  explicit DecompressedFile(std::string path);
  ~DecompressedFile();
  DecompressedFile(const DecompressedFile&) = delete;
  DecompressedFile& operator=(const DecompressedFile&) = delete;

  /// Reads up to `size` bytes of the content; 0: its end. Throws ConfigurationError, once all content before
  /// the damage has been read, if the compressed data is damaged or truncated, or needs too much memory, or
  /// if the content is improbably long. `line`: the line of the content that the error names.
  std::size_t read(char* to, std::size_t size, int line);

 private:
  class Decoder;
  class GzipDecoder;
  class XzDecoder;

  void fill();
  std::size_t take_stored(char* to, std::size_t size);
  std::size_t decode(char* to, std::size_t size);

  std::string path_;
  InputStream stream_;
  std::string input_;      ///< a block of the file
  std::size_t begin_ = 0;  ///< of what has not been decoded
  bool end_of_file_ = false;
  std::unique_ptr<Decoder> decoder_;  ///< none: the file is not compressed
  std::uint64_t bytes_in_ = 0, bytes_out_ = 0;
  bool decoded_ = false;  ///< there is no more content
  std::string damage_;    ///< what is wrong with what follows
};

/// The whole content, as read_input_text has it.
std::string read_decompressed_text(const std::string& path, std::size_t most_bytes, const char* what);

}  // namespace flitmend
