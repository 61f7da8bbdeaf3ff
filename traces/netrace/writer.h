// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "traces/netrace/format.h"
#include "traces/netrace/packet_order.h"

namespace flitmend {

/// Writes a Netrace file. Counts, offsets and regions of the header are made from what is written, so they
/// cannot disagree with it. The header comes first in the file: packets are therefore kept (21 bytes and 4 a
/// dependant) until close().
class NetraceWriter {
 public:
  /// nodes 1 … 255, benchmark at most 29 bytes. Throws ConfigurationError.
  NetraceWriter(std::string path, unsigned nodes, const std::string& benchmark, std::string notes = {});

  /// The next packet; throws ConfigurationError where it breaks a rule of the format (NetracePacketOrder).
  void write(const NetracePacket&);
  /// Ends a region of that many cycles; the packets since the last end belong to it.
  void end_region(std::uint64_t cycles);
  /// Writes the file: every packet belongs to a region then, and every listed id has come. Throws
  /// ConfigurationError, also where the file cannot be written; nothing is left then.
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
