// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/probability_vector_table.h"

#include <gtest/gtest.h>

#include "topologies/registry.h"

namespace flitmend {
namespace {

NetworkSettings grid(const char* topology, std::vector<std::int64_t> size) {
  NetworkSettings s;
  s.topology = topology;
  s.size = std::move(size);
  return s;
}

TEST(KaryCubeFaults, CountALinkOnceAndThatOfAFaultyNodeToo) {
  const auto torus = make_topology(grid("torus", {4, 4}));
  FaultSet faults(*torus);
  faults.fail_channel(0, 0);  // one direction: node 0 to node 1
  faults.fail_link(5, 2);     // both: node 5 to node 9
  faults.fail_router(10);
  faults.fail_link(10, 0);  // node 10 to node 11
  const KaryCubeFaults found = kary_cube_faults(faults);
  EXPECT_EQ(found.nodes, std::vector<KaryCube::Node>{10});
  EXPECT_EQ(found.links, (std::vector<KaryCubeFaults::Link>{{0, 0}, {5, 1}, {10, 0}}));
  EXPECT_EQ(found.count(), 4u);
  const KaryCube cube = kary_cube_of(*torus);
  EXPECT_EQ(cube.node_count(), 16u);
  for (NodeId node = 0; node < 16; ++node)
    for (unsigned port = 0; port < 4; ++port)
      EXPECT_EQ(cube.neighbour(node, port), torus->neighbour(node, static_cast<PortId>(port))->router);
}

TEST(KaryCubeFaults, KnowWhichNetworksAreKaryCubes) {
  EXPECT_TRUE(is_kary_cube(*make_topology(grid("torus", {4, 4, 4}))));
  EXPECT_FALSE(is_kary_cube(*make_topology(grid("torus", {4, 5}))));
  EXPECT_FALSE(is_kary_cube(*make_topology(grid("mesh", {4, 4}))));
}

}  // namespace
}  // namespace flitmend
