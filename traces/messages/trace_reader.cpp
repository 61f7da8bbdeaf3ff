// SPDX-License-Identifier: Apache-2.0
#include "traces/messages/trace_reader.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/escaped_text.h"
#include "base/text.h"
#include "traces/netrace/format.h"

namespace flitmend {
namespace {

enum TraceColumn : std::size_t {
  kCycle,
  kSource,
  kDestination,
  kBytes,
  kClass,
  kId,
  kAfter,
  kDelay,
  kFlits,
  kType,
  kAddress,
  kNodeTypes
};
constexpr CsvReader::Column kTraceColumns[] = {{"cycle", true}, {"source", true}, {"destination", true},
                                               {"bytes"},       {"class"},        {"id"},
                                               {"after"},       {"delay"},        {"flits"},
                                               {"type"},        {"address"},      {"node_types"}};
constexpr std::uint64_t kMostBytes = std::uint64_t{kLongestMessage - 2} * 1024;
constexpr std::size_t kMostClasses = 4096;

}  // namespace

bool is_csv_trace(const std::string& file) {
  return file.ends_with(".csv") || file.ends_with(".csv.gz") || file.ends_with(".csv.xz");
}

TraceReader::TraceReader(const std::string& path, NodeOf node_of, TraceOrder order)
    : csv_(path, kTraceColumns), node_of_(std::move(node_of)), order_(order) {}

void TraceReader::fail_after(const std::string& text) const {
  csv_.fail(kAfter, text);
}

bool TraceReader::read(TraceMessage& message) {
  if (!csv_.read()) return false;
  message.cycle = csv_.whole(kCycle, 0, CsvReader::kLargest);
  if (message.cycle < cycle_ && order_ == TraceOrder::by_cycle)
    csv_.fail(kCycle, formatted("cycle %1% comes after cycle %2%; sort the trace: flitmend trace --sort",
                                message.cycle, cycle_));
  cycle_ = message.cycle;
  message.source = node(kSource);
  message.destination = node(kDestination);
  read_length(message);
  message.message_class = class_of(csv_.field(kClass));
  read_after(message);
  read_id(message);
  const auto number = [&](TraceColumn column, std::uint64_t last) {
    return csv_.field(column).empty() ? 0u : static_cast<std::uint32_t>(csv_.whole(column, 0, last));
  };
  message.typed = !csv_.field(kType).empty();
  message.type = number(kType, 255);
  message.address = number(kAddress, ~0u);
  message.node_types = number(kNodeTypes, 255);
  return true;
}

NodeId TraceReader::node(std::size_t column) {
  const std::string_view text = csv_.field(column);
  return node_of_(text, csv_.place(column));
}

void TraceReader::read_length(TraceMessage& message) {
  const bool bytes = !csv_.field(kBytes).empty(), flits = !csv_.field(kFlits).empty();
  if (bytes == flits)
    csv_.fail(bytes ? kFlits : CsvReader::kNoColumn,
              bytes ? "bytes and flits are both given; give one of them"
                    : "no bytes; give the bytes or the flits of the message");
  message.bytes = bytes ? static_cast<std::uint32_t>(csv_.whole(kBytes, 0, kMostBytes)) : 0;
  message.flits = flits ? static_cast<std::uint32_t>(csv_.whole(kFlits, 1, kLongestMessage)) : 0;
}

std::uint32_t TraceReader::class_of(std::string_view name) {
  if (latest_class_ < classes_.size() && classes_[latest_class_] == name) return latest_class_;
  const auto found = std::ranges::find(classes_, name);
  latest_class_ = static_cast<std::uint32_t>(found - classes_.begin());
  if (found == classes_.end()) {
    if (classes_.size() == kMostClasses)
      csv_.fail(kClass, formatted("more than %1% classes; use fewer", kMostClasses));
    if (!is_visible(name))
      csv_.fail(kClass, shown_value(name) + " has characters that nobody can see; remove them");
    classes_.emplace_back(name);
    class_places_.push_back(name.empty() ? csv_.place() : csv_.place(kClass));
  }
  return latest_class_;
}

void TraceReader::read_after(TraceMessage& message) {
  message.after_ids.clear();
  message.after.clear();
  for (std::string_view rest = csv_.field(kAfter); !rest.empty();) {
    const std::size_t end = rest.find(';');
    std::string_view text = rest.substr(0, end);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    std::uint64_t id = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (error != std::errc() || stop != text.data() + text.size() || (end != text.npos && rest.empty()))
      fail_after("after " + shown_value(csv_.field(kAfter)) + " is not a list of ids; write them like 3;17");
    if (std::ranges::find(message.after_ids, id) != message.after_ids.end())
      fail_after(formatted("id %1% is listed twice; list each once", id));
    message.after_ids.push_back(id);
    if (order_ == TraceOrder::any) continue;
    const auto found = number_of_.find(id);
    if (found == number_of_.end())
      fail_after(
          formatted("no earlier line has the id %1%; a message waits for messages of earlier lines", id));
    message.after.push_back(found->second);
  }
  message.delay = 0;
  if (!csv_.field(kDelay).empty()) {
    if (message.after_ids.empty())
      csv_.fail(kDelay, "a delay without after; remove it, or name what it follows");
    message.delay = csv_.whole(kDelay, 0, CsvReader::kLargest);
  }
}

void TraceReader::read_id(TraceMessage& message) {
  message.number = TraceMessage::kNoId;
  if (csv_.field(kId).empty()) return;
  message.id = csv_.whole(kId, 0, CsvReader::kLargest);
  message.number = static_cast<std::uint32_t>(line_of_.size());
  const auto [first, is_new] = number_of_.try_emplace(message.id, message.number);
  if (!is_new)
    csv_.fail(kId, formatted("id %1% is that of line %2%, too; give each message its own", message.id,
                             line_of_[first->second]));
  line_of_.push_back(csv_.place().line);
}

TraceSummary scan_trace(const std::string& path, const TraceReader::NodeOf& node_of,
                        std::uint32_t flit_bytes) {
  TraceReader reader(path, node_of);
  TraceSummary summary;
  for (TraceMessage message; reader.read(message); ++summary.messages) {
    const std::uint32_t flits = trace_flits(message, flit_bytes);
    if (flits > kLongestMessage)
      throw ConfigurationError(reader.place(),
                               formatted("%1% bytes are %2% flits, but a message has %3% at most; "
                                         "break it into several, or raise link.flit_bytes",
                                         message.bytes, flits, kLongestMessage));
    summary.longest = std::max(summary.longest, flits);
  }
  summary.classes = reader.classes();
  summary.class_places = reader.class_places();
  return summary;
}

std::uint32_t trace_flits(const TraceMessage& message, std::uint32_t flit_bytes) {
  return message.flits > 0 ? message.flits : flits_of_bytes(message.bytes, flit_bytes);
}

}  // namespace flitmend
