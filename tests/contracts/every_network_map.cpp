// SPDX-License-Identifier: Apache-2.0
#include "contracts/every_network_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "exploration/report/network_map.h"

namespace flitmend {
namespace {

double distance(MapPoint a, MapPoint b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

/// Of a point from a piece of a line.
double distance(MapPoint p, MapPoint a, MapPoint b) {
  const double length = distance(a, b);
  const double t =
      std::clamp(((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / (length * length), 0., 1.);
  return distance(p, {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
}

}  // namespace

TEST_P(EveryNetworkMap, ChannelsAreThoseOfTheTopologyInTheOrderOfTheStatistics) {
  for (const auto& topology : networks()) {
    const NetworkMap map = network_map(*topology);
    ASSERT_GE(map.nodes.size(), topology->router_count()) << topology->description();
    for (RouterId r = 0; r < topology->router_count(); ++r)
      EXPECT_EQ(map.nodes[r].name, topology->router_name(r));
    ASSERT_EQ(map.channels.size(), topology->channel_count()) << topology->description();
    std::size_t i = 0;
    for (RouterId r = 0; r < topology->router_count(); ++r)
      for (PortId p = 0; p < topology->port_count(r); ++p)
        if (const auto far = topology->neighbour(r, p); topology->carries_flits(r, p)) {
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

TEST_P(EveryNetworkMap, ChannelsGoFromSenderToReceiver) {
  for (const auto& topology : networks()) {
    const NetworkMap map = network_map(*topology);
    std::multimap<std::string, MapPoint> at;  // a node may be drawn several times
    for (const auto& node : map.nodes) at.emplace(node.name, node.at);
    const auto is_at = [&](const std::string& name, MapPoint p) {
      const auto [begin, end] = at.equal_range(name);
      return std::any_of(begin, end, [&](const auto& drawn) { return distance(p, drawn.second) < 0.1; });
    };
    for (const auto& channel : map.channels) {
      ASSERT_FALSE(channel.lines.empty());
      EXPECT_TRUE(is_at(channel.from, channel.lines.front().front())) << channel.from;
      EXPECT_TRUE(is_at(channel.to, channel.lines.back().back())) << channel.to;
      for (const auto& line : channel.lines) ASSERT_GE(line.size(), 2u);
    }
  }
}

// In one and two dimensions nothing is hidden: no line runs over a router that it does not belong to.
TEST_P(EveryNetworkMap, ChannelsPassBesideOtherRouters) {
  for (const auto& topology : networks()) {
    if (topology->dimensions() > 2) continue;
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

TEST_P(EveryNetworkMap, NoTwoChannelsCoincide) {
  for (const auto& topology : networks()) {
    const NetworkMap map = network_map(*topology);
    std::map<std::array<long, 4>, std::string> seen;
    for (const auto& channel : map.channels)
      for (const auto& line : channel.lines) {
        // The middle of each, in hundredths, and how it runs there.
        const MapPoint a = line[(line.size() - 1) / 2], b = line[line.size() / 2];
        const double length = std::max(distance(a, b), 1e-9);
        const std::array<long, 4> middle = {std::lround((a.x + b.x) * 50), std::lround((a.y + b.y) * 50),
                                            std::lround((b.x - a.x) / length * 20),
                                            std::lround((b.y - a.y) / length * 20)};
        const auto [other, fresh] = seen.try_emplace(middle, channel.from + " " + channel.port);
        EXPECT_TRUE(fresh) << channel.from << " " << channel.port << " and " << other->second << " of "
                           << topology->description();
      }
  }
}

}  // namespace flitmend
