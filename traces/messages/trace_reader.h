// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/csv_reader.h"
#include "rtl_tlm/signals/message.h"
#include "topologies/topology.h"

namespace flitmend {

/// Whether a file name is that of a CSV trace, perhaps compressed: it ends in .csv, .csv.gz or .csv.xz.
bool is_csv_trace(const std::string& file);

/// A message of a CSV trace.
struct TraceMessage {
  static constexpr std::uint32_t kNoId = ~0u;

  Cycle cycle = 0;
  NodeId source = 0;
  NodeId destination = 0;
  std::uint32_t bytes = 0;
  std::uint32_t flits = 0;                    ///< if the trace gives the length in flits; 0: it gives bytes
  std::uint32_t message_class = 0;            ///< TraceReader::classes
  std::uint64_t id = 0;                       ///< as written
  std::uint32_t number = kNoId;               ///< of the messages with an id: 0, 1, 2, …; without one kNoId
  std::vector<std::uint64_t> after_ids = {};  ///< of the messages that it waits for, as written
  std::vector<std::uint32_t> after = {};      ///< their numbers; empty if the lines are in any order
  Cycle delay = 0;
  // As in Netrace, for conversion.
  std::uint32_t type = 0, address = 0, node_types = 0;
  bool typed = false;  ///< the trace gives the type
};

enum class TraceOrder {
  by_cycle,  ///< cycles ascend, and a message comes after those that it waits for
  any
};

/// Reads a trace of messages in CSV, one after the other; docs/workloads.md has its columns. Memory grows
/// with the messages that have an id, but not with the others. Errors are ConfigurationErrors with file, line
/// and column.
class TraceReader {
 public:
  /// The node of a name; throws ConfigurationError with the place.
  using NodeOf = std::function<NodeId(std::string_view, const Place&)>;
  TraceReader(const std::string& path, NodeOf node_of, TraceOrder = TraceOrder::by_cycle);

  /// Reads the next message; false after the last one. Its storage is reused.
  bool read(TraceMessage&);
  /// The classes so far, in the order in which they appeared; a message without one has the class "".
  const std::vector<std::string>& classes() const { return classes_; }
  /// Where each of them appeared first.
  const std::vector<Place>& class_places() const { return class_places_; }
  Place place() const { return csv_.place(); }

 private:
  NodeId node(std::size_t column);
  void read_length(TraceMessage&);
  std::uint32_t class_of(std::string_view name);
  void read_after(TraceMessage&);
  [[noreturn]] void fail_after(const std::string& text) const;
  void read_id(TraceMessage&);

  CsvReader csv_;
  NodeOf node_of_;
  TraceOrder order_;
  Cycle cycle_ = 0;
  std::vector<std::string> classes_;
  std::vector<Place> class_places_;
  std::uint32_t latest_class_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> number_of_;  ///< by id
  std::vector<int> line_of_;                                    ///< by number
};

/// What a trace has.
struct TraceSummary {
  std::uint64_t messages = 0;
  std::uint32_t longest = 0;  ///< flits
  std::vector<std::string> classes;
  std::vector<Place> class_places;  ///< where each of them appeared first
};

/// Reads the whole trace, and so finds any error before a run starts.
TraceSummary scan_trace(const std::string& path, const TraceReader::NodeOf&, std::uint32_t flit_bytes);

/// Flits of a message: as given, or of its bytes.
std::uint32_t trace_flits(const TraceMessage&, std::uint32_t flit_bytes);

}  // namespace flitmend
