// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "traces/netrace/format.h"

namespace flitmend {

/// Writes a Netrace file. The counts, offsets and regions of the header are computed from what is written.
/// Because the header comes first in the file, packets are kept in memory until close(): 21 bytes each, and 4
/// per dependant.
class NetraceWriter {
 public:
  /// nodes 1 … 255, benchmark at most 29 bytes. Throws ConfigurationError.
  NetraceWriter(std::string path, unsigned nodes, const std::string& benchmark, std::string notes = {});

  /// Adds a packet. Throws ConfigurationError if it breaks a rule of the format (NetracePacketOrder).
  void write(const NetracePacket&);
  /// Ends a region of that many cycles; it holds the packets since the end of the previous region.
  void end_region(std::uint64_t cycles);
  /// Writes the file. Every packet must belong to a region, and every listed id must have arrived. Throws
  /// ConfigurationError if not, or if the file cannot be written; no file is left in that case.
  void close();

 private:
  std::string encoded_header() const;
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_;
  NetraceHeader header_;
  NetracePacketOrder order_;
  NetraceRegion region_;
  std::string packets_;
};

}  // namespace flitmend
