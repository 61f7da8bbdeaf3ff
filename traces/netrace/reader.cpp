// SPDX-License-Identifier: Apache-2.0
#include "traces/netrace/reader.h"

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
          fail(formatted("is cut short: its compressed data end after %1% bytes", compressed_bytes_));
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

NetraceReader::NetraceReader(const std::string& path, std::optional<unsigned> region)
    : source_(path), region_(region) {
  read_header();
  order_.emplace(header_.nodes);
  packets_ = header_.packets;
  if (region_) seek(*region_);
}

// A damaged block is detected by its checksum only at its end, after its bytes have been returned. The
// checksum is then the error to report, not the apparent contents of those bytes.
void NetraceReader::look_for_damage() {
  constexpr std::uint64_t kLongestBlock = 1 << 26;
  std::vector<char> ignored(1 << 16);
  const std::uint64_t end = source_.position() + kLongestBlock;
  while (source_.position() < end && source_.read(ignored.data(), ignored.size()) > 0) {
  }
}

void NetraceReader::fail(const std::string& what) {
  look_for_damage();
  throw ConfigurationError("trace '" + path() + "' " + what);
}

void NetraceReader::fail(const NetracePacket& p, const std::string& what) {
  look_for_damage();
  throw ConfigurationError(formatted("trace '%1%': packet %2% (id %3%, cycle %4%) %5%", path(),
                                     packets_read() + 1, p.id, p.cycle, what));
}

void NetraceReader::read_header() {
  const auto get = [&](void* to, std::size_t bytes, const char* part) {
    if (const std::size_t got = source_.read(to, bytes); got < bytes)
      fail(formatted("is cut short in its %1%: %2% of %3% bytes are present", part, got, bytes));
  };
  std::array<unsigned char, kNetraceHeaderBytes> bytes;
  get(bytes.data(), bytes.size(), "header");
  const unsigned char* at = bytes.data();
  if (read_little_endian<std::uint32_t>(at) != kNetraceMagic)
    fail("is not a Netrace file: it does not begin with the magic number 0x484A5455");
  if (read_little_endian<std::uint32_t>(at) != kNetraceVersion)
    fail("has another version of Netrace; this reader supports version 1.0");
  const auto* const name = reinterpret_cast<const char*>(at);
  header_.benchmark.assign(name, std::find(name, name + kNetraceNameBytes, '\0'));
  at += kNetraceNameBytes;
  header_.nodes = read_little_endian<std::uint8_t>(at);
  ++at;
  header_.cycles = read_little_endian<std::uint64_t>(at);
  header_.packets = read_little_endian<std::uint64_t>(at);
  const auto notes_bytes = read_little_endian<std::uint32_t>(at);
  const auto regions = read_little_endian<std::uint32_t>(at);
  if (header_.nodes == 0) fail("has a damaged header: it says 0 nodes");
  if (notes_bytes > kNetraceMostNotesBytes)
    fail(formatted("has a damaged header: %1% bytes of notes (at most %2%)", notes_bytes,
                   kNetraceMostNotesBytes));
  if (regions > kNetraceMostRegions)
    fail(formatted("has a damaged header: %1% regions (at most %2%)", regions, kNetraceMostRegions));
  header_.notes.resize(notes_bytes);
  get(header_.notes.data(), notes_bytes, "notes");
  header_.notes.resize(std::min(header_.notes.find('\0'), header_.notes.size()));
  for (std::uint32_t i = 0; i < regions; ++i) {
    std::array<unsigned char, kNetraceRegionBytes> entry;
    get(entry.data(), entry.size(), "table of regions");
    at = entry.data();
    NetraceRegion& region = header_.regions.emplace_back();
    region.seek_offset = read_little_endian<std::uint64_t>(at);
    region.cycles = read_little_endian<std::uint64_t>(at);
    region.packets = read_little_endian<std::uint64_t>(at);
  }
}

void NetraceReader::seek(unsigned region) {
  if (region >= header_.regions.size())
    fail(formatted("has no region %1%; it has %2% regions, counted from 0", region, header_.regions.size()));
  for (unsigned i = 0; i < region; ++i) first_cycle_ += header_.regions[i].cycles;
  packets_ = header_.regions[region].packets;
  std::array<char, 1 << 14> ignored;
  for (std::uint64_t left = header_.regions[region].seek_offset; left > 0;) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, ignored.size()));
    if (source_.read(ignored.data(), wanted) < wanted)
      fail(formatted("is cut short: it ends before its region %1% begins", region));
    left -= wanted;
  }
}

bool NetraceReader::read(NetracePacket& p) {
  if (packets_read() == packets_) {
    if (!finished_) finish();
    return false;
  }
  const auto cut = [&](const char* where) {
    fail(formatted("is cut short: it ends %1% packet %2% of %3%", where, packets_read() + 1, packets_));
  };
  std::array<unsigned char, 4 * kNetraceMostDependants> bytes;
  if (const std::size_t got = source_.read(bytes.data(), kNetracePacketBytes); got < kNetracePacketBytes)
    cut(got == 0 ? "before" : "in");
  const unsigned char* at = bytes.data();
  p.cycle = read_little_endian<std::uint64_t>(at);
  p.id = read_little_endian<std::uint32_t>(at);
  p.address = read_little_endian<std::uint32_t>(at);
  p.type = read_little_endian<std::uint8_t>(at);
  p.source = read_little_endian<std::uint8_t>(at);
  p.destination = read_little_endian<std::uint8_t>(at);
  p.node_types = read_little_endian<std::uint8_t>(at);
  const std::size_t dependants = read_little_endian<std::uint8_t>(at);
  if (source_.read(bytes.data(), 4 * dependants) < 4 * dependants) cut("in");
  at = bytes.data();
  p.dependants.clear();
  for (std::size_t i = 0; i < dependants; ++i) p.dependants.push_back(read_little_endian<std::uint32_t>(at));
  if (const std::string wrong = order_->add(p); !wrong.empty()) fail(p, wrong);
  return true;
}

void NetraceReader::finish() {
  finished_ = true;
  if (region_) return;  // what its packets list may be in a later region
  char byte;
  if (source_.read(&byte, 1) != 0)
    fail(formatted("continues after the %1% packets that its header announces", packets_));
  if (const std::string wrong = order_->end(); !wrong.empty()) fail(wrong);
}

void check_netrace_fits(const std::string& path, const NetraceHeader& header, const Topology& topology) {
  if (header.nodes != topology.node_count())
    throw ConfigurationError(formatted(
        "trace '%1%' has %2% nodes, but the network (%3%) has %4%; use a network of the trace's size", path,
        header.nodes, topology.description(), topology.node_count()));
}

NetraceSummary scan_netrace(const std::string& path, std::optional<unsigned> region) {
  NetraceReader reader(path, region);
  NetraceSummary summary;
  summary.header = reader.header();
  for (NetracePacket p; reader.read(p);) {
    ++summary.packets;
    summary.to_own_node += p.source == p.destination;
    summary.dependencies += p.dependants.size();
    summary.bytes += netrace_type(p.type)->bytes;
    summary.last_cycle = p.cycle;
    ++summary.by_type[p.type];
  }
  return summary;
}

}  // namespace flitmend
