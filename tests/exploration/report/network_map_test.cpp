// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/network_map.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace flitmend
