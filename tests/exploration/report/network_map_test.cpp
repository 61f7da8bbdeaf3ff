// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/network_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contracts/every_network_map.h"
#include "topologies/file.h"
#include "topologies/hypercube.h"
#include "topologies/mesh.h"
#include "topologies/torus.h"

namespace flitmend {
namespace {

INSTANTIATE_TEST_SUITE_P(Registered, EveryNetworkMap, testing::ValuesIn(topologies().entries()),
                         test_name<TopologyEntry>);

TEST(NetworkMap, AMeshIsDrawnAsItIsNamed) {
  const NetworkMap map = network_map(Mesh({3, 2}));
  EXPECT_EQ(map.note, "");
  EXPECT_EQ(map.nodes[4].name, "router_1_1");
  EXPECT_EQ(map.nodes[4].at, (MapPoint{1, 1}));
  // East of (0, 0): channels keep to the right, so the outgoing one is below the link, the incoming one
  // above.
  EXPECT_EQ(map.channels[0].port, "east");
  EXPECT_LT(map.channels[0].lines[0][0].y, 0);
  EXPECT_EQ(map.channels[2].from, "router_1_0");
}

// Two pairs of routers share a place each, and a link joins those of the same place.
TEST(NetworkMap, RoutersInOnePlaceHaveLinesToDraw) {
  std::string text =
      "<graphml><key id='x' for='node' attr.name='x'/><key id='y' for='node' attr.name='y'/><graph>";
  for (const auto& [id, x] : {std::pair{"a", "0"}, {"b", "0"}, {"c", "1"}, {"d", "1"}})
    text += "<node id='" + std::string(id) + "'><data key='x'>" + x + "</data><data key='y'>0</data></node>";
  text +=
      "<edge source='a' target='b'/><edge source='a' target='b'/><edge source='b' target='c'/>"
      "<edge source='c' target='d'/></graph></graphml>";
  for (const NetworkMap::Channel& channel : network_map(FileTopology(text, "net.graphml")).channels)
    for (const auto& line : channel.lines)
      for (const MapPoint& at : line) EXPECT_TRUE(std::isfinite(at.x) && std::isfinite(at.y)) << channel.from;
}

// Three layers of 2x2 in two rows, each with its caption, joined by stubs.
TEST(NetworkMap, AThirdDimensionIsUnrolledIntoLayers) {
  const NetworkMap map = network_map(Torus({2, 2, 3}));
  ASSERT_EQ(map.captions.size(), 3u);
  EXPECT_TRUE(map.note.starts_with("The network is drawn layer by layer; a slanted line"));
  for (unsigned layer = 0; layer < 3; ++layer) {
    EXPECT_EQ(map.captions[layer].text, "dim2 = " + std::to_string(layer));
    const MapPoint corner = map.nodes[4 * layer + 3].at;
    EXPECT_GT(map.captions[layer].at.y, corner.y);
    EXPECT_EQ(map.nodes[4 * layer + 1].label, "1,0");
    for (unsigned node = 0; node < 3; ++node) {
      const MapPoint at = map.nodes[4 * layer + node].at;
      EXPECT_NEAR(std::hypot(at.x - corner.x, at.y - corner.y), node == 0 ? std::sqrt(2) : 1, 1e-9);
    }
  }
  EXPECT_EQ(map.captions[0].at.y, map.captions[1].at.y);
  EXPECT_GT(map.captions[2].at.y, map.captions[1].at.y + 2);
  for (const NetworkMap::Channel& channel : map.channels)
    if (channel.port == "dim2_plus") {
      ASSERT_EQ(channel.lines.size(), 2u);
      for (const auto& line : channel.lines) {
        ASSERT_EQ(line.size(), 2u);
        EXPECT_GT(line[1].x, line[0].x);
        EXPECT_GT(line[1].y, line[0].y);
        EXPECT_LT(std::hypot(line[1].x - line[0].x, line[1].y - line[0].y), 0.5);
      }
    }
}

TEST(NetworkMap, FiveDimensionsHaveEightLayersInAGrid) {
  const NetworkMap map = network_map(Hypercube(5));
  ASSERT_EQ(map.captions.size(), 8u);
  EXPECT_EQ(map.captions[5].text, "dim2 = 1, dim3 = 0, dim4 = 1");
  EXPECT_EQ(map.captions[0].at.y, map.captions[5].at.y);
  EXPECT_EQ(map.captions[0].at.x, map.captions[2].at.x);
}

// Two lines of four nodes per dimension and, above each, two stages of two switches.
TEST(NetworkMap, FatTreesAreDrawnByStages) {
  NetworkSettings settings;
  settings.topology = "kns";
  settings.k = 4;
  settings.n = 2;
  settings.options.set("subnetwork", "fat-tree");
  settings.options.set("arity", 2);
  const auto kns = make_topology(settings);
  const NetworkMap map = network_map(*kns);
  ASSERT_EQ(map.nodes.size(), kns->router_count() + 16) << "every node again, in its other dimension";
  EXPECT_EQ(map.note,
            "The nodes of each line are in a row, below the stages of switches that connect them; a node is "
            "drawn once for each dimension.");
  ASSERT_EQ(map.captions.size(), 8u);
  EXPECT_EQ(map.captions[1].text, "*,1");
  EXPECT_EQ(map.captions[5].text, "1,*");
  const auto find = [&](const std::string& name) {
    return std::find_if(map.nodes.begin(), map.nodes.end(),
                        [&](const auto& node) { return node.name == name; })
        ->at;
  };
  const MapPoint first = find("router_0_1"), last = find("router_3_1");
  EXPECT_EQ(first.y, last.y) << "a line is a row";
  for (unsigned stage = 0; stage < 2; ++stage)
    for (unsigned position = 0; position < 2; ++position) {
      const MapPoint at = find("switch_d0_1_stage" + std::to_string(stage) + "_" + std::to_string(position));
      EXPECT_GT(at.x, first.x);
      EXPECT_LT(at.x, last.x);
      EXPECT_GT(at.y, first.y + stage + 1) << "stages are above each other";
      EXPECT_LT(at.y, map.captions[1].at.y);
      EXPECT_EQ(at.y, find("switch_d0_1_stage" + std::to_string(stage) + "_0").y);
    }
  // Blocks do not overlap: nothing of another line is between the captions and the nodes of this one.
  for (const NetworkMap::Node& node : map.nodes)
    if (node.name.find("_d0_1_") == node.name.npos && node.at.x >= first.x && node.at.x <= last.x) {
      EXPECT_FALSE(node.at.y > first.y && node.at.y < map.captions[1].at.y) << node.name;
    }
}

}  // namespace
}  // namespace flitmend
