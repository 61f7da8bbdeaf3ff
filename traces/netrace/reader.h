// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bzlib.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/input_file.h"
#include "topologies/topology.h"
#include "traces/netrace/format.h"

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

/// Reads a Netrace file packet by packet. Memory does not grow with the length of the file: it holds buffers,
/// announced ids whose packets have not been read yet, and gaps between ids.
///
/// Everything is checked as it is read. Errors are ConfigurationErrors that name the file, the packet and the
/// remedy.
class NetraceReader {
 public:
  /// Opens the file and reads its header. With `region`, goes to that region's first packet (the packets
  /// before it are decompressed but not checked) and ends after its last one.
  explicit NetraceReader(const std::string& path, std::optional<unsigned> region = {});

  const NetraceHeader& header() const { return header_; }
  const std::string& path() const { return source_.path(); }
  /// Reads the next packet; false after the last one. The packet's storage is reused.
  bool read(NetracePacket&);
  /// Packets returned by read() so far.
  std::uint64_t packets_read() const { return order_->packets(); }
  /// Packets that read() returns in all.
  std::uint64_t packets() const { return packets_; }
  /// Cycles before the region that is read; 0 for the whole trace.
  std::uint64_t first_cycle() const { return first_cycle_; }

 private:
  void read_header();
  void seek(unsigned region);
  void finish();
  void look_for_damage();
  [[noreturn]] void fail(const std::string& what);
  [[noreturn]] void fail(const NetracePacket&, const std::string& what);

  Bzip2Source source_;
  NetraceHeader header_;
  std::optional<unsigned> region_;
  std::optional<NetracePacketOrder> order_;
  std::uint64_t packets_ = 0;
  std::uint64_t first_cycle_ = 0;
  bool finished_ = false;
};

/// Throws ConfigurationError if the trace has another number of nodes than the network.
void check_netrace_fits(const std::string& path, const NetraceHeader&, const Topology&);

/// Summary of a trace.
struct NetraceSummary {
  NetraceHeader header;
  std::uint64_t packets = 0;
  std::uint64_t to_own_node = 0;
  std::uint64_t dependencies = 0;
  std::uint64_t bytes = 0;
  std::uint64_t last_cycle = 0;
  std::map<std::uint8_t, std::uint64_t> by_type;
};

/// Reads the whole trace (or one region), and so finds any error before a run starts.
NetraceSummary scan_netrace(const std::string& path, std::optional<unsigned> region = {});

}  // namespace flitmend
