// SPDX-License-Identifier: Apache-2.0
// Ways around faults that are known from the start, hop by hop.
#include <gtest/gtest.h>

#include <bit>

#include "base/random_stream.h"
#include "protocols/deadlock/checker.h"
#include "protocols/networks.h"
#include "protocols/routing/fault_blocks.h"
#include "protocols/routing/registry.h"
#include "protocols/routing/safe_cube_routing.h"
#include "topologies/hypercube.h"
#include "topologies/mesh.h"

namespace flitmend {
namespace {

/// The routers on the path of a message that takes the first candidate everywhere; it may end without one.
std::vector<RouterId> way(const RoutingFunction& routing, NodeId from, NodeId to) {
  std::vector<RouterId> routers = {from};
  RouteRequest request = head(from, to, routing.initial_states(from, to).front());
  while (request.here != to && routers.size() < 100) {
    const auto list = candidates(routing, request);
    if (list.empty()) break;
    const RouterPort far = *routing.topology().neighbour(request.here, list[0].port);
    request.here = far.router;
    request.arrival_port = far.port;
    request.head_state = list[0].head_state;
    routers.push_back(far.router);
  }
  return routers;
}

FaultSet faulty_routers(const Topology& t, const std::vector<RouterId>& routers) {
  FaultSet faults(t);
  for (const RouterId router : routers) faults.fail_router(router);
  return faults;
}

std::vector<bool> disabled_with_borders(const FaultSet& faults) {
  return routing_properties(faults.topology(), algorithm("fault-tolerant-planar-adaptive")).disabled(faults);
}

/// The numbers of the routers for which it is true.
std::vector<RouterId> numbers(const std::vector<bool>& of) {
  std::vector<RouterId> all;
  for (RouterId router = 0; router < of.size(); ++router)
    if (of[router]) all.push_back(router);
  return all;
}

}  // namespace

TEST(UnsafeNodes, AreThoseWithTwoFaultyOrUnsafeNeighbours) {
  const Hypercube cube(4);
  const FaultSet two = faulty_routers(cube, {0b0001, 0b0010});
  EXPECT_EQ(numbers(unsafe_nodes(two, UnsafeRule::lee_hayes)), (std::vector<RouterId>{0b0000, 0b0011}));
  // 0100 has one faulty and one unsafe neighbour.
  const FaultSet three = faulty_routers(cube, {0b0001, 0b0010, 0b1100});
  EXPECT_EQ(numbers(unsafe_nodes(three, UnsafeRule::wu_fernandez)), (std::vector<RouterId>{0b0000, 0b0011}));
  const std::vector<bool> lee_hayes = unsafe_nodes(three, UnsafeRule::lee_hayes);
  EXPECT_TRUE(lee_hayes[0b0000] && lee_hayes[0b0011] && lee_hayes[0b0100]);
}

TEST(LeeHayes, AvoidsUnsafeNodesAndMisroutesOnlyIfItMust) {
  const Hypercube cube(4);
  const auto routing = make_routing(cube, 5, algorithm("lee-hayes"));
  // Without faults every productive port, on the class of the first hop.
  EXPECT_EQ(candidates(*routing, head(0b0000, 0b0011)).size(), 2u);
  EXPECT_EQ(candidates(*routing, head(0b0000, 0b0011)).front().vc_class, 0);
  EXPECT_EQ(candidates(*routing, head(0b0001, 0b0011, 1)).front().vc_class, 1);
  const FaultSet faults = faulty_routers(cube, {0b0001, 0b0010});
  routing->update_faults(faults);
  struct Faulty final : PortStatus {
    bool faulty(PortId port) const override { return port < 2; }
  } status;
  const auto misroutes = candidates(*routing, head(0b0000, 0b0011, 0, &status));
  ASSERT_EQ(misroutes.size(), 2u) << "both ways are faulty";
  EXPECT_EQ(misroutes[0].port, 2);
  EXPECT_EQ(misroutes[1].port, 3);
  EXPECT_EQ(misroutes[0].head_state, 0x101u) << "one hop, one misroute";
}

TEST(FaultBlocks, AreRectangles) {
  const Mesh mesh({6, 6});
  // (1, 1) and (2, 2) disable the nodes between them, and so do (3, 1) and the block that results.
  const FaultSet faults = faulty_routers(mesh, {7, 14, 9});
  FaultBlocks blocks(mesh);
  blocks.update(faults);
  ASSERT_TRUE(blocks.bad(8) && blocks.bad(13) && blocks.bad(15));
  const FaultBlocks::Block& block = blocks.block(7);
  EXPECT_EQ(block.low[0], 1u);
  EXPECT_EQ(block.high[0], 3u);
  EXPECT_EQ(block.low[1], 1u);
  EXPECT_EQ(block.high[1], 2u);
  EXPECT_EQ(numbers(disabled_by_blocks(faults)), (std::vector<RouterId>{8, 13, 15}));
  EXPECT_FALSE(blocks.bad(16));
}

// On a 5x5 mesh with (2, 2), number 12, faulty.
TEST(FaultRingECube, GoesAroundABlock) {
  const Mesh mesh({5, 5});
  const auto routing = make_routing(mesh, 3, algorithm("fault-ring-e-cube"));
  EXPECT_EQ(way(*routing, 10, 14), (std::vector<RouterId>{10, 11, 12, 13, 14})) << "no fault";
  routing->update_faults(faulty_routers(mesh, {12}));
  EXPECT_EQ(way(*routing, 10, 14), (std::vector<RouterId>{10, 11, 16, 17, 18, 19, 14})) << "a tie: north";
  EXPECT_EQ(way(*routing, 14, 5), (std::vector<RouterId>{14, 13, 8, 7, 6, 5})) << "on the side of its goal";
  EXPECT_EQ(way(*routing, 22, 2), (std::vector<RouterId>{22, 17, 18, 13, 8, 7, 2})) << "back to the column";
  EXPECT_EQ(way(*routing, 2, 17), (std::vector<RouterId>{2, 7, 8, 13, 18, 17}));
  // At the border there is one side only.
  routing->update_faults(faulty_routers(mesh, {22, 10}));
  EXPECT_EQ(way(*routing, 20, 24), (std::vector<RouterId>{20, 21, 16, 17, 18, 19, 24}));
  EXPECT_EQ(way(*routing, 0, 20), (std::vector<RouterId>{0, 5, 6, 11, 16, 15, 20}));
}

TEST(FaultBlocks, AreBoxesInAnyNumberOfDimensions) {
  const Mesh mesh({5, 5, 5});
  const auto node = [](unsigned x, unsigned y, unsigned z) { return x + 5 * (y + 5 * z); };
  // A path along three axes fills its cube; across the corner of a cube nothing is disabled.
  FaultBlocks blocks(mesh);
  blocks.update(
      faulty_routers(mesh, {node(1, 1, 1), node(2, 1, 1), node(2, 2, 1), node(2, 2, 2), node(3, 3, 3)}));
  for (const unsigned x : {1u, 2u})
    for (const unsigned y : {1u, 2u})
      for (const unsigned z : {1u, 2u}) {
        ASSERT_TRUE(blocks.bad(node(x, y, z)));
        EXPECT_EQ(blocks.block(node(x, y, z)).low, (std::vector<std::uint32_t>{1, 1, 1}));
        EXPECT_EQ(blocks.block(node(x, y, z)).high, (std::vector<std::uint32_t>{2, 2, 2}));
      }
  EXPECT_EQ(blocks.block(node(3, 3, 3)).low, (std::vector<std::uint32_t>{3, 3, 3}));
  EXPECT_FALSE(blocks.bad(node(3, 3, 2)));
}

// On a 5x5x5 mesh with the middle, number 62, faulty: in each dimension the way around leads along the next
// one.
TEST(FaultRingECube, GoesAroundABlockInThreeDimensions) {
  const Mesh mesh({5, 5, 5});
  const auto routing = make_routing(mesh, 3, algorithm("fault-ring-e-cube"));
  EXPECT_EQ(routing->classes(), 6u);
  routing->update_faults(faulty_routers(mesh, {62}));
  EXPECT_EQ(way(*routing, 61, 63), (std::vector<RouterId>{61, 66, 67, 68, 63})) << "x: along y";
  EXPECT_EQ(way(*routing, 63, 56), (std::vector<RouterId>{63, 58, 57, 56})) << "on the side of its goal";
  EXPECT_EQ(way(*routing, 57, 67), (std::vector<RouterId>{57, 82, 87, 92, 67})) << "y: along z";
  EXPECT_EQ(way(*routing, 37, 87), (std::vector<RouterId>{37, 38, 63, 88, 87})) << "z: along x, and back";
  EXPECT_EQ(way(*routing, 87, 12), (std::vector<RouterId>{87, 88, 63, 38, 37, 12}));
  // A block that reaches both borders of y stops what goes along x there; z and what passes beside it go on.
  routing->update_faults(faulty_routers(mesh, {52, 57, 62, 67, 72}));
  EXPECT_EQ(way(*routing, 61, 63), (std::vector<RouterId>{61, 66, 71}));
  EXPECT_EQ(way(*routing, 86, 88), (std::vector<RouterId>{86, 87, 88}));
  EXPECT_EQ(way(*routing, 37, 87), (std::vector<RouterId>{37, 38, 63, 88, 87}));
}

// Random blocks, many of them: the classes keep their order, whatever the faults are.
TEST(FaultRingECube, IsFreeOfDeadlockAroundAnyBlocks) {
  RandomStream random(1, RandomPurpose::test);
  for (const auto& size : {std::vector<std::uint32_t>{5, 4, 3}, {3, 1, 4}, {3, 3, 2, 3}, {7, 7}}) {
    const Mesh mesh(size);
    const auto routing = make_routing(mesh, 3, algorithm("fault-ring-e-cube"));
    const ChannelMap channels(*routing);
    for (unsigned round = 0; round < 25; ++round) {
      FaultSet faults(mesh);
      for (unsigned i = 0; i < 1 + round / 3; ++i) faults.fail_router(random.below(mesh.router_count()));
      routing->update_faults(faults);
      const DeadlockAnalysis a = analyse_deadlock(*routing, channels, {false, &faults});
      EXPECT_EQ(a.verdict, DeadlockVerdict::free) << mesh.description() << ' ' << round;
      EXPECT_TRUE(a.routes.livelock.empty()) << mesh.description() << ' ' << round;
    }
  }
}

// Every box of faulty nodes that is shorter than the mesh in every dimension.
TEST(FaultRingECube, ServesEveryPairAroundABoxThatReachesNoTwoOppositeBorders) {
  const Mesh mesh({4, 3, 4});
  const auto routing = make_routing(mesh, 3, algorithm("fault-ring-e-cube"));
  const ChannelMap channels(*routing);
  unsigned boxes = 0;
  for (RouterId low = 0; low < mesh.router_count(); ++low)
    for (RouterId high = low; high < mesh.router_count(); ++high) {
      FaultSet faults(mesh);
      const auto inside = [&](RouterId router) {
        for (unsigned i = 0; i < 3; ++i)
          if (mesh.coordinate(router, i) < mesh.coordinate(low, i) ||
              mesh.coordinate(router, i) > mesh.coordinate(high, i))
            return false;
        return true;
      };
      bool box = true;
      for (unsigned i = 0; i < 3; ++i)
        box &= mesh.coordinate(low, i) <= mesh.coordinate(high, i) &&
               mesh.coordinate(high, i) - mesh.coordinate(low, i) + 1 < mesh.radix(i);
      if (!box || ++boxes % 5) continue;
      RouterId healthy = 0;
      for (RouterId router = 0; router < mesh.router_count(); ++router)
        if (inside(router))
          faults.fail_router(router);
        else
          ++healthy;
      routing->update_faults(faults);
      const DeadlockAnalysis a = analyse_deadlock(*routing, channels, {false, &faults});
      ASSERT_EQ(a.verdict, DeadlockVerdict::free) << low << ' ' << high;
      ASSERT_EQ(a.routes.pairs - a.routes.without_route, std::size_t{healthy} * (healthy - 1))
          << low << ' ' << high;
      ASSERT_EQ(a.routes.can_strand, 0u) << low << ' ' << high;
    }
  EXPECT_EQ(boxes, 405u) << "nine by five by nine";
}

// On a 5x5 mesh with (2, 2), number 12, faulty: the paths of the first candidates.
TEST(FaultTolerantPlanarAdaptive, GoesAlongABlockAndNeverTurnsBack) {
  const Mesh mesh({5, 5});
  const auto routing = make_routing(mesh, 3, algorithm("fault-tolerant-planar-adaptive"));
  EXPECT_EQ(candidates(*routing, head(0, 6)).size(), 2u) << "no fault";
  routing->update_faults(faulty_routers(mesh, {12}));
  EXPECT_EQ(way(*routing, 10, 14), (std::vector<RouterId>{10, 11, 16, 17, 18, 19, 14})) << "either side";
  // In the last plane it comes back to the column.
  EXPECT_EQ(way(*routing, 2, 22), (std::vector<RouterId>{2, 7, 8, 13, 18, 23, 22}));
  // Having gone along the block to the north, it does not turn back to the south before it has passed.
  RouteRequest along = head(16, 9);
  along.arrival_port = 3;  // from the south
  EXPECT_EQ(candidates(*routing, along).size(), 1u);
  EXPECT_EQ(candidates(*routing, along).front().port, 0) << "east";
  along.arrival_port = 2;  // from the north
  EXPECT_EQ(candidates(*routing, along).size(), 2u) << "on to the south";
}

TEST(FaultTolerantPlanarAdaptive, DisablesBordersThatABlockReaches) {
  const Mesh mesh({5, 5});
  EXPECT_TRUE(numbers(disabled_with_borders(faulty_routers(mesh, {12}))).empty());
  EXPECT_EQ(numbers(disabled_with_borders(faulty_routers(mesh, {14}))),
            (std::vector<RouterId>{4, 9, 19, 24}));
  // The block reaches what is then the border.
  EXPECT_EQ(numbers(disabled_with_borders(faulty_routers(mesh, {14, 18}))),
            (std::vector<RouterId>{3, 4, 8, 9, 13, 19, 23, 24}));
  EXPECT_EQ(numbers(disabled_with_borders(faulty_routers(mesh, {0}))), (std::vector<RouterId>{5, 10, 15, 20}))
      << "one of the borders of a corner";
}

// Of every set of up to three faulty nodes in a mesh of three dimensions that reaches no border.
TEST(FaultTolerantPlanarAdaptive, ServesMeshesOfThreeDimensions) {
  const Mesh mesh({4, 4, 4});
  const auto routing = make_routing(mesh, 3, algorithm("fault-tolerant-planar-adaptive"));
  const ChannelMap channels(*routing);
  std::vector<RouterId> inner;
  for (RouterId router = 0; router < mesh.router_count(); ++router) {
    bool border = false;
    for (unsigned i = 0; i < 3; ++i) border |= mesh.coordinate(router, i) % 3 == 0;
    if (!border) inner.push_back(router);
  }
  ASSERT_EQ(inner.size(), 8u);
  for (unsigned set = 1; set < 1u << inner.size(); ++set) {
    if (std::popcount(set) > 3) continue;
    std::vector<RouterId> faulty;
    for (std::size_t i = 0; i < inner.size(); ++i)
      if (set >> i & 1) faulty.push_back(inner[i]);
    const FaultSet faults = faulty_routers(mesh, faulty);
    routing->update_faults(faults);
    const std::vector<RouterId> disabled = numbers(disabled_with_borders(faults));
    const DeadlockAnalysis a = analyse_deadlock(*routing, channels, {false, &faults});
    ASSERT_EQ(a.argument, DeadlockArgument::dependency_graph) << set;
    const std::size_t in_use = mesh.node_count() - faulty.size() - disabled.size();
    ASSERT_EQ(a.routes.pairs - a.routes.without_route, in_use * (in_use - 1)) << set;
    ASSERT_EQ(a.routes.can_strand, 0u) << set;
    ASSERT_TRUE(a.routes.livelock.empty()) << set;
  }
}

TEST(SuShin, LeavesTheAdaptiveChannelsOnlyForTheWayAroundFaults) {
  const Hypercube cube(3);
  const auto routing = make_routing(cube, 2, algorithm("su-shin"));
  routing->update_faults(faulty_routers(cube, {1}));
  struct Faulty final : PortStatus {
    bool faulty(PortId port) const override { return port == 0; }
  } status;
  const auto list = candidates(*routing, head(0, 3, 0, &status));
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].vc_class, 1);
  EXPECT_EQ(list[0].port, 1);
  EXPECT_FALSE(list[0].escape);
  EXPECT_EQ(list[1].vc_class, 0);
  EXPECT_TRUE(list[1].escape);
  const auto inside = candidates(*routing, head(2, 3, list[1].head_state));
  ASSERT_EQ(inside.size(), 1u);
  EXPECT_TRUE(inside[0].escape);
}

}  // namespace flitmend
