// SPDX-License-Identifier: Apache-2.0
#include "traces/netrace/writer.h"

#include <bzlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {
namespace {

/// False, with errno set, if the disk does not accept it.
bool write_bzip2(std::FILE* file, const std::string& header, const std::string& packets) {
  int status = BZ_OK;
  BZFILE* const compressor = BZ2_bzWriteOpen(&status, file, 9, 0, 0);
  constexpr std::size_t kPiece = 1 << 20;
  const auto put = [&](const std::string& text) {
    for (std::size_t at = 0; at < text.size() && status == BZ_OK; at += kPiece)
      BZ2_bzWrite(&status, compressor, const_cast<char*>(text.data()) + at,
                  static_cast<int>(std::min(kPiece, text.size() - at)));
  };
  if (status == BZ_OK) put(header);
  if (status == BZ_OK) put(packets);
  const bool written = status == BZ_OK;
  // The library does not free a compressor whose file has an error unless the error is cleared first.
  if (!written) std::clearerr(file);
  BZ2_bzWriteClose(&status, compressor, written ? 0 : 1, nullptr, nullptr);
  if (int ignored; status == BZ_IO_ERROR && written) {
    std::clearerr(file);
    BZ2_bzWriteClose(&ignored, compressor, 1, nullptr, nullptr);
  }
  return written && status == BZ_OK && std::fflush(file) == 0;
}

}  // namespace

NetraceWriter::NetraceWriter(std::string path, unsigned nodes, const std::string& benchmark,
                             std::string notes)
    : path_(std::move(path)), order_(nodes) {
  header_.benchmark = benchmark;
  header_.nodes = nodes;
  header_.notes = std::move(notes);
  if (nodes < 1 || nodes > kNetraceMostNodes)
    fail(formatted("cannot have %1% nodes: the format allows 1 to 255", nodes));
  if (benchmark.size() >= kNetraceNameBytes)
    fail("cannot have the benchmark name '" + benchmark + "': at most 29 bytes");
  if (header_.notes.size() >= kNetraceMostNotesBytes)
    fail(formatted("cannot have notes of %1% bytes (at most %2%)", header_.notes.size(),
                   kNetraceMostNotesBytes - 1));
}

void NetraceWriter::fail(const std::string& what) const {
  throw ConfigurationError("trace '" + path_ + "' " + what);
}

void NetraceWriter::write(const NetracePacket& p) {
  std::string wrong = order_.add(p);
  if (wrong.empty() && p.dependants.size() > kNetraceMostDependants)
    wrong = formatted("lists %1% dependants; the format allows 255", p.dependants.size());
  if (!wrong.empty()) fail(formatted("cannot take packet id %1%: it %2%", p.id, wrong));
  append_little_endian(packets_, p.cycle);
  append_little_endian(packets_, p.id);
  append_little_endian(packets_, p.address);
  for (std::uint8_t byte :
       {p.type, p.source, p.destination, p.node_types, static_cast<std::uint8_t>(p.dependants.size())})
    append_little_endian(packets_, byte);
  for (std::uint32_t id : p.dependants) append_little_endian(packets_, id);
  ++region_.packets;
}

void NetraceWriter::end_region(std::uint64_t cycles) {
  if (header_.regions.size() == kNetraceMostRegions)
    fail(formatted("cannot have more than %1% regions", kNetraceMostRegions));
  region_.cycles = cycles;
  header_.regions.push_back(region_);
  header_.cycles += cycles;
  header_.packets += region_.packets;
  region_ = {.seek_offset = packets_.size()};
}

std::string NetraceWriter::encoded_header() const {
  std::string text;
  append_little_endian(text, kNetraceMagic);
  append_little_endian(text, kNetraceVersion);
  text += header_.benchmark;
  text.append(kNetraceNameBytes - header_.benchmark.size(), '\0');
  text += static_cast<char>(header_.nodes);
  text += '\0';
  append_little_endian(text, header_.cycles);
  append_little_endian(text, header_.packets);
  append_little_endian(text,
                       static_cast<std::uint32_t>(header_.notes.empty() ? 0 : header_.notes.size() + 1));
  append_little_endian(text, static_cast<std::uint32_t>(header_.regions.size()));
  text.append(kNetraceHeaderBytes - text.size(), '\0');
  if (!header_.notes.empty()) text += header_.notes + '\0';
  for (const NetraceRegion& region : header_.regions)
    for (std::uint64_t field : {region.seek_offset, region.cycles, region.packets})
      append_little_endian(text, field);
  return text;
}

void NetraceWriter::close() {
  if (region_.packets) fail("has packets after the end of its last region");
  if (const std::string wrong = order_.end(); !wrong.empty()) fail(wrong);
  std::FILE* const file = std::fopen(path_.c_str(), "wb");
  if (!file) fail(std::string("cannot be written: ") + std::strerror(errno));
  errno = 0;
  const bool written = write_bzip2(file, encoded_header(), packets_);
  const int why = errno;
  if (std::fclose(file) != 0 || !written) {
    const int error = why ? why : errno;
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path_, ignored)) std::filesystem::remove(path_, ignored);
    fail(std::string("cannot be written: ") + std::strerror(error));
  }
}

}  // namespace flitmend
