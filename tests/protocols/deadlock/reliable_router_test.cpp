// SPDX-License-Identifier: Apache-2.0
// The Reliable Router's routing around static faults: every set of one or two dead routers, and single dead
// links. The checker follows every message through every state.
#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "protocols/deadlock/checker.h"
#include "protocols/networks.h"
#include "protocols/routing/up_down_table.h"
#include "topologies/fault_set.h"
#include "topologies/hypercube.h"
#include "topologies/mesh.h"

namespace flitmend {
namespace {

std::unique_ptr<RoutingFunction> reliable_router(const Topology& t) {
  return make_routing(t, 5, algorithm("reliable-router"));
}

/// Ordered pairs of healthy nodes between which there is a route.
std::size_t connected_pairs(const FaultSet& faults) {
  const NodeId nodes = faults.topology().node_count();
  std::size_t pairs = 0;
  for (NodeId a = 0; a < nodes; ++a) {
    if (faults.router_faulty(a)) continue;
    const std::vector<bool> from_a = reached(faults, a);
    for (NodeId b = 0; b < nodes; ++b) pairs += a != b && !faults.router_faulty(b) && from_a[b];
  }
  return pairs;
}

void expect_served_without_deadlock(const Topology& t, const FaultSet& faults, const std::string& text) {
  const auto routing = reliable_router(t);
  routing->update_faults(faults);
  DeadlockOptions options;
  options.faults = &faults;
  const DeadlockAnalysis a = analyse_deadlock(*routing, ChannelMap(*routing), options);
  EXPECT_EQ(a.verdict, DeadlockVerdict::free) << text;
  if (a.routes.without_route == 0) {  // else the escape channels do not connect the network: nothing does
    EXPECT_EQ(a.argument, DeadlockArgument::escape_channels) << text;
  }
  EXPECT_EQ(a.routes.can_strand, 0u) << text;
  EXPECT_TRUE(a.routes.livelock.empty()) << text;
  EXPECT_EQ(a.routes.pairs - a.routes.without_route, connected_pairs(faults)) << text;
}

TEST(ReliableRouter, ServesAllConnectedPairsOfA4x4MeshWithOneOrTwoDeadRouters) {
  const Mesh mesh({4, 4});
  for (NodeId a = 0; a < 16; ++a)
    for (NodeId b = a; b < 16; ++b) {
      FaultSet faults(mesh);
      faults.fail_router(a);
      if (b != a) faults.fail_router(b);
      expect_served_without_deadlock(mesh, faults, mesh.router_name(a) + " and " + mesh.router_name(b));
    }
}

TEST(ReliableRouter, ServesAllConnectedPairsOfAHypercube) {
  const Hypercube cube(4);
  for (NodeId b = 1; b < 16; ++b) {
    FaultSet faults(cube);
    faults.fail_router(0);
    faults.fail_router(b);
    expect_served_without_deadlock(cube, faults, "0 and " + std::to_string(b));
  }
}

TEST(ReliableRouter, GoesAroundADeadLink) {
  const Mesh mesh({4, 3});
  for (RouterId r = 0; r < 12; ++r)
    for (PortId p = 0; p < mesh.port_count(r); p = static_cast<PortId>(p + 2)) {
      if (!mesh.neighbour(r, p)) continue;
      FaultSet faults(mesh);
      faults.fail_link(r, p);
      expect_served_without_deadlock(mesh, faults, mesh.router_name(r) + " by " + mesh.port_name(r, p));
    }
}

TEST(ReliableRouter, AsksAllThreeNetworksInTheirOrder) {
  const Mesh mesh({4, 4});
  const auto routing = reliable_router(mesh);
  const auto list = candidates(*routing, head(15, 0));
  ASSERT_EQ(list.size(), 5u) << "west and south, west, west and south";
  EXPECT_EQ(mesh.port_name(15, list[2].port), "west") << "dimension order";
  EXPECT_EQ(list[1].preference, 0u);
  EXPECT_EQ(list[2].preference, 1u);
  EXPECT_EQ(list[3].preference, 2u);
  for (unsigned c = 0; c < 3; ++c) EXPECT_EQ(std::popcount(routing->class_vcs(5, 0, c)), c == 1 ? 1 : 2);
  const auto inside = candidates(*routing, head(5, 0, list[3].head_state));
  for (const RouteCandidate& c : inside)
    EXPECT_EQ(c.vc_class, list[3].vc_class) << "a message does not leave the fault-handling network";
}

TEST(UpDownTable, NoHopUpFollowsAHopDown) {
  const Mesh mesh({3, 3});
  FaultSet faults(mesh);
  UpDownTable table;
  table.update(faults);
  EXPECT_EQ(table.distance(8, false, 0), 4u);
  EXPECT_EQ(table.distance(8, true, 0), UpDownTable::kNone) << "the root can only be reached by going up";
  EXPECT_EQ(table.distance(0, true, 8), 4u);
  EXPECT_EQ(table.distance(2, false, 6), 4u) << "up to the root, then down";
  faults.fail_router(0);
  table.update(faults);
  EXPECT_EQ(table.distance(8, false, 0), UpDownTable::kNone);
  EXPECT_EQ(table.distance(2, false, 6), 4u);
  EXPECT_EQ(table.distance(3, false, 1), 2u) << "around the dead corner";
}

}  // namespace
}  // namespace flitmend
