// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <bitset>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace flitmend {

/// The Netrace file format [Netrace], version 1.0: bzip2, little-endian; a header, its notes, a table of
/// regions, then packets in order of cycle.

inline constexpr std::uint32_t kNetraceMagic = 0x484A5455;
inline constexpr std::uint32_t kNetraceVersion = 0x3F800000;  ///< 1.0 as a 32-bit float
inline constexpr std::size_t kNetraceNameBytes = 30;
inline constexpr std::size_t kNetraceHeaderBytes = 72;
inline constexpr std::size_t kNetraceRegionBytes = 24;
inline constexpr std::size_t kNetracePacketBytes = 21;
inline constexpr unsigned kNetraceMostNodes = 255;
inline constexpr std::size_t kNetraceMostDependants = 255;
/// More notes or regions than this mean a damaged header.
inline constexpr std::uint32_t kNetraceMostNotesBytes = 1 << 20;
inline constexpr std::uint32_t kNetraceMostRegions = 1 << 16;

/// A section of the trace: a phase of the program.
struct NetraceRegion {
  std::uint64_t seek_offset = 0;  ///< bytes of packets before it, uncompressed
  std::uint64_t cycles = 0;
  std::uint64_t packets = 0;
  friend bool operator==(const NetraceRegion&, const NetraceRegion&) = default;
};

struct NetraceHeader {
  std::string benchmark;  ///< at most 29 bytes
  unsigned nodes = 0;     ///< 1 … 255
  std::uint64_t cycles = 0;
  std::uint64_t packets = 0;
  std::string notes;
  std::vector<NetraceRegion> regions;
  friend bool operator==(const NetraceHeader&, const NetraceHeader&) = default;
};

struct NetracePacket {
  std::uint64_t cycle = 0;  ///< the earliest cycle at which it may enter its source queue
  std::uint32_t id = 0;
  std::uint32_t address = 0;
  std::uint8_t type = 0;
  std::uint8_t source = 0;
  std::uint8_t destination = 0;
  std::uint8_t node_types = 0;                 ///< high half: source's node type, low half: destination's
  std::vector<std::uint32_t> dependants = {};  ///< ids of packets that wait until this one is delivered
  friend bool operator==(const NetracePacket&, const NetracePacket&) = default;
};

struct NetraceType {
  std::uint8_t number;
  std::string_view name;
  std::uint32_t bytes;  ///< size of such a message
};

std::span<const NetraceType> netrace_types();
/// The type with that number; nullptr if there is none.
const NetraceType* netrace_type(std::uint8_t number);

/// Flits of a message of that many bytes: head, tail, and ceil(bytes / flit_bytes) data flits.
constexpr std::uint32_t flits_of_bytes(std::uint32_t bytes, std::uint32_t flit_bytes) {
  return 2 + (bytes + flit_bytes - 1) / flit_bytes;
}

/// Little-endian fields at the start of a byte buffer.
template <class Integer>
Integer read_little_endian(const unsigned char*& from) {
  Integer value = 0;
  for (std::size_t i = 0; i < sizeof(Integer); ++i)
    value = static_cast<Integer>(value | static_cast<Integer>(from[i]) << (8 * i));
  from += sizeof(Integer);
  return value;
}
template <class Integer>
void append_little_endian(std::string& to, Integer value) {
  for (std::size_t i = 0; i < sizeof(Integer); ++i) to += static_cast<char>(value >> (8 * i) & 0xFF);
}

/// Which of the 2^32 ids have been seen. Exact. Memory grows with the gaps between ids, not with their
/// number: a page of 4,096 ids is dropped when all of them have arrived.
class IdSet {
 public:
  /// Adds an id; false if it was already there.
  bool add(std::uint32_t id);
  bool contains(std::uint32_t id) const;
  /// Pages currently held.
  std::size_t pages() const { return partial_.size(); }

 private:
  static constexpr unsigned kPageBits = 12;
  static constexpr std::size_t kPageIds = 1u << kPageBits;
  struct Page {
    std::bitset<kPageIds> ids;
    std::size_t count = 0;
  };
  std::vector<bool> full_ = std::vector<bool>(std::size_t{1} << (32 - kPageBits));
  std::pmr::unsynchronized_pool_resource memory_;  // memory of dropped pages is reused
  std::pmr::unordered_map<std::uint32_t, Page> partial_{&memory_};
};

/// The rules for the sequence of packets in a trace, for reading and writing: nodes inside the network, known
/// types, cycles in order, unique ids, dependants that come later.
class NetracePacketOrder {
 public:
  explicit NetracePacketOrder(unsigned nodes) : nodes_(nodes) {}

  /// Takes the next packet; returns what is wrong with it, or nothing.
  std::string add(const NetracePacket&);
  /// The error if no packet follows: ids that packets list and that never arrived.
  std::string end() const;
  std::uint64_t packets() const { return packets_; }

 private:
  unsigned nodes_;
  std::uint64_t packets_ = 0;
  std::uint64_t cycle_ = 0;
  IdSet seen_;
  std::pmr::unsynchronized_pool_resource memory_;  // memory of ids that have arrived is reused
  std::pmr::unordered_set<std::uint32_t> announced_{&memory_};
};

}  // namespace flitmend
