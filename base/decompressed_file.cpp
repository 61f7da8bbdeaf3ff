// SPDX-License-Identifier: Apache-2.0
#include "base/decompressed_file.h"

#include <lzma.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/errors.h"
#include "base/escaped_text.h"
#include "base/text.h"

namespace flitmend {
namespace {

constexpr std::size_t kInputBytes = 1 << 16;
constexpr std::string_view kGzipMagic("\x1f\x8b", 2);
constexpr std::string_view kXzMagic(
    "\xfd"
    "7zXZ\0",
    6);
/// xz -9 needs 65 MiB; a file may ask for 4 GiB.
constexpr std::uint64_t kMostDecoderBytes = std::uint64_t{256} << 20;
/// A few kilobytes can expand to gigabytes; the text of messages shrinks to a hundredth at most.
constexpr std::uint64_t kTrustedBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kMostExpansion = 500;

constexpr const char* kTruncated = "the compressed data ends too early; copy the file again";
constexpr const char* kDamaged =
    "the compressed data is damaged, or followed by something else; copy the file again";

unsigned char* bytes(const char* data) {
  return reinterpret_cast<unsigned char*>(const_cast<char*>(data));
}

}  // namespace

class DecompressedFile::Decoder {
 public:
  Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  virtual ~Decoder() = default;

  struct Step {
    std::size_t in = 0, out = 0;   ///< bytes used, bytes made
    bool ended = false;            ///< the content is complete
    const char* damage = nullptr;  ///< what is wrong
  };
  /// One step. last: there is no input after this.
  virtual Step step(std::string_view input, bool last, char* to, std::size_t size) = 0;
};

class DecompressedFile::GzipDecoder final : public Decoder {
 public:
  GzipDecoder() {
    constexpr int kGzipOnly = 16 + 15;  // with the largest window
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~GzipDecoder() override { inflateEnd(&stream_); }

  Step step(std::string_view input, bool last, char* to, std::size_t size) override {
    if (between_ && input.empty()) return {.ended = true};
    if (std::exchange(between_, false) && inflateReset(&stream_) != Z_OK) throw std::bad_alloc();
    stream_.next_in = bytes(input.data());
    stream_.avail_in = static_cast<unsigned>(input.size());
    stream_.next_out = bytes(to);
    stream_.avail_out = static_cast<unsigned>(size);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    Step done{.in = input.size() - stream_.avail_in, .out = size - stream_.avail_out};
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status == Z_STREAM_END)
      between_ = true;
    else if (status == Z_BUF_ERROR && last && done.in == 0 && done.out == 0)
      done.damage = kTruncated;
    else if (status != Z_OK && status != Z_BUF_ERROR)
      done.damage = kDamaged;
    return done;
  }

 private:
  z_stream stream_{};
  bool between_ = false;  ///< a member has ended
};

class DecompressedFile::XzDecoder final : public Decoder {
 public:
  XzDecoder() {
    if (lzma_stream_decoder(&stream_, kMostDecoderBytes, LZMA_CONCATENATED) != LZMA_OK)
      throw std::bad_alloc();
  }
  ~XzDecoder() override { lzma_end(&stream_); }

  Step step(std::string_view input, bool last, char* to, std::size_t size) override {
    stream_.next_in = bytes(input.data());
    stream_.avail_in = input.size();
    stream_.next_out = bytes(to);
    stream_.avail_out = size;
    const lzma_ret status = lzma_code(&stream_, last ? LZMA_FINISH : LZMA_RUN);
    Step done{.in = input.size() - stream_.avail_in, .out = size - stream_.avail_out};
    switch (status) {
      case LZMA_OK:
        break;
      case LZMA_STREAM_END:
        done.ended = true;
        break;
      case LZMA_BUF_ERROR:
        done.damage = last ? kTruncated : nullptr;
        break;
      case LZMA_MEM_ERROR:
        throw std::bad_alloc();
      case LZMA_MEMLIMIT_ERROR:
        done.damage =
            "the compressed data needs more than 256 MiB of memory; compress it with xz -9 or lower";
        break;
      case LZMA_OPTIONS_ERROR:
        done.damage = "the compressed data has a format that is not supported; compress it with xz or gzip";
        break;
      default:
        done.damage = kDamaged;
    }
    return done;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

DecompressedFile::DecompressedFile(std::string path) : path_(std::move(path)) {
  std::string why;
  stream_ = open_input_file(path_, why);
  if (!stream_)
    throw ConfigurationError("cannot read " + escaped_text(path_) + ": " + why + "; name another file");
  fill();
  if (input_.starts_with(kGzipMagic))
    decoder_ = std::make_unique<GzipDecoder>();
  else if (input_.starts_with(kXzMagic))
    decoder_ = std::make_unique<XzDecoder>();
}

DecompressedFile::~DecompressedFile() = default;

void DecompressedFile::fill() {
  input_.resize(kInputBytes);
  begin_ = 0;
  input_.resize(std::fread(input_.data(), 1, kInputBytes, stream_.get()));
  if (std::ferror(stream_.get()))
    throw ConfigurationError("cannot read " + escaped_text(path_) + ": " +
                             std::generic_category().message(errno));
  end_of_file_ = input_.size() < kInputBytes;
}

std::size_t DecompressedFile::take_stored(char* to, std::size_t size) {
  if (begin_ == input_.size() && !end_of_file_) fill();
  const std::size_t count = std::min(size, input_.size() - begin_);
  std::memcpy(to, input_.data() + begin_, count);
  begin_ += count;
  return count;
}

std::size_t DecompressedFile::decode(char* to, std::size_t size) {
  if (begin_ == input_.size() && !end_of_file_) fill();
  const Decoder::Step step = decoder_->step(std::string_view(input_).substr(begin_), end_of_file_, to, size);
  begin_ += step.in;
  bytes_in_ += step.in;
  bytes_out_ += step.out;
  decoded_ = step.ended;
  if (step.damage) damage_ = step.damage;
  if (bytes_out_ > kTrustedBytes && bytes_out_ / kMostExpansion > bytes_in_)
    damage_ = formatted(
        "the content is more than %1% times as long as the file; decompress it, and name the result",
        kMostExpansion);
  return step.out;
}

std::size_t DecompressedFile::read(char* to, std::size_t size, int line) {
  std::size_t count = 0;
  while (count < size && !decoded_ && damage_.empty()) {
    const std::size_t more =
        decoder_ ? decode(to + count, size - count) : take_stored(to + count, size - count);
    if (!decoder_ && more == 0) break;
    count += more;
  }
  if (count == 0 && !damage_.empty()) throw ConfigurationError(Place{path_, line}, damage_);
  return count;
}

std::string read_decompressed_text(const std::string& path, std::size_t most_bytes, const char* what) {
  DecompressedFile file(path);
  std::string text;
  int line = 1;
  char block[1 << 14];
  while (const std::size_t count = file.read(block, sizeof block, line)) {
    text.append(block, count);
    line += static_cast<int>(std::count(block, block + count, '\n'));
    if (text.size() > most_bytes)
      throw ConfigurationError(formatted("cannot read %1%: it is larger than %2% MiB, the limit for %3%",
                                         escaped_text(path), most_bytes >> 20, what));
  }
  return without_byte_order_mark(std::move(text), path);
}

}  // namespace flitmend
