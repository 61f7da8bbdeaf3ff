// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/network_map.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/text.h"
#include "topologies/topology.h"

namespace flitmend {
namespace {

constexpr double kGap = 1;           // between two blocks of a grid of grids; grows with each level
constexpr double kStub = 0.62;       // length of a channel that leaves the picture
constexpr double kLayerStub = 0.42;  // length of a channel to another layer
constexpr double kCaption = 0.8;     // distance of a layer's caption from its uppermost routers
constexpr double kBow = 0.16;        // of a curved channel, as a share of its length
constexpr unsigned kBowPoints = 17;  // points of a curved channel

/// Dimensions that are drawn in the plane: the first two. Each combination of the others is a layer of its
/// own.
constexpr unsigned kPlane = 2;

/// Direct networks of more dimensions are unrolled into layers. Where switches connect routers, the lines to
/// them say which dimension is which.
bool unrolled(const Topology& topology) {
  return topology.dimensions() > kPlane && topology.router_count() == topology.node_count();
}

/// Of a node or of the first node of its layer: coordinates of the higher dimensions.
std::vector<std::uint32_t> layer_of(const std::vector<std::uint32_t>& coordinates) {
  return {coordinates.begin() + kPlane, coordinates.end()};
}

/// Positions of a layer among the others, in steps to the right and upwards. Those of a single dimension fill
/// rows of a rectangle; of several dimensions, even ones go to the right and odd ones upwards.
MapPoint layer_step(const std::vector<std::uint32_t>& layer, const std::vector<std::uint32_t>& radix) {
  if (layer.size() == 1) {
    const auto columns = static_cast<std::uint32_t>(std::ceil(std::sqrt(radix[kPlane])));
    return {static_cast<double>(layer[0] % columns), static_cast<double>(layer[0] / columns)};
  }
  MapPoint step;
  double stride[2] = {1, 1};
  for (std::size_t i = 0; i < layer.size(); ++i) {
    (i % 2 ? step.y : step.x) += layer[i] * stride[i % 2];
    stride[i % 2] *= radix[kPlane + i];
  }
  return step;
}

MapPoint layered_point(const std::vector<std::uint32_t>& x, const std::vector<std::uint32_t>& radix) {
  constexpr double kBetween = 1.8;  // layers: room for stubs and a caption
  const MapPoint step = layer_step(layer_of(x), radix);
  return {x[0] + step.x * (radix[0] - 1 + kBetween), x[1] + step.y * (radix[1] - 1 + kBetween + kCaption)};
}

/// Where a channel of a higher dimension points, in the + direction: dimensions 2, 4, … between right and up,
/// 3, 5, … between up and left, each at an angle of its own.
MapPoint stub_direction(unsigned dimension) {
  double angle = 0, share = M_PI / 4;
  for (unsigned i = dimension / 2; i > 0; i /= 2, share /= 2) angle += (i % 2) * share;
  if (dimension % 2) angle += M_PI / 2;
  return {std::cos(angle) * kLayerStub, std::sin(angle) * kLayerStub};
}

/// Positions of the digits of a node: even dimensions to the right, odd ones upwards, each with steps as long
/// as the lower dimensions are wide, plus a gap.
MapPoint grid_point(const std::vector<std::uint32_t>& digits, const std::vector<std::uint32_t>& radix) {
  MapPoint at;
  double extent[2] = {0, 0};
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const double stride = extent[i % 2] + 1 + kGap * static_cast<double>(i / 2);
    (i % 2 ? at.y : at.x) += digits[i] * stride;
    extent[i % 2] += stride * (radix[i] - 1);
  }
  return at;
}

/// A switch is placed next to the routers that it connects: at the end of their row or column.
MapPoint switch_point(const Topology& topology, RouterId router, const std::vector<MapPoint>& routers) {
  MapPoint middle, end{-1e9, -1e9};
  const PortId ports = topology.port_count(router);
  for (PortId port = 0; port < ports; ++port) {
    const MapPoint at = routers[topology.neighbour(router, port)->router];
    middle.x += at.x / ports;
    middle.y += at.y / ports;
    end.x = std::max(end.x, at.x);
    end.y = std::max(end.y, at.y);
  }
  if (topology.dimensions() == 1) return {middle.x, 1.6};
  const auto direction = topology.direction(router, 0);
  const unsigned dimension = direction ? direction->dimension : 0;
  const double out = 0.7 + 0.15 * static_cast<double>(dimension / 2);
  return dimension % 2 ? MapPoint{middle.x, end.y + out} : MapPoint{end.x + out, middle.y};
}

std::vector<MapPoint> positions(const Topology& topology) {
  std::vector<MapPoint> at;
  for (RouterId r = 0; r < topology.router_count(); ++r)
    if (const auto given = topology.position(r))
      at.push_back({given->x, given->y});
    else
      at.push_back(topology.is_switch(r) ? switch_point(topology, r, at)
                   : unrolled(topology)  ? layered_point(topology.coordinates(r), topology.radices())
                                         : grid_point(topology.coordinates(r), topology.radices()));
  return at;
}

/// A parabola through both ends. `rank`: 1, of the second of two parallel links 2.
std::vector<MapPoint> bowed(MapPoint a, MapPoint b, unsigned rank) {
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  const MapPoint bow = to_the_right(a, b, rank * std::max(kBow * length, 3 * kMapSide));
  std::vector<MapPoint> line;
  for (unsigned i = 0; i < kBowPoints; ++i) {
    const double t = static_cast<double>(i) / (kBowPoints - 1);
    const double height = 4 * t * (1 - t);
    line.push_back({a.x + (b.x - a.x) * t + bow.x * height, a.y + (b.y - a.y) * t + bow.y * height});
  }
  return line;
}

std::vector<std::vector<MapPoint>> channel_lines(const Topology& topology, RouterId router, PortId port,
                                                 RouterId to, const std::vector<MapPoint>& at) {
  const MapPoint a = at[router], b = at[to];
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  const auto direction = topology.direction(router, port);
  const bool to_another_layer = direction && direction->dimension >= kPlane && unrolled(topology);
  if (to_another_layer || (direction && direction->wraps && direction->dimension < kPlane)) {
    // Out on the port's side, in on the opposite side.
    MapPoint step = direction->dimension ? MapPoint{0, kStub} : MapPoint{kStub, 0};
    if (to_another_layer) step = stub_direction(direction->dimension);
    step = {step.x * direction->sign, step.y * direction->sign};
    return {straight(a, {a.x + step.x, a.y + step.y}), straight({b.x - step.x, b.y - step.y}, b)};
  }
  const bool along_a_row = std::abs(a.x - b.x) < 0.01 || std::abs(a.y - b.y) < 0.01;
  unsigned parallel = 0;  // links to the same router at lower ports
  for (PortId lower = 0; topology.position(router) && lower < port; ++lower)
    if (const auto far = topology.neighbour(router, lower)) parallel += far->router == to;
  const bool second_of_two = direction && direction->wraps && topology.radix(direction->dimension) == 2;
  if (along_a_row && length > 1.01) return {bowed(a, b, (second_of_two ? 2 : 1) + parallel)};
  if (parallel > 0) return {bowed(a, b, parallel)};
  return {straight(a, b)};
}

/// The name of a place; in a layer without what its caption says: "2,1" of router_2_1_0. Switches have none.
std::string label_of(const Topology& topology, RouterId router) {
  if (topology.is_switch(router)) return "";
  if (!unrolled(topology)) return place_name(topology, router);
  static_assert(kPlane == 2);
  return formatted("%1%,%2%", topology.coordinate(router, 0), topology.coordinate(router, 1));
}

constexpr const char* kLayers =
    "The network is drawn layer by layer; a slanted line at a router is a channel to the same place in "
    "another layer, which the line at its other end shows again.";

/// The captions of all layers, each above the middle of its uppermost routers.
std::vector<NetworkMap::Caption> captions(const Topology& topology, const std::vector<MapPoint>& at) {
  std::vector<NetworkMap::Caption> list;
  if (!unrolled(topology)) return list;
  const NodeId nodes_of_layer = topology.radix(0) * topology.radix(1);
  for (NodeId first = 0; first < topology.node_count(); first += nodes_of_layer) {
    const MapPoint top = at[first + nodes_of_layer - 1];
    const std::vector<std::uint32_t> layer = layer_of(topology.coordinates(first));
    std::string text;
    for (std::size_t i = 0; i < layer.size(); ++i)
      text += formatted("%1%dim%2% = %3%", i ? ", " : "", i + kPlane, layer[i]);
    list.push_back({text, {(at[first].x + top.x) / 2, top.y + kCaption}});
  }
  return list;
}

}  // namespace

NetworkMap network_map(const Topology& topology) {
  if (const auto* const grid = dynamic_cast<const SwitchedGrid*>(&topology); grid && !grid->one_switch_each())
    return staged_map(*grid);
  NetworkMap map;
  const std::vector<MapPoint> at = positions(topology);
  map.captions = captions(topology, at);
  if (unrolled(topology)) map.note = kLayers;
  for (RouterId r = 0; r < topology.router_count(); ++r) {
    map.nodes.push_back({topology.router_name(r), label_of(topology, r), at[r], topology.is_switch(r)});
    for (PortId port = 0; port < topology.port_count(r); ++port)
      if (const auto far = topology.neighbour(r, port); topology.carries_flits(r, port))
        map.channels.push_back({topology.router_name(r), topology.port_name(r, port),
                                topology.router_name(far->router),
                                channel_lines(topology, r, port, far->router, at)});
  }
  return map;
}

}  // namespace flitmend
