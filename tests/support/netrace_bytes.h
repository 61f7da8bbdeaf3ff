// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bzlib.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "traces/netrace/format.h"

namespace flitmend::test {

inline std::string bzip2(std::string text) {
  std::string out(text.size() + text.size() / 50 + 700, '\0');
  auto size = static_cast<unsigned>(out.size());
  if (BZ2_bzBuffToBuffCompress(out.data(), &size, text.data(), static_cast<unsigned>(text.size()), 1, 0, 0))
    throw std::runtime_error("bzip2 failed");
  out.resize(size);
  return out;
}

/// Header, notes and regions of a trace with any fields, right or wrong.
struct RawHeader {
  std::uint32_t magic = kNetraceMagic;
  std::uint32_t version = kNetraceVersion;
  std::string name = "raw";
  std::uint8_t nodes = 16;
  std::uint64_t cycles = 100;
  std::uint64_t packets = 0;
  std::string notes;
  std::uint32_t notes_bytes = 0;
  std::vector<NetraceRegion> regions;
  std::uint32_t region_count = 0;

  std::string bytes() const {
    std::string text;
    append_little_endian(text, magic);
    append_little_endian(text, version);
    text += name + std::string(kNetraceNameBytes - name.size(), '\0');
    text += static_cast<char>(nodes);
    text += '\0';
    append_little_endian(text, cycles);
    append_little_endian(text, packets);
    append_little_endian(text, notes_bytes);
    append_little_endian(text, region_count);
    text += std::string(8, '\x55') + notes;  // padding may have any content
    for (const NetraceRegion& r : regions)
      for (std::uint64_t field : {r.seek_offset, r.cycles, r.packets}) append_little_endian(text, field);
    return text;
  }
};

inline std::string raw_packet(const NetracePacket& p) {
  std::string text;
  append_little_endian(text, p.cycle);
  append_little_endian(text, p.id);
  append_little_endian(text, p.address);
  for (std::uint8_t byte :
       {p.type, p.source, p.destination, p.node_types, static_cast<std::uint8_t>(p.dependants.size())})
    text += static_cast<char>(byte);
  for (std::uint32_t id : p.dependants) append_little_endian(text, id);
  return text;
}

}  // namespace flitmend::test
