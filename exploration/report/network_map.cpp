// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/network_map.h"

#include <algorithm>
#include <cmath>

#include "topologies/grid.h"
#include "topologies/kns.h"

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

std::vector<std::uint32_t> radices(const Topology& topology) {
  if (const auto* grid = dynamic_cast<const Grid*>(&topology)) {
    std::vector<std::uint32_t> radix;
    for (unsigned i = 0; i < grid->dimensions(); ++i) radix.push_back(grid->radix(i));
    return radix;
  }
  if (const auto* kns = dynamic_cast<const Kns*>(&topology))
    return std::vector<std::uint32_t>(kns->n(), kns->k());
  return {};
}

/// A switch is placed next to the routers that it connects.
MapPoint switch_point(const Kns& kns, RouterId router, const std::vector<MapPoint>& routers) {
  MapPoint middle, end{-1e9, -1e9};
  for (PortId port = 0; port < kns.port_count(router); ++port) {
    const MapPoint at = routers[kns.neighbour(router, port)->router];
    middle.x += at.x / kns.k();
    middle.y += at.y / kns.k();
    end.x = std::max(end.x, at.x);
    end.y = std::max(end.y, at.y);
  }
  const unsigned dimension = kns.switch_dimension(router);
  if (kns.n() == 1) return {middle.x, 1.6};
  const double out = 0.7 + 0.15 * static_cast<double>(dimension / 2);
  return dimension % 2 ? MapPoint{middle.x, end.y + out} : MapPoint{end.x + out, middle.y};
}

std::vector<MapPoint> positions(const Topology& topology) {
  const std::vector<std::uint32_t> radix = radices(topology);
  std::vector<MapPoint> at;
  // A graph of another kind is drawn on a circle.
  const double turn = 2 * M_PI / topology.router_count();
  for (RouterId r = 0; r < topology.node_count(); ++r)
    at.push_back(radix.empty() ? MapPoint{std::cos(turn * r) / turn, std::sin(turn * r) / turn}
                               : grid_point(topology.coordinates(r), radix));
  const auto* kns = dynamic_cast<const Kns*>(&topology);
  for (RouterId r = topology.node_count(); r < topology.router_count(); ++r)
    at.push_back(kns ? switch_point(*kns, r, at)
                     : MapPoint{std::cos(turn * r) / turn, std::sin(turn * r) / turn});
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

/// A parabola through both ends.
std::vector<MapPoint> bowed(MapPoint a, MapPoint b) {
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  const MapPoint bow = to_the_right(a, b, std::max(kBow * length, 3 * kSide));
  std::vector<MapPoint> line;
  for (unsigned i = 0; i < kBowPoints; ++i) {
    const double t = static_cast<double>(i) / (kBowPoints - 1);
    const double height = 4 * t * (1 - t);
    line.push_back({a.x + (b.x - a.x) * t + bow.x * height, a.y + (b.y - a.y) * t + bow.y * height});
  }
  return line;
}

/// Whether the port leads over a wrap-around link of a torus.
bool wraps(const Grid& grid, RouterId router, PortId port) {
  if (grid.kind() != Grid::Kind::torus) return false;
  const unsigned i = grid.port_dimension(port);
  return grid.port_is_plus(router, port) ? grid.coordinate(router, i) + 1 == grid.radix(i)
                                         : grid.coordinate(router, i) == 0;
}

std::vector<std::vector<MapPoint>> channel_lines(const Topology& topology, RouterId router, PortId port,
                                                 RouterId to, const std::vector<MapPoint>& at) {
  const MapPoint a = at[router], b = at[to];
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  if (const auto* grid = dynamic_cast<const Grid*>(&topology)) {
    const unsigned dimension = grid->port_dimension(port);
    if (wraps(*grid, router, port) && dimension < 2) {
      // Out on the port's side, in on the opposite side.
      const double sign = grid->port_is_plus(router, port) ? kStub : -kStub;
      const MapPoint step = dimension ? MapPoint{0, sign} : MapPoint{sign, 0};
      return {straight(a, {a.x + step.x, a.y + step.y}), straight({b.x - step.x, b.y - step.y}, b)};
    }
    if (length > 1.01) return {bowed(a, b)};
    return {straight(a, b)};
  }
  const bool along_a_row = std::abs(a.x - b.x) < 0.01 || std::abs(a.y - b.y) < 0.01;
  if (along_a_row && length > 1.01) return {bowed(a, b)};
  return {straight(a, b)};
}

}  // namespace

NetworkMap network_map(const Topology& topology) {
  NetworkMap map;
  const std::vector<MapPoint> at = positions(topology);
  for (RouterId r = 0; r < topology.router_count(); ++r) {
    map.nodes.push_back({topology.router_name(r), at[r], r >= topology.node_count()});
    for (PortId port = 0; port < topology.port_count(r); ++port)
      if (const auto far = topology.neighbour(r, port))
        map.channels.push_back({topology.router_name(r), topology.port_name(r, port),
                                topology.router_name(far->router),
                                channel_lines(topology, r, port, far->router, at)});
  }
  return map;
}

}  // namespace flitmend
