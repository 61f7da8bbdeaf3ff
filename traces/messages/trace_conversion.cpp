// SPDX-License-Identifier: Apache-2.0
#include "traces/messages/trace_conversion.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <queue>
#include <sstream>
#include <tuple>
#include <unordered_map>

#include "base/checked_file.h"
#include "base/csv_field.h"
#include "base/csv_reader.h"
#include "base/decompressed_file.h"
#include "base/text.h"
#include "traces/messages/trace_reader.h"
#include "traces/netrace/reader.h"
#include "traces/netrace/writer.h"

namespace flitmend {
namespace {

constexpr std::string_view kRemark = "# netrace ";  // of what only a Netrace file has, before the lines

constexpr std::uint32_t kWidestFlit = 1024;  // bytes

/// A trace does not know the names of a network.
NodeId numbered_node(std::string_view text, const Place& place) {
  NodeId node = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), node);
  if (error != std::errc() || end != text.data() + text.size())
    throw ConfigurationError(place, shown_value(text) + " is not the number of a node; write digits only");
  return node;
}

/// The new number of a node, which has a number or a name that the mapping lists.
NodeId mapped_node(std::string_view text, const Place& place, NodeMapping& mapped) {
  if (const auto node = mapped(text)) return *node;
  return mapped(numbered_node(text, place));
}

/// What the remarks at the start of a CSV trace say about the Netrace file that it comes from.
struct NetraceRemarks {
  std::string benchmark = "converted";
  std::optional<unsigned> nodes;
  struct Region {
    std::uint64_t cycles = 0, packets = 0;
  };
  std::vector<Region> regions;
};

/// The remarks at the start of a CSV trace that only Netrace needs, as they are.
std::string netrace_remarks(const std::string& file) {
  DecompressedFile stream(file);
  std::string text;
  char block[1 << 12];
  for (std::size_t at = 0;;) {
    const std::size_t end = text.find('\n', at);
    if (end == text.npos) {
      const std::size_t count = stream.read(block, sizeof block, 1);
      if (count == 0) return text.substr(0, at);
      text.append(block, count);
    } else if (std::string_view(text).substr(at).starts_with(kRemark)) {
      at = end + 1;
    } else {
      return text.substr(0, at);
    }
  }
}

NetraceRemarks remarks_of(const std::string& file) {
  NetraceRemarks remarks;
  std::istringstream lines(netrace_remarks(file));
  for (std::string line; std::getline(lines, line);) {
    std::string rest = line.substr(kRemark.size());
    if (rest.ends_with('\r')) rest.pop_back();
    unsigned nodes = 0;
    unsigned long long cycles = 0, packets = 0;
    if (rest.starts_with("benchmark "))
      remarks.benchmark = rest.substr(10, kNetraceNameBytes - 1);
    else if (std::sscanf(rest.c_str(), "nodes %u", &nodes) == 1)
      remarks.nodes = nodes;
    else if (std::sscanf(rest.c_str(), "region %llu cycles %llu packets", &cycles, &packets) == 2)
      remarks.regions.push_back({cycles, packets});
  }
  return remarks;
}

std::uint64_t netrace_to_csv(const std::string& from, const std::string& to, NodeMapping& mapped) {
  NetraceReader reader(from);
  mapped.refuse_unused_names();
  CheckedFile out(to);
  const NetraceHeader& header = reader.header();
  out.write(formatted("%1%benchmark %2%\n%1%nodes %3%\n", kRemark, header.benchmark, header.nodes));
  for (const NetraceRegion& region : header.regions)
    out.write(formatted("%1%region %2% cycles %3% packets\n", kRemark, region.cycles, region.packets));
  out.write("cycle,source,destination,bytes,class,id,after,delay,type,address,node_types\n");
  std::unordered_map<std::uint32_t, std::string> after;  // ids that announced packets wait for
  std::uint64_t count = 0;
  for (NetracePacket p; reader.read(p); ++count) {
    const NetraceType& type = *netrace_type(p.type);
    const auto waits = after.find(p.id);
    out.write(formatted("%1%,%2%,%3%,%4%,%5%,%6%,%7%,,%8%,%9%,%10%\n", p.cycle, mapped(p.source),
                        mapped(p.destination), type.bytes, type.name, p.id,
                        waits == after.end() ? std::string() : waits->second, unsigned{p.type}, p.address,
                        unsigned{p.node_types}));
    if (waits != after.end()) after.erase(waits);
    for (const std::uint32_t id : p.dependants) {
      std::string& ids = after[id];
      ids += (ids.empty() ? "" : ";") + std::to_string(p.id);
    }
  }
  out.commit();
  return count;
}

/// The packet of a message, without its dependants. Throws ConfigurationError if Netrace cannot express it.
NetracePacket packet_of(const TraceMessage& message, std::uint32_t id, const Place& place) {
  const auto refuse = [&](const std::string& what) {
    throw ConfigurationError(place, "the message " + what);
  };
  if (message.delay > 0) refuse("has a delay, which Netrace does not know; remove it");
  if (message.flits > 0) refuse("has its length in flits; Netrace needs bytes, 8 or 72");
  if (std::max(message.source, message.destination) >= kNetraceMostNodes)
    refuse("has a node above 254, the largest that Netrace knows; map its nodes to others");
  NetracePacket packet{.cycle = message.cycle,
                       .id = id,
                       .address = message.address,
                       .type = static_cast<std::uint8_t>(message.type),
                       .source = static_cast<std::uint8_t>(message.source),
                       .destination = static_cast<std::uint8_t>(message.destination),
                       .node_types = static_cast<std::uint8_t>(message.node_types)};
  if (!message.typed) {
    const auto types = netrace_types();
    const auto found = std::ranges::find(types, message.bytes, &NetraceType::bytes);
    if (found == types.end())
      refuse(formatted("has %1% bytes; Netrace knows 8 and 72, so give one of them", message.bytes));
    packet.type = found->number;
  }
  return packet;
}

std::uint64_t csv_to_netrace(const std::string& from, const std::string& to, NodeMapping& mapped) {
  std::vector<TraceMessage> messages;
  std::vector<Place> places;
  TraceReader reader(
      from, [&](std::string_view text, const Place& place) { return mapped_node(text, place, mapped); });
  for (TraceMessage message; reader.read(message); places.push_back(reader.place()))
    messages.push_back(message);
  mapped.refuse_unused_names();
  const NetraceRemarks remarks = remarks_of(from);
  std::vector<NetracePacket> packets;
  std::vector<std::size_t> packet_of_number;
  std::uint64_t next_id = 0;  // of messages without one
  unsigned nodes = 1;
  for (const TraceMessage& message : messages) next_id = std::max(next_id, message.id + 1);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const TraceMessage& message = messages[i];
    const bool has_id = message.number != TraceMessage::kNoId;
    const std::uint64_t id = has_id ? message.id : next_id++;
    if (id > ~std::uint32_t{0})
      throw ConfigurationError(
          places[i], formatted("id %1% is above 4294967295, the largest that Netrace knows; renumber "
                               "the messages",
                               id));
    if (has_id) packet_of_number.push_back(packets.size());
    for (const std::uint32_t number : message.after)
      packets[packet_of_number[number]].dependants.push_back(static_cast<std::uint32_t>(id));
    packets.push_back(packet_of(message, static_cast<std::uint32_t>(id), places[i]));
    nodes = std::max<unsigned>(nodes, 1u + std::max(packets.back().source, packets.back().destination));
  }
  NetraceWriter writer(to, std::max(nodes, remarks.nodes.value_or(1)), remarks.benchmark);
  std::vector<NetraceRemarks::Region> regions = remarks.regions;
  std::uint64_t in_regions = 0;
  for (const auto& region : regions) in_regions += region.packets;
  if (in_regions != packets.size()) regions = {{packets.back().cycle + 1, packets.size()}};
  std::size_t at = 0;
  for (const auto& region : regions) {
    for (std::uint64_t i = 0; i < region.packets; ++i) writer.write(packets[at++]);
    writer.end_region(region.cycles);
  }
  writer.close();
  return packets.size();
}

/// Lines of a CSV file by columns, as texts.
struct TextLine {
  std::uint64_t cycle = 0, source = 0, id = 0;
  std::size_t number = 0;  ///< in the file
  std::vector<std::string> fields;
};

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields)
    line += (line.empty() && &field == &fields.front() ? "" : ",") + csv_field(field);
  return line + "\n";
}

enum class Kind { trace, messages_of_run };

constexpr CsvReader::Column kRunColumns[] = {{"id"},
                                             {"source", true},
                                             {"destination", true},
                                             {"flow"},
                                             {"class"},
                                             {"flits", true},
                                             {"created", true},
                                             {"injected"},
                                             {"arrived"},
                                             {"hops"},
                                             {"hit"},
                                             {"end"}};
constexpr CsvReader::Column kTextColumns[] = {{"cycle", true}, {"source", true}, {"destination", true},
                                              {"bytes"},       {"class"},        {"id"},
                                              {"after"},       {"delay"},        {"flits"},
                                              {"type"},        {"address"},      {"node_types"}};

/// Whether the file has the header of messages.csv.
Kind kind_of(const std::string& file) {
  constexpr std::string_view kHeader = "id,source,destination,flow";
  char start[kHeader.size()];
  const std::size_t count = DecompressedFile(file).read(start, sizeof start, 1);
  const bool of_run = std::string_view(start, count) == kHeader;
  return of_run ? Kind::messages_of_run : Kind::trace;
}

/// The lines as texts, with mapped nodes.
std::vector<TextLine> text_lines(const std::string& file, std::span<const CsvReader::Column> columns,
                                 std::size_t cycle, std::size_t source, NodeMapping& mapped) {
  CsvReader reader(file, columns);
  std::vector<TextLine> lines;
  while (reader.read()) {
    TextLine& line = lines.emplace_back();
    line.number = lines.size() - 1;
    line.cycle = reader.whole(cycle, 0, CsvReader::kLargest);
    for (std::size_t i = 0; i < columns.size(); ++i) line.fields.emplace_back(reader.field(i));
    for (const std::size_t node : {source, source + 1})
      line.fields[node] = std::to_string(mapped_node(line.fields[node], reader.place(node), mapped));
    line.source = numbered_node(line.fields[source], reader.place(source));
    // Those of a source in the order of their numbers, then those held back, in the order of the file.
    if (columns.front().name != "id") continue;
    line.id = line.fields[0].empty() ? CsvReader::kLargest : reader.whole(0, 0, CsvReader::kLargest);
    reader.whole(5, 1, kLongestMessage);
  }
  return lines;
}

/// What a message of a trace waits for, and where it is.
struct Waiting {
  Place place;
  std::vector<std::size_t> followers;  ///< messages that wait for it
  std::size_t open = 0;                ///< messages that it waits for
};

/// Reads a trace whose lines may be in any order of cycles. Refuses what is not one.
std::vector<Waiting> waiting_of(const std::string& file) {
  // Its nodes have been read.
  TraceReader reader(
      file, [](std::string_view, const Place&) { return NodeId{0}; }, TraceOrder::any);
  std::vector<Waiting> messages;
  std::vector<std::vector<std::uint64_t>> after;
  std::unordered_map<std::uint64_t, std::size_t> with_id;
  for (TraceMessage message; reader.read(message);) {
    if (message.number != TraceMessage::kNoId) with_id[message.id] = messages.size();
    after.push_back(message.after_ids);
    messages.push_back({.place = reader.place(), .followers = {}, .open = message.after_ids.size()});
  }
  for (std::size_t i = 0; i < messages.size(); ++i)
    for (const std::uint64_t id : after[i]) {
      const auto first = with_id.find(id);
      if (first == with_id.end())
        throw ConfigurationError(messages[i].place,
                                 formatted("no line has the id %1%; name another message, or none", id));
      messages[first->second].followers.push_back(i);
    }
  return messages;
}

/// Sorts the lines of a trace by their cycles, each after those that it waits for. One with an earlier cycle
/// than those gets theirs: it is not created before they have arrived.
void sort_trace(const std::string& file, std::vector<TextLine>& lines) {
  std::vector<Waiting> messages = waiting_of(file);
  using Next = std::pair<std::uint64_t, std::size_t>;  // cycle and place in the file
  std::priority_queue<Next, std::vector<Next>, std::greater<>> ready;
  for (const TextLine& line : lines)
    if (messages[line.number].open == 0) ready.emplace(line.cycle, line.number);
  std::vector<TextLine> sorted;
  while (!ready.empty()) {
    const auto [cycle, number] = ready.top();
    ready.pop();
    sorted.push_back(std::move(lines[number]));
    sorted.back().cycle = cycle;
    sorted.back().fields[0] = std::to_string(cycle);
    for (const std::size_t next : messages[number].followers) {
      lines[next].cycle = std::max(lines[next].cycle, cycle);
      if (--messages[next].open == 0) ready.emplace(lines[next].cycle, next);
    }
  }
  for (const Waiting& message : messages)
    if (message.open > 0)
      throw ConfigurationError(
          message.place, "the message waits for itself, or for one that waits for it; break the circle");
  lines = std::move(sorted);
}

std::uint64_t csv_to_csv(const std::string& from, const std::string& to, NodeMapping& mapped, bool sort) {
  const bool of_run = kind_of(from) == Kind::messages_of_run;
  if (!of_run && !sort)  // refuses what is not a trace
    scan_trace(
        from, [&](std::string_view text, const Place& place) { return mapped_node(text, place, mapped); },
        kWidestFlit);
  std::vector<TextLine> lines =
      of_run ? text_lines(from, kRunColumns, 6, 1, mapped) : text_lines(from, kTextColumns, 0, 1, mapped);
  if (of_run)
    std::ranges::stable_sort(lines, {},
                             [](const TextLine& l) { return std::tuple(l.cycle, l.source, l.id); });
  else if (sort)
    sort_trace(from, lines);
  mapped.refuse_unused_names();
  CheckedFile out(to);
  if (of_run) {
    out.write("cycle,source,destination,flits,class\n");
    for (const TextLine& l : lines)
      out.write(csv_line({l.fields[6], l.fields[1], l.fields[2], l.fields[5], l.fields[4]}));
  } else {
    out.write(netrace_remarks(from));
    std::vector<std::string> names;
    for (const CsvReader::Column& column : kTextColumns) names.emplace_back(column.name);
    out.write(csv_line(names));
    for (const TextLine& l : lines) out.write(csv_line(l.fields));
  }
  out.commit();
  return lines.size();
}

}  // namespace

std::uint64_t convert_trace(const std::string& from, const std::string& to, NodeMapping mapped, bool sort) {
  const bool from_csv = is_csv_trace(from), to_csv = is_csv_trace(to);
  if (to_csv && !to.ends_with(".csv"))
    throw ConfigurationError(
        to + " would not be compressed; give a name that ends in .csv, and compress the file");
  if (!from_csv && !to_csv)
    throw ConfigurationError("both names are those of Netrace files; one of the two must end in .csv");
  if (!from_csv) return netrace_to_csv(from, to, mapped);
  if (to_csv) return csv_to_csv(from, to, mapped, sort);
  if (kind_of(from) == Kind::messages_of_run)
    throw ConfigurationError(from + " has the messages of a run, in flits; convert them to a trace in CSV");
  return csv_to_netrace(from, to, mapped);
}

}  // namespace flitmend
