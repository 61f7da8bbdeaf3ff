// SPDX-License-Identifier: Apache-2.0
// The candidates of the algorithms that tell messages apart by virtual channels, hop by hop.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "protocols/networks.h"
#include "topologies/hypercube.h"
#include "topologies/mesh.h"
#include "topologies/torus.h"

namespace flitmend {
namespace {

using PortAndClass = std::pair<PortId, unsigned>;

std::vector<PortAndClass> ports_and_classes(const RoutingFunction& routing, const RouteRequest& request) {
  std::vector<PortAndClass> all;
  for (const RouteCandidate& c : candidates(routing, request)) all.emplace_back(c.port, c.vc_class);
  return all;
}
std::vector<PortAndClass> injected(const RoutingFunction& routing, NodeId from, NodeId to) {
  return ports_and_classes(routing, head(from, to, routing.initial_states(from, to).front()));
}

/// Outputs whose virtual channels all have holders with these states, except the free ones.
struct HeldOutputs final : OutputStatus {
  VcMask free_vcs(PortId port) const override { return free.contains(port) ? free.at(port) : 0; }
  unsigned credits(PortId) const override { return 0; }
  std::uint64_t holder_state(PortId port, unsigned vc) const override {
    const auto found = held.find({port, vc});
    return found == held.end() ? 0 : found->second;
  }
  std::map<PortId, VcMask> free;
  std::map<std::pair<PortId, unsigned>, std::uint64_t> held;
};

}  // namespace

// On a 4x4 mesh, from (1, 1), number 5. Ports: 0 east, 1 west, 2 north, 3 south.
TEST(VirtualNetworksOfMeshes, DoubleYHasTwoNetworksInY) {
  const Mesh mesh({4, 4});
  const auto routing = make_routing(mesh, 4, algorithm("double-y"));
  EXPECT_EQ(injected(*routing, 5, 15), (std::vector<PortAndClass>{{0, 0}, {2, 1}}));
  EXPECT_EQ(injected(*routing, 5, 8), (std::vector<PortAndClass>{{1, 0}, {2, 0}}));
  EXPECT_EQ(routing->initial_states(5, 13), (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(routing->class_vcs(5, 0, 0), 0b1111u);
  EXPECT_EQ(routing->class_vcs(5, 0, 1), 0u);
  EXPECT_EQ(routing->class_vcs(5, 2, 0), 0b0011u);
  EXPECT_EQ(routing->class_vcs(5, 3, 1), 0b1100u);
  // Its hops to the east are done, and it stays in their network.
  EXPECT_EQ(ports_and_classes(*routing, head(7, 15, 1)), (std::vector<PortAndClass>{{2, 1}}));
}

TEST(VirtualNetworksOfMeshes, DoubleDoubleYHasATurnedNetworkToo) {
  const Mesh mesh({4, 4});
  const auto routing = make_routing(mesh, 3, algorithm("double-double-y"));
  // To the south-east: + in X, − in Y.
  EXPECT_EQ(routing->initial_states(5, 2), (std::vector<std::uint64_t>{2, 1}));
  EXPECT_EQ(ports_and_classes(*routing, head(5, 2, 2)), (std::vector<PortAndClass>{{0, 0}, {3, 1}}));
  EXPECT_EQ(ports_and_classes(*routing, head(5, 2, 1)), (std::vector<PortAndClass>{{0, 1}, {3, 2}}));
  // To the north: X is drawn, Y is +.
  EXPECT_EQ(routing->initial_states(5, 9), (std::vector<std::uint64_t>{0, 2, 3}));
}

TEST(VirtualNetworksOfMeshes, OptYForbidsOneClassInYBeforeHopsToTheWest) {
  const Mesh mesh({4, 4});
  const auto routing = make_routing(mesh, 2, algorithm("opt-y"));
  EXPECT_EQ(injected(*routing, 5, 8), (std::vector<PortAndClass>{{1, 0}, {2, 1}}));
  EXPECT_EQ(injected(*routing, 5, 15), (std::vector<PortAndClass>{{0, 0}, {2, 1}, {2, 0}}));
  EXPECT_EQ(injected(*routing, 5, 13), (std::vector<PortAndClass>{{2, 1}, {2, 0}}));
}

TEST(VirtualNetworksOfMeshes, PlanarAdaptiveStaysInItsPlane) {
  const Mesh mesh({4, 4, 4});
  const auto routing = make_routing(mesh, 3, algorithm("planar-adaptive"));
  const auto at = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    return *mesh.node_at(std::vector<std::int64_t>{x, y, z});
  };
  EXPECT_EQ(injected(*routing, at(1, 1, 1), at(3, 3, 3)), (std::vector<PortAndClass>{{0, 2}, {2, 0}}));
  EXPECT_EQ(injected(*routing, at(1, 1, 1), at(0, 3, 3)), (std::vector<PortAndClass>{{1, 2}, {2, 1}}));
  EXPECT_EQ(injected(*routing, at(1, 1, 1), at(1, 0, 3)), (std::vector<PortAndClass>{{3, 2}, {4, 1}}));
  EXPECT_EQ(injected(*routing, at(1, 1, 1), at(1, 1, 0)), (std::vector<PortAndClass>{{5, 2}}));
  EXPECT_EQ(routing->class_vcs(0, 0, 2), 0b111u) << "no plane ends in dimension 0";
  EXPECT_EQ(routing->class_vcs(0, 2, 2), 0b100u);
}

TEST(VirtualNetworksOfMeshes, LinderHardenHasANetworkPerCombinationOfDirections) {
  const Mesh mesh({4, 4, 4});
  const auto routing = make_routing(mesh, 4, algorithm("linder-harden"));
  const NodeId from = 21, north_down = *mesh.node_at(std::vector<std::int64_t>{0, 3, 0});  // 21: (1, 1, 1)
  EXPECT_EQ(injected(*routing, from, north_down), (std::vector<PortAndClass>{{1, 2}, {2, 2}, {5, 2}}));
  EXPECT_EQ(routing->initial_states(from, 22), (std::vector<std::uint64_t>{0, 1, 2, 3})) << "drawn";
  EXPECT_EQ(routing->class_vcs(from, 0, 3), 0b1000u);
  EXPECT_EQ(routing->class_vcs(from, 2, 0), 0b0011u) << "two of the four networks go this way";
  EXPECT_EQ(routing->class_vcs(from, 2, 1), 0u);

  const Torus ring({8});
  const auto on_ring = make_routing(ring, 2, algorithm("linder-harden"));
  const RouteCandidate before = candidates(*on_ring, head(6, 1)).at(0);
  const RouteCandidate across = candidates(*on_ring, head(7, 1, before.head_state)).at(0);
  const RouteCandidate after = candidates(*on_ring, head(0, 1, across.head_state)).at(0);
  EXPECT_EQ(before.vc_class, 0);
  EXPECT_EQ(across.vc_class, 0) << "the link that wraps around is on the level before it";
  EXPECT_EQ(after.vc_class, 1);
}

TEST(DallyAokiStatic, FollowsDimensionOrderAfterItsReversals) {
  const Mesh mesh({4, 4});
  RoutingSettings s = algorithm("dally-aoki-static");
  const auto once = make_routing(mesh, 2, s);
  EXPECT_EQ(injected(*once, 0, 15), (std::vector<PortAndClass>{{0, 0}, {2, 0}}));
  const RouteCandidate north = candidates(*once, head(0, 15)).at(1);
  EXPECT_EQ(ports_and_classes(*once, head(4, 15, north.head_state)),
            (std::vector<PortAndClass>{{0, 1}, {2, 0}}));
  const RouteCandidate reversed = candidates(*once, head(4, 15, north.head_state)).at(0);
  EXPECT_EQ(ports_and_classes(*once, head(5, 15, reversed.head_state)), (std::vector<PortAndClass>{{0, 1}}))
      << "X first";
  EXPECT_EQ(ports_and_classes(*once, head(7, 15, reversed.head_state)), (std::vector<PortAndClass>{{2, 1}}));
  s.options.set("reversals", 2);
  const auto twice = make_routing(mesh, 3, s);
  EXPECT_EQ(ports_and_classes(*twice, head(5, 15, reversed.head_state)),
            (std::vector<PortAndClass>{{0, 1}, {2, 1}}));
}

TEST(DallyAokiDynamic, WaitsOnlyForMessagesWithMoreReversals) {
  const Mesh mesh({4, 4});
  const auto routing = make_routing(mesh, 3, algorithm("dally-aoki-dynamic"));
  EXPECT_TRUE(routing->looks_at_outputs());
  HeldOutputs outputs;
  RouteRequest request = head(0, 15, 1 | 1 << 8);  // one reversal, the last hop in Y
  request.outputs = &outputs;
  const std::vector<PortAndClass> adaptive = {{0, 1}, {2, 1}}, deterministic = {{0, 0}};
  EXPECT_EQ(ports_and_classes(*routing, request), deterministic) << "all holders have no reversal";
  outputs.held[{2, 2}] = 1;
  EXPECT_EQ(ports_and_classes(*routing, request), deterministic) << "as many as its own";
  outputs.held[{2, 2}] = 2;
  EXPECT_EQ(ports_and_classes(*routing, request), adaptive);
  outputs.held.clear();
  outputs.held[{2, 0}] = 2;
  EXPECT_EQ(ports_and_classes(*routing, request), deterministic) << "the deterministic channel has no label";
  outputs.free[0] = 0b001;
  EXPECT_EQ(ports_and_classes(*routing, request), deterministic);
  outputs.free[2] = 0b100;
  EXPECT_EQ(ports_and_classes(*routing, request), adaptive);
  const RouteCandidate east = candidates(*routing, request).at(0),
                       north = candidates(*routing, request).at(1);
  EXPECT_EQ(east.head_state, 2u) << "X after Y is a reversal";
  EXPECT_EQ(north.head_state, 1u | 1 << 8);
  // On the deterministic channels it stays there, whatever is free.
  outputs.free.clear();
  const RouteCandidate gave_up = candidates(*routing, request).at(0);
  outputs.free = {{0, 0b111}, {2, 0b111}};
  request.here = 1;
  request.head_state = gave_up.head_state;
  EXPECT_EQ(ports_and_classes(*routing, request), deterministic);
}

TEST(DallyAokiDynamic, HasOneAdaptiveStateForTheChecker) {
  const Mesh mesh({4, 4});
  const auto routing = make_routing(mesh, 3, algorithm("dally-aoki-dynamic"));
  const std::vector<PortAndClass> all = {{0, 1}, {2, 1}, {0, 0}};
  for (const std::uint64_t label : {0u, 1u, 15u, 1u | 1 << 8}) {
    const RouteRequest request = head(0, 15, label);  // without outputs
    EXPECT_EQ(ports_and_classes(*routing, request), all) << "the label decides nothing";
    for (const RouteCandidate& c : candidates(*routing, request))
      EXPECT_EQ(c.head_state, c.escape ? 1ull << 63 : 0);
  }
}

TEST(PCube, SetsBitsBeforeItClearsThem) {
  const Hypercube cube(4);
  const auto routing = make_routing(cube, 1, algorithm("p-cube"));
  EXPECT_EQ(injected(*routing, 0b0011, 0b1100), (std::vector<PortAndClass>{{2, 0}, {3, 0}}));
  EXPECT_EQ(injected(*routing, 0b1111, 0b1100), (std::vector<PortAndClass>{{0, 0}, {1, 0}}));
}

/// Pairs per channel (node, port) under uniform traffic, if a message takes each of its ports equally often.
std::map<std::pair<NodeId, unsigned>, double> channel_loads(const Hypercube& cube, const char* name) {
  const auto routing = make_routing(cube, 1, algorithm(name));
  std::map<std::pair<NodeId, unsigned>, double> loads;
  const std::function<void(NodeId, NodeId, double)> spread = [&](NodeId here, NodeId to, double share) {
    if (here == to) return;
    const auto ports = injected(*routing, here, to);
    for (const auto& [port, vc_class] : ports) {
      const double part = share / static_cast<double>(ports.size());
      loads[{here, port}] += part;
      spread(here ^ (NodeId{1} << port), to, part);
    }
  };
  for (NodeId from = 0; from < cube.node_count(); ++from)
    for (NodeId to = 0; to < cube.node_count(); ++to) spread(from, to, 1);
  return loads;
}

// Whatever order a message takes its hops in, it crosses node 15 if no bit is 0 at both ends: 81 of 256
// pairs, 16 of which start there. The evidence of the study routing-algorithms.
TEST(PCube, LoadsTheLinksOfTheLastNodeTwiceAsMuchAsECube) {
  const Hypercube cube(4);
  double most = 0, into_last = 0;
  for (const auto& [channel, load] : channel_loads(cube, "p-cube")) {
    most = std::max(most, load);
    if ((channel.first ^ (NodeId{1} << channel.second)) == 15) into_last += load;
  }
  EXPECT_NEAR(into_last, 65, 1e-9);
  EXPECT_NEAR(most, 65. / 4, 1e-9);
  const auto e_cube = channel_loads(cube, "dimension-order");
  EXPECT_EQ(e_cube.size(), 64u);
  for (const auto& [channel, load] : e_cube) EXPECT_NEAR(load, 8, 1e-9);
}

TEST(NegativeFirst, TakesNegativeDirectionsFirst) {
  const Mesh mesh({4, 4, 4});
  const auto routing = make_routing(mesh, 1, algorithm("negative-first"));
  const NodeId from = 21;  // (1, 1, 1)
  EXPECT_EQ(injected(*routing, from, *mesh.node_at(std::vector<std::int64_t>{0, 3, 0})),
            (std::vector<PortAndClass>{{1, 0}, {5, 0}}));
  EXPECT_EQ(injected(*routing, from, *mesh.node_at(std::vector<std::int64_t>{1, 3, 2})),
            (std::vector<PortAndClass>{{2, 0}, {4, 0}}));
}

}  // namespace flitmend
