// SPDX-License-Identifier: Apache-2.0
// Maps of networks: every channel goes from its sender to its receiver, next to its reverse, and over no
// router.
#include "exploration/report/network_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "topologies/registry.h"

namespace flitmend {
namespace {

NetworkSettings grid(const std::string& kind, std::vector<std::int64_t> size) {
  NetworkSettings settings;
  settings.topology = kind;
  settings.size = std::move(size);
  return settings;
}

std::vector<NetworkSettings> networks() {
  std::vector<NetworkSettings> all = {
      grid("mesh", {8, 8}),  grid("mesh", {5}),        grid("mesh", {3, 4, 3}),    grid("torus", {4, 5}),
      grid("torus", {2, 2}), grid("torus", {3, 3, 3}), grid("torus", {3, 2, 4, 3})};
  for (const int dimensions : {1, 3, 6}) {
    NetworkSettings cube;
    cube.topology = "hypercube";
    cube.dimensions = dimensions;
    all.push_back(cube);
  }
  for (const int n : {1, 2, 3, 4}) {
    NetworkSettings kns;
    kns.topology = "kns";
    kns.k = 4;
    kns.n = n;
    all.push_back(kns);
  }
  return all;
}

double distance(MapPoint a, MapPoint b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

/// Distance of a point from a line segment.
double distance(MapPoint p, MapPoint a, MapPoint b) {
  const double length = distance(a, b);
  const double t =
      std::clamp(((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / (length * length), 0., 1.);
  return distance(p, {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
}

TEST(NetworkMap, ChannelsAreThoseOfTheTopologyInTheOrderOfTheStatistics) {
  for (const NetworkSettings& settings : networks()) {
    const auto topology = make_topology(settings);
    const NetworkMap map = network_map(*topology);
    ASSERT_EQ(map.nodes.size(), topology->router_count()) << topology->description();
    ASSERT_EQ(map.channels.size(), topology->channel_count()) << topology->description();
    std::size_t i = 0;
    for (RouterId r = 0; r < topology->router_count(); ++r)
      for (PortId p = 0; p < topology->port_count(r); ++p)
        if (const auto far = topology->neighbour(r, p)) {
          EXPECT_EQ(map.channels[i].from, topology->router_name(r));
          EXPECT_EQ(map.channels[i].port, topology->port_name(r, p));
          EXPECT_EQ(map.channels[i++].to, topology->router_name(far->router));
        }
    for (std::size_t a = 0; a < map.nodes.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        EXPECT_GT(distance(map.nodes[a].at, map.nodes[b].at), 0.1)
            << topology->description() << " " << map.nodes[a].name << " " << map.nodes[b].name;
  }
}

TEST(NetworkMap, ChannelsGoFromSenderToReceiver) {
  for (const NetworkSettings& settings : networks()) {
    const auto topology = make_topology(settings);
    const NetworkMap map = network_map(*topology);
    std::map<std::string, MapPoint> at;
    for (const auto& node : map.nodes) at[node.name] = node.at;
    for (const auto& channel : map.channels) {
      ASSERT_FALSE(channel.lines.empty());
      EXPECT_LT(distance(channel.lines.front().front(), at[channel.from]), 0.1) << channel.from;
      EXPECT_LT(distance(channel.lines.back().back(), at[channel.to]), 0.1) << channel.to;
      for (const auto& line : channel.lines) ASSERT_GE(line.size(), 2u);
    }
  }
}

// In one and two dimensions no line runs over a router that it does not belong to.
TEST(NetworkMap, ChannelsPassBesideOtherRouters) {
  for (const NetworkSettings& settings : networks()) {
    const auto topology = make_topology(settings);
    if (settings.size.size() > 2 || settings.dimensions > 3 || settings.n > 2) continue;
    const NetworkMap map = network_map(*topology);
    for (const auto& channel : map.channels)
      for (const auto& node : map.nodes) {
        if (node.name == channel.from || node.name == channel.to) continue;
        for (const auto& line : channel.lines)
          for (std::size_t i = 0; i + 1 < line.size(); ++i)
            EXPECT_GT(distance(node.at, line[i], line[i + 1]), 0.08)
                << topology->description() << ": " << channel.from << " to " << channel.to << " over "
                << node.name;
      }
  }
}

TEST(NetworkMap, NoTwoChannelsCoincide) {
  for (const NetworkSettings& settings : networks()) {
    const NetworkMap map = network_map(*make_topology(settings));
    std::map<std::pair<long, long>, std::string> seen;
    for (const auto& channel : map.channels)
      for (const auto& line : channel.lines) {
        // The midpoint of each, in hundredths.
        const MapPoint a = line[(line.size() - 1) / 2], b = line[line.size() / 2];
        const std::pair<long, long> middle = {std::lround((a.x + b.x) * 50), std::lround((a.y + b.y) * 50)};
        const auto [other, fresh] = seen.try_emplace(middle, channel.from + " " + channel.port);
        EXPECT_TRUE(fresh) << channel.from << " " << channel.port << " and " << other->second << " of "
                           << make_topology(settings)->description();
      }
  }
}

TEST(NetworkMap, AMeshIsDrawnAsItIsNamed) {
  const NetworkMap map = network_map(*make_topology(grid("mesh", {3, 2})));
  EXPECT_EQ(map.nodes[4].name, "router_1_1");
  EXPECT_EQ(map.nodes[4].at, (MapPoint{1, 1}));
  // East of (0, 0): channels keep to the right, so the outgoing one is below the link, the incoming one
  // above.
  EXPECT_EQ(map.channels[0].port, "east");
  EXPECT_LT(map.channels[0].lines[0][0].y, 0);
  EXPECT_EQ(map.channels[2].from, "router_1_0");
}

}  // namespace
}  // namespace flitmend
