// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/network_map.h"

#include <gtest/gtest.h>

#include "contracts/every_network_map.h"
#include "topologies/mesh.h"

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

}  // namespace
}  // namespace flitmend
