// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/sections.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "exploration/report/network_map.h"
#include "exploration/report/stored_stats.h"

namespace flitmend {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kBins = 80;
constexpr std::uint64_t kMostChannels = 40'000;  // with more, a browser is slow and the picture a grey area

std::optional<std::vector<std::uint64_t>> counts(const Json* list) {
  if (!list || !list->is_array()) return std::nullopt;
  std::vector<std::uint64_t> numbers;
  for (const Json& value : *list) {
    if (!value.is_number_unsigned()) return std::nullopt;
    numbers.push_back(value.get<std::uint64_t>());
  }
  return numbers;
}

std::optional<Json> histogram_state(const LabelledStats& run) {
  const auto cycles = counts(run.stats.find("latency.total.histogram.cycles"));
  const auto messages = counts(run.stats.find("latency.total.histogram.messages"));
  if (!cycles || !messages || cycles->size() != messages->size() || cycles->empty() ||
      !std::is_sorted(cycles->begin(), cycles->end()))
    return std::nullopt;
  const BinnedHistogram h = binned(*cycles, *messages, kBins);
  if (h.messages.empty()) return std::nullopt;
  Json marks = Json::array();
  for (const char* name : {"p50", "p95", "p99"})
    if (const auto value = run.stats.number(std::string("latency.total.") + name))
      marks.push_back({{"name", name}, {"cycles", *value}});
  return Json{{"label", run.label},     {"first", h.first},   {"width", h.width},
              {"messages", h.messages}, {"beyond", h.beyond}, {"marks", std::move(marks)}};
}

Json rounded_line(const std::vector<MapPoint>& line) {
  Json points = Json::array();
  for (const MapPoint& p : line)
    points.push_back({std::round(p.x * 1000) / 1000, std::round(p.y * 1000) / 1000});
  return points;
}

/// The utilisation of every channel of the map; null if that run has a different network or no utilisation.
std::optional<Json> map_state(const NetworkMap& map, const LabelledStats& run) {
  const Json* channels = run.stats.find("channels");
  if (!channels || !channels->is_array() || channels->size() != map.channels.size()) return std::nullopt;
  Json utilisation = Json::array();
  for (std::size_t i = 0; i < map.channels.size(); ++i) {
    const StoredStats channel((*channels)[i]);
    const Json* from = channel.find("from");
    const Json* port = channel.find("port");
    if (!from || *from != map.channels[i].from || !port || *port != map.channels[i].port) return std::nullopt;
    const auto value = channel.number("utilisation");
    utilisation.push_back(value ? Json(std::round(*value * 1e5) / 1e5) : Json());
  }
  return Json{{"label", run.label}, {"utilisation", std::move(utilisation)}};
}

/// The nodes, captions and channels of a map, for page/map.js.
Json map_graph(const NetworkMap& map) {
  Json nodes = Json::array(), captions = Json::array(), channels = Json::array();
  for (const NetworkMap::Node& node : map.nodes)
    nodes.push_back({{"name", node.name},
                     {"label", node.label},
                     {"x", node.at.x},
                     {"y", node.at.y},
                     {"switch", node.is_switch}});
  for (const NetworkMap::Caption& caption : map.captions)
    captions.push_back({{"text", caption.text}, {"x", caption.at.x}, {"y", caption.at.y}});
  for (const NetworkMap::Channel& channel : map.channels) {
    Json lines = Json::array();
    for (const auto& line : channel.lines) lines.push_back(rounded_line(line));
    channels.push_back(
        {{"from", channel.from}, {"port", channel.port}, {"to", channel.to}, {"lines", std::move(lines)}});
  }
  return Json{
      {"nodes", std::move(nodes)}, {"captions", std::move(captions)}, {"channels", std::move(channels)}};
}

/// Marks the parts that were dead at the end; false if none was.
bool mark_dead(Json& graph, const std::vector<FaultEvents::Outage>& outages) {
  std::set<std::string> dead;
  for (const FaultEvents::Outage& outage : outages)
    if (outage.dead && !outage.to) dead.insert(outage.part);
  bool any = false;
  const auto mark = [&](Json& part, const std::string& name) {
    if (!dead.contains(name)) return;
    part["dead"] = true;
    any = true;
  };
  for (Json& node : graph["nodes"]) mark(node, node["name"].get<std::string>());
  for (Json& channel : graph["channels"])
    mark(channel, channel["from"].get<std::string>() + "." + channel["port"].get<std::string>());
  return any;
}

/// The note of a map, to follow other sentences.
std::string note_of(const NetworkMap& map) {
  return map.note.empty() ? "" : " " + map.note;
}

}  // namespace

bool add_histogram(ReportPage& page, const std::vector<LabelledStats>& runs) {
  Json states = Json::array();
  for (const LabelledStats& run : runs)
    if (auto state = histogram_state(run)) states.push_back(std::move(*state));
  if (states.empty()) return false;
  page.figure("histogram", "Latency of messages",
              "Number of messages by latency, from creation to the last flit, with the 50th, 95th and "
              "99th percentile.",
              {{"states", std::move(states)}});
  return true;
}

bool add_map(ReportPage& page, const Topology& topology, const std::vector<LabelledStats>& runs,
             const std::vector<FaultEvents::Outage>& outages) {
  if (topology.channel_count() > kMostChannels) return false;
  const NetworkMap map = network_map(topology);
  Json states = Json::array();
  for (const LabelledStats& run : runs)
    if (auto state = map_state(map, run)) states.push_back(std::move(*state));
  if (states.empty()) return false;
  Json data = map_graph(map);
  data["states"] = std::move(states);
  const bool dead = mark_dead(data, outages);
  page.figure(
      "map", "Utilisation of channels: " + topology.description(),
      std::string("Flits per measured cycle on every channel between routers. Each of the two channels "
                  "of a link keeps to the right in its direction.") +
          (dead ? " Crosses and dashed lines: parts that were dead from the start, or died." : "") +
          note_of(map),
      std::move(data));
  return true;
}

void add_fault_map(ReportPage& page, const Topology& topology,
                   const std::vector<FaultEvents::Outage>& outages) {
  if (topology.channel_count() > kMostChannels) return;
  const NetworkMap map = network_map(topology);
  struct Failed {
    std::uint64_t times = 0;
    bool dead = false;
  };
  std::map<std::string, Failed> failed;
  for (const FaultEvents::Outage& outage : outages) {
    Failed& part = failed[outage.part];
    ++part.times;
    part.dead |= outage.dead;
  }
  const auto found = [&](const std::string& part) {
    const auto it = failed.find(part);
    return it == failed.end() ? Failed{} : it->second;
  };
  Json data = map_graph(map);
  Json faults = Json::array();
  for (std::size_t i = 0; i < map.nodes.size(); ++i) {
    const Failed part = found(map.nodes[i].name);
    data["nodes"][i]["faults"] = part.times;
    data["nodes"][i]["fate"] = part.dead ? "dead" : part.times > 0 ? "failed and repaired" : "healthy";
  }
  for (const NetworkMap::Channel& channel : map.channels)
    faults.push_back(found(channel.from + "." + channel.port).times);
  data["states"] = Json::array({Json{{"label", ""}, {"faults", std::move(faults)}}});
  page.figure(
      "fault_map", "What failed: " + topology.description(),
      std::string(
          "Nodes and switches by their state at the end, channels by how often they failed by themselves.") +
          note_of(map),
      std::move(data));
}

}  // namespace flitmend
