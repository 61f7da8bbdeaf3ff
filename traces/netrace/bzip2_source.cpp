// SPDX-License-Identifier: Apache-2.0
#include "traces/netrace/bzip2_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {
namespace {
constexpr std::size_t kBufferBytes = 1 << 16;
}

Bzip2Source::Bzip2Source(std::string path) : path_(std::move(path)), buffer_(kBufferBytes) {
  std::string why;
  file_ = open_input_file(path_, why);
  if (!file_) fail("cannot be opened: " + why);
}

Bzip2Source::~Bzip2Source() {
  if (open_) BZ2_bzDecompressEnd(&stream_);
}

void Bzip2Source::fail(const std::string& what) const {
  throw ConfigurationError("trace '" + path_ + "' " + what);
}

void Bzip2Source::fill() {
  const std::size_t count = std::fread(buffer_.data(), 1, buffer_.size(), file_.get());
  if (count == 0) {
    if (std::ferror(file_.get())) fail(std::string("cannot be read: ") + std::strerror(errno));
    end_of_file_ = true;
  }
  compressed_bytes_ += count;
  stream_.next_in = buffer_.data();
  stream_.avail_in = static_cast<unsigned>(count);
}

bool Bzip2Source::next_stream() {
  if (open_) {
    char* const rest = stream_.next_in;
    const unsigned rest_bytes = stream_.avail_in;
    BZ2_bzDecompressEnd(&stream_);
    open_ = false;
    stream_ = {};
    stream_.next_in = rest;
    stream_.avail_in = rest_bytes;
  }
  if (stream_.avail_in == 0 && !end_of_file_) fill();
  if (stream_.avail_in == 0) {
    if (streams_ == 0) fail("is empty: a Netrace file is compressed with bzip2 and holds at least a header");
    return false;
  }
  if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
  open_ = true;
  ++streams_;
  return true;
}

std::size_t Bzip2Source::read(void* data, std::size_t size) {
  constexpr std::size_t kMost = std::numeric_limits<unsigned>::max();
  char* out = static_cast<char*>(data);
  std::size_t done = 0;
  bool stream_ended = false;
  while (done < size) {
    if (!open_ || stream_ended) {
      if (!next_stream()) break;
      stream_ended = false;
    }
    if (stream_.avail_in == 0 && !end_of_file_) fill();
    stream_.next_out = out + done;
    const auto room = static_cast<unsigned>(std::min(size - done, kMost));
    stream_.avail_out = room;
    const int status = BZ2_bzDecompress(&stream_);
    done += room - stream_.avail_out;
    switch (status) {
      case BZ_OK:
        if (stream_.avail_in == 0 && end_of_file_ && stream_.avail_out != 0)
          fail(formatted("is cut short: its compressed data break off after %1% bytes", compressed_bytes_));
        break;
      case BZ_STREAM_END:
        stream_ended = true;
        break;
      case BZ_DATA_ERROR_MAGIC:
        if (streams_ == 1) fail("is not a bzip2 file: a Netrace file is compressed with bzip2");
        fail("has data that is not bzip2 after its compressed data");
      case BZ_MEM_ERROR:
        throw std::bad_alloc();
      default:
        fail("is damaged: its compressed data do not match their checksum");
    }
  }
  // The end of a stream may be noticed only now; the next call starts the next stream.
  if (stream_ended) next_stream();
  position_ += done;
  return done;
}

}  // namespace flitmend
