// SPDX-License-Identifier: Apache-2.0
#include "topologies/file.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/errors.h"
#include "base/input_file.h"
#include "base/text.h"
#include "topologies/capacity.h"
#include "topologies/registry.h"
#include "topologies/topology.h"

namespace flitmend {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr const char* kKey = "network.graph";

/// Moves apart routers that are in the same place: all but the first go around it, each further out.
void spread(std::vector<MapPosition>& positions) {
  constexpr double kNear = 0.01, kStep = 0.25, kTurn = 2.4;  // kTurn: the golden angle
  std::map<std::pair<double, double>, unsigned> routers;
  for (MapPosition& at : positions) {
    const unsigned before = routers[{std::round(at.x / kNear), std::round(at.y / kNear)}]++;
    const double radius = kStep * std::sqrt(before);
    at = {at.x + radius * std::cos(kTurn * before), at.y + radius * std::sin(kTurn * before)};
  }
}

/// Four routers in a ring.
constexpr const char* kRing = R"(<graphml><graph edgedefault="undirected">
<node id="a"/><node id="b"/><node id="c"/><node id="d"/>
<edge source="a" target="b"/><edge source="b" target="c"/>
<edge source="c" target="d"/><edge source="d" target="a"/>
</graph></graphml>)";

/// A triangle with a tail, and two parallel links.
constexpr const char* kTail = R"(<graphml><graph edgedefault="undirected">
<node id="a"/><node id="b"/><node id="c"/><node id="d"/><node id="e"/>
<edge source="a" target="b"/><edge source="b" target="c"/><edge source="c" target="a"/>
<edge source="c" target="d"/><edge source="d" target="e"/><edge source="d" target="e"/>
</graph></graphml>)";

/// Three switches in a row with two nodes each; links of different latency and width.
constexpr const char* kSwitches = R"(<graphml>
<key id="k" for="node" attr.name="kind" attr.type="string"/>
<key id="l" for="edge" attr.name="latency" attr.type="int"/>
<key id="w" for="edge" attr.name="width" attr.type="int"/>
<graph edgedefault="undirected">
<node id="s0"><data key="k">switch</data></node>
<node id="s1"><data key="k">switch</data></node>
<node id="s2"><data key="k">switch</data></node>
<node id="a0"/><node id="a1"/><node id="b0"/><node id="b1"/><node id="c0"/><node id="c1"/>
<edge source="s0" target="s1"><data key="l">3</data></edge>
<edge source="s1" target="s2"><data key="l">2</data><data key="w">24</data></edge>
<edge source="a0" target="s0"/><edge source="a1" target="s0"/>
<edge source="b0" target="s1"/><edge source="b1" target="s1"/>
<edge source="c0" target="s2"/><edge source="c1" target="s2"/>
</graph></graphml>)";

}  // namespace

FileTopology::FileTopology(const std::string& graphml, const std::string& source) : Topology("file") {
  const GraphDescription graph = read_graphml(graphml, source);
  check(graph, source);
  links_ = graph.links.size();
  one_way_links_ =
      static_cast<std::size_t>(std::ranges::count_if(graph.links, &GraphDescription::Link::one_way));
  router_of_.resize(graph.routers.size());
  bool placed = true;
  for (const bool switches : {false, true})
    for (std::size_t i = 0; i < graph.routers.size(); ++i) {
      const GraphDescription::Router& router = graph.routers[i];
      if (router.is_switch != switches) continue;
      router_of_[i] = static_cast<RouterId>(ids_.size());
      ids_.push_back(router.id);
      placed = placed && router.x && router.y;
      positions_.push_back({router.x.value_or(0), router.y.value_or(0)});
    }
  if (!placed) positions_.clear();
  spread(positions_);
  connect_all(graph);
  measure(graph);
}

void FileTopology::check(const GraphDescription& graph, const std::string& source) const {
  const auto nodes = static_cast<std::size_t>(std::count_if(
      graph.routers.begin(), graph.routers.end(), [](const auto& router) { return !router.is_switch; }));
  if (nodes < 2)
    throw ConfigurationError(Place{source},
                             counted(nodes, "node") + " with a processing element; a network has at least 2");
  if (graph.routers.size() > kMostRouters)
    throw ConfigurationError(Place{source}, formatted("%1% routers; a graph from a file has at most %2%",
                                                      graph.routers.size(), kMostRouters));
}

void FileTopology::connect_all(const GraphDescription& graph) {
  std::vector<PortId> ports(ids_.size());
  latencies_.resize(ids_.size());
  widths_.resize(ids_.size());
  port_names_.resize(ids_.size());
  std::map<std::pair<RouterId, std::string>, unsigned> parallel;
  const auto add_port = [&](RouterId r, const std::string& name, const GraphDescription::Link& link) {
    const unsigned number = ++parallel[{r, name}];
    port_names_[r].push_back(number > 1 ? formatted("%1%_%2%", name, number) : name);
    latencies_[r].push_back(link.latency);
    widths_[r].push_back(link.width);
    return RouterPort{r, ports[r]++};
  };
  std::vector<std::pair<RouterPort, RouterPort>> links;
  for (const GraphDescription::Link& link : graph.links) {
    const RouterId a = router_of_[link.from], b = router_of_[link.to];
    if (ports[a] == kMaxSwitchPorts || ports[b] == kMaxSwitchPorts)
      throw ConfigurationError(link.place, formatted("a router with more than %1% links", kMaxSwitchPorts));
    links.emplace_back(add_port(a, "to_" + ids_[b], link),
                       add_port(b, (link.one_way ? "from_" : "to_") + ids_[a], link));
  }
  const auto nodes = static_cast<std::uint32_t>(std::count_if(
      graph.routers.begin(), graph.routers.end(), [](const auto& router) { return !router.is_switch; }));
  set_size({nodes}, ports);
  for (std::size_t i = 0; i < links.size(); ++i)
    graph.links[i].one_way ? connect_one_way(links[i].first, links[i].second)
                           : connect(links[i].first, links[i].second);
  for (RouterId r = 0; r < ids_.size(); ++r) {
    std::vector<std::string> names = port_names_[r];
    std::sort(names.begin(), names.end());
    if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end())
      throw ConfigurationError(
          graph
              .routers[static_cast<std::size_t>(std::find(router_of_.begin(), router_of_.end(), r) -
                                                router_of_.begin())]
              .place,
          "two ports would have the name " + *twice +
              ", that of a parallel link and that of another router; rename the router");
  }
}

void FileTopology::measure(const GraphDescription& graph) {
  distances_.resize(std::size_t{node_count()} * node_count());
  constexpr std::uint32_t kUnseen = ~0u;
  for (NodeId from = 0; from < node_count(); ++from) {
    std::vector<std::uint32_t> d(router_count(), kUnseen);
    std::vector<RouterId> seen{from};
    d[from] = 0;
    for (std::size_t i = 0; i < seen.size(); ++i)
      for (PortId p = 0; p < port_count(seen[i]); ++p) {
        const RouterId far = neighbour(seen[i], p)->router;
        if (d[far] != kUnseen || !carries_flits(seen[i], p)) continue;
        d[far] = d[seen[i]] + 1;
        seen.push_back(far);
      }
    if (seen.size() < router_count())
      for (std::size_t i = 0; i < graph.routers.size(); ++i)
        if (d[router_of_[i]] == kUnseen)
          throw ConfigurationError(
              graph.routers[i].place,
              formatted("no path leads from %1% to %2%; a network is connected%3%", ids_[from],
                        graph.routers[i].id, one_way_links_ > 0 ? ", over one-way links too" : ""));
    for (NodeId to = 0; to < node_count(); ++to) {
      distances_[std::size_t{from} * node_count() + to] = static_cast<std::uint16_t>(d[to]);
      diameter_ = std::max(diameter_, d[to]);
    }
  }
  bisection_ = 2 * least_cut(*this, node_count() / 2);
}

std::string FileTopology::description() const {
  const RouterId switches = router_count() - node_count();
  const std::string between =
      switches == 0 ? "" : formatted("%1% switch%2%, ", switches, switches == 1 ? "" : "es");
  return formatted("network of %1%, %2%%3%%4% from a file", counted(node_count(), "node"), between,
                   counted(links_, "link"),
                   one_way_links_ > 0 ? formatted(" (%1% one-way)", one_way_links_) : "");
}

std::vector<std::uint32_t> FileTopology::coordinates(RouterId router) const {
  return {is_switch(router) ? router - node_count() : router};
}

std::string FileTopology::router_name(RouterId router) const {
  return (is_switch(router) ? "switch_" : "router_") + ids_[router];
}

std::string FileTopology::port_name(RouterId router, PortId port) const {
  return port < port_count(router) ? port_names_[router][port] : "local";
}

std::uint32_t FileTopology::distance(NodeId from, NodeId to) const {
  return distances_[std::size_t{from} * node_count() + to];
}

unsigned FileTopology::link_latency(RouterId router, PortId port) const {
  return latencies_[router][port];
}

unsigned FileTopology::link_width(RouterId router, PortId port) const {
  return widths_[router][port];
}

bool is_graphml(const std::string& value) {
  const std::size_t first = value.find_first_not_of(" \t\r\n");
  return first != std::string::npos && value[first] == '<';
}

std::optional<MapPosition> FileTopology::position(RouterId router) const {
  if (!positions_.empty()) return positions_[router];
  const double routers = router_count();
  const double radius = std::max(1.0, 0.3 * routers);
  const double angle = M_PI / 2 - 2 * M_PI * router / routers;
  return MapPosition{radius * std::cos(angle), radius * std::sin(angle)};
}

TopologyEntry file_topology() {
  return {
      .name = "file",
      .description =
          "any connected graph, from a GraphML file: routers, switches, links with their latency and width",
      .size_keys = {"graph"},
      .size_required = true,
      .default_size = {.graph = kRing},
      .examples = {{.graph = kRing}, {.graph = kTail}, {.graph = kSwitches}},
      .make = [](const NetworkSettings& s) -> std::unique_ptr<Topology> {
        if (is_graphml(s.graph)) return std::make_unique<FileTopology>(s.graph, kKey);
        return std::make_unique<FileTopology>(read_input_file(s.graph, kMostBytes), s.graph);
      },
  };
}

}  // namespace flitmend
