// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/network_map.h"

#include <algorithm>
#include <cmath>

namespace flitmend {
namespace {

constexpr double kGap = 1;           // between two blocks of a grid of grids; grows with each level
constexpr double kSide = 0.07;       // distance of a channel from the middle of its link
constexpr double kStub = 0.62;       // length of a channel that leaves the picture
constexpr double kBow = 0.16;        // of a curved channel, as a share of its length
constexpr unsigned kBowPoints = 17;  // points of a curved channel

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
    at.push_back(topology.is_switch(r) ? switch_point(topology, r, at)
                                       : grid_point(topology.coordinates(r), topology.radices()));
  return at;
}

/// A step of a given length to the right of the direction from a to b.
MapPoint to_the_right(MapPoint a, MapPoint b, double length) {
  const double distance = std::hypot(b.x - a.x, b.y - a.y);
  return {(b.y - a.y) / distance * length, (a.x - b.x) / distance * length};
}

std::vector<MapPoint> straight(MapPoint a, MapPoint b) {
  const MapPoint side = to_the_right(a, b, kSide);
  return {{a.x + side.x, a.y + side.y}, {b.x + side.x, b.y + side.y}};
}

/// A parabola through both ends. `rank`: 1, of the second of two parallel links 2.
std::vector<MapPoint> bowed(MapPoint a, MapPoint b, unsigned rank) {
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  const MapPoint bow = to_the_right(a, b, rank * std::max(kBow * length, 3 * kSide));
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
  if (direction && direction->wraps && direction->dimension < 2) {
    // Out on the port's side, in on the opposite side.
    const double out = direction->sign * kStub;
    const MapPoint step = direction->dimension ? MapPoint{0, out} : MapPoint{out, 0};
    return {straight(a, {a.x + step.x, a.y + step.y}), straight({b.x - step.x, b.y - step.y}, b)};
  }
  const bool along_a_row = std::abs(a.x - b.x) < 0.01 || std::abs(a.y - b.y) < 0.01;
  const bool second_of_two = direction && direction->wraps && topology.radix(direction->dimension) == 2;
  if (along_a_row && length > 1.01) return {bowed(a, b, second_of_two ? 2 : 1)};
  return {straight(a, b)};
}

}  // namespace

NetworkMap network_map(const Topology& topology) {
  NetworkMap map;
  const std::vector<MapPoint> at = positions(topology);
  for (RouterId r = 0; r < topology.router_count(); ++r) {
    map.nodes.push_back({topology.router_name(r), at[r], topology.is_switch(r)});
    for (PortId port = 0; port < topology.port_count(r); ++port)
      if (const auto far = topology.neighbour(r, port))
        map.channels.push_back({topology.router_name(r), topology.port_name(r, port),
                                topology.router_name(far->router),
                                channel_lines(topology, r, port, far->router, at)});
  }
  return map;
}

}  // namespace flitmend
