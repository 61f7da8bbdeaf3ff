// SPDX-License-Identifier: Apache-2.0
// Routing through the stages of fat trees and RUFTs, without a fabric.
#include <gtest/gtest.h>

#include <ctime>
#include <map>
#include <set>

#include "base/random_stream.h"
#include "protocols/deadlock/checker.h"
#include "protocols/networks.h"
#include "protocols/routing/intermediate_nodes/kns_shape.h"
#include "protocols/routing/subnetwork_routes.h"
#include "support/message_of.h"
#include "support/subnetwork_cases.h"

namespace flitmend {
namespace {

using test::inside_parts;
using test::InsidePart;
using test::kFatTree;
using test::kRuft;
using test::SubnetworkCase;

class Ports final : public PortStatus {
 public:
  Ports(const FaultSet& faults, RouterId router) : faults_(faults), router_(router) {}
  bool faulty(PortId port) const override { return faults_.blocked(router_, port); }

 private:
  const FaultSet& faults_;
  RouterId router_;
};

/// The channels that a message takes; empty if it does not arrive.
std::vector<RouterPort> way(const RoutingFunction& routing, NodeId from, NodeId to,
                            const FaultSet* faults = nullptr) {
  const Topology& t = routing.topology();
  std::vector<RouterPort> channels;
  RouteRequest request = head(from, to, routing.initial_states(from, to).front());
  while (channels.size() < 1000) {
    std::optional<Ports> ports;
    if (faults) request.ports = &ports.emplace(*faults, request.here);
    const auto list = candidates(routing, request);
    if (list.empty()) return {};
    if (list[0].port == routing.local_port(request.here)) {
      EXPECT_EQ(request.here, to);
      return channels;
    }
    EXPECT_EQ(list.size(), 1u);
    EXPECT_TRUE(t.carries_flits(request.here, list[0].port));
    channels.push_back({request.here, list[0].port});
    const RouterPort far = *t.neighbour(request.here, list[0].port);
    request.here = far.router;
    request.arrival_port = far.port;
    request.head_state = list[0].head_state;
  }
  return {};
}

FaultSet faults_of(const Topology& t, const InsidePart& part) {
  FaultSet faults(t);
  part.port == InsidePart::kWhole ? faults.fail_router(part.router)
                                  : faults.fail_link(part.router, part.port);
  return faults;
}

const SubnetworkCase kFaultFree[] = {
    {4, 1, kFatTree, 2},  {4, 2, kFatTree, 2},  {4, 3, kFatTree, 2},  {8, 1, kFatTree, 2},
    {8, 2, kFatTree, 2},  {64, 1, kFatTree, 2}, {9, 2, kFatTree, 3},  {27, 1, kFatTree, 3},
    {16, 2, kFatTree, 4}, {64, 1, kFatTree, 4}, {25, 1, kFatTree, 5}, {4, 1, kRuft, 2},
    {4, 2, kRuft, 2},     {4, 3, kRuft, 2},     {8, 1, kRuft, 2},     {8, 2, kRuft, 2},
    {64, 1, kRuft, 2},    {9, 2, kRuft, 3},     {27, 1, kRuft, 3},    {16, 2, kRuft, 4},
    {64, 1, kRuft, 4},    {25, 1, kRuft, 5}};

const SubnetworkCase kWithFaults[] = {{4, 1, kFatTree, 2}, {8, 1, kFatTree, 2},  {16, 1, kFatTree, 2},
                                      {9, 1, kFatTree, 3}, {27, 1, kFatTree, 3}, {4, 2, kFatTree, 2},
                                      {4, 1, kRuft, 2},    {8, 1, kRuft, 2},     {16, 1, kRuft, 2},
                                      {9, 1, kRuft, 3},    {27, 1, kRuft, 3},    {4, 2, kRuft, 2}};

}  // namespace

class SubnetworkRouting : public testing::TestWithParam<SubnetworkCase> {};

TEST_P(SubnetworkRouting, EveryPairTakesAShortestPath) {
  const Kns kns = GetParam().kns();
  for (const char* name : {"hybrid-dor", "intermediate-nodes"}) {
    const auto routing = make_routing(kns, 3, algorithm(name));
    for (NodeId a = 0; a < kns.node_count(); ++a)
      for (NodeId b = 0; b < kns.node_count(); ++b)
        if (a != b) {
          ASSERT_EQ(way(*routing, a, b).size(), kns.distance(a, b)) << name << ": " << a << " to " << b;
        }
  }
}

TEST_P(SubnetworkRouting, CannotDeadlock) {
  const Kns kns = GetParam().kns();
  for (const char* name : {"hybrid-dor", "intermediate-nodes"}) {
    const auto routing = make_routing(kns, 3, algorithm(name));
    const ChannelMap channels(*routing);
    const DeadlockAnalysis a = analyse_deadlock(*routing, channels);
    EXPECT_EQ(a.verdict, DeadlockVerdict::free) << describe(a, *routing, channels);
    EXPECT_EQ(a.argument, DeadlockArgument::dependency_graph);
    EXPECT_EQ(a.routes.without_route, 0u);
  }
}

// Why the lower half of a fat tree can be left out: a channel on the way down has one destination.
TEST_P(SubnetworkRouting, ChannelsDownLeadToOneEnd) {
  SubnetworkCase c = GetParam();
  c.n = 1;
  const Kns kns = c.kns();
  const auto routing = make_routing(kns, 1, algorithm("hybrid-dor"));
  std::map<std::pair<RouterId, PortId>, std::set<NodeId>> destinations;
  for (NodeId a = 0; a < kns.node_count(); ++a)
    for (NodeId b = 0; b < kns.node_count(); ++b)
      if (a != b)
        for (const RouterPort& channel : way(*routing, a, b))
          destinations[{channel.router, channel.port}].insert(b);
  EXPECT_EQ(destinations.size(), kns.channel_count()) << "some channel is not used";
  for (const auto& [channel, ends] : destinations) {
    const auto& [at, port] = channel;
    if (!kns.is_switch(at)) continue;
    const bool down = c.kind == kFatTree ? port < c.arity : !kns.is_switch(kns.neighbour(at, port)->router);
    if (down) {
      EXPECT_EQ(ends.size(), 1u) << kns.router_name(at) << ' ' << kns.port_name(at, port);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(FaultFree, SubnetworkRouting, testing::ValuesIn(kFaultFree));

class FaultInside : public testing::TestWithParam<SubnetworkCase> {};

TEST_P(FaultInside, HybridDorGoesAroundItWhereAnyPathIsLeft) {
  const Kns kns = GetParam().kns();
  const auto routing = make_routing(kns, 1, algorithm("hybrid-dor"));
  const ChannelMap channels(*routing);
  std::uint64_t around = 0, cut = 0;
  for (const InsidePart& part : inside_parts(kns)) {
    const FaultSet faults = faults_of(kns, part);
    const auto before = make_routing(kns, 1, algorithm("hybrid-dor"));
    routing->update_faults(faults);
    std::uint64_t without_way = 0;
    for (NodeId a = 0; a < kns.node_count(); ++a)
      for (NodeId b = 0; b < kns.node_count(); ++b) {
        if (a == b) continue;
        const auto taken = way(*routing, a, b, &faults);
        ASSERT_EQ(!taken.empty(), test::joined_in_order(kns, faults, a, b))
            << part.name(kns) << ": " << a << " to " << b;
        if (taken.empty()) {
          ++without_way;
          continue;
        }
        ASSERT_EQ(taken.size(), kns.distance(a, b)) << part.name(kns) << ": " << a << " to " << b;
        around += taken != way(*before, a, b);
      }
    cut += without_way;
    const DeadlockAnalysis a = analyse_deadlock(*routing, channels, {.faults = &faults});
    EXPECT_EQ(a.verdict, DeadlockVerdict::free) << part.name(kns) << describe(a, *routing, channels);
    EXPECT_EQ(a.argument, DeadlockArgument::dependency_graph) << part.name(kns);
    EXPECT_EQ(a.routes.can_strand, 0u) << part.name(kns);
  }
  EXPECT_EQ(around > 0, GetParam().kind == kFatTree);
  EXPECT_GT(cut, 0u);
}

TEST_P(FaultInside, CountsAsAFaultOfTheLinksThatItCutsOff) {
  const SubnetworkCase c = GetParam();
  const Kns kns = c.kns();
  const Subnetwork& s = kns.subnetwork(0);
  for (const InsidePart& part : inside_parts(kns)) {
    const FaultSet faults = faults_of(kns, part);
    const KnsFaults dead = kns_faults_of(kns, faults);
    std::uint32_t count = 0;
    for (NodeId node = 0; node < kns.node_count(); ++node)
      for (unsigned i = 0; i < kns.n(); ++i) count += dead.dead(node, i);
    // Every two nodes of a line that are cut off from each other have a link that counts as faulty.
    std::uint32_t stride = 1;
    for (unsigned i = 0; i < kns.n(); stride *= kns.radix(i++))
      for (NodeId a = 0; a < kns.node_count(); ++a)
        for (std::uint32_t x = 0; x < kns.k(); ++x) {
          const NodeId b = a - kns.coordinate(a, i) * stride + x * stride;
          if (a != b && !test::joined_inside(kns, faults, a, b, i)) {
            ASSERT_TRUE(dead.dead(a, i) || dead.dead(b, i)) << part.name(kns) << ": " << a << " to " << b;
          }
        }
    // No more than the ends on the side of the fault that has fewer.
    const unsigned dimension = kns.switch_dimension(part.router);
    const unsigned stage = s.stage(kns.switch_number(part.router, dimension));
    std::uint32_t before = 1, after = 1;
    for (unsigned l = 0; l <= stage; ++l) before *= c.arity;
    for (unsigned l = stage + (part.port != InsidePart::kWhole); l < s.stages(); ++l) after *= c.arity;
    if (c.kind == kRuft) {
      EXPECT_GE(count, 1u) << part.name(kns);
      EXPECT_LE(count, std::min(before, after)) << part.name(kns);
    } else {
      EXPECT_EQ(count, part.port == InsidePart::kWhole && stage == 0 ? c.arity : 0u) << part.name(kns);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Single, FaultInside, testing::ValuesIn(kWithFaults));

// With several faults in a fat tree every way up may be needed, and some pairs have none.
TEST(SubnetworkFaults, RandomSetsLeaveAWayExactlyWhereUpAndDownDo) {
  const Kns kns(16, 1, kFatTree, 2);
  const std::vector<InsidePart> parts = inside_parts(kns);
  const auto routing = make_routing(kns, 1, algorithm("hybrid-dor"));
  RandomStream random(1, RandomPurpose::test);
  std::uint64_t cut = 0, left = 0;
  for (int set = 0; set < 200; ++set) {
    FaultSet faults(kns);
    for (int i = 0; i < 12; ++i) {
      const InsidePart& part = parts[random.below(static_cast<std::uint32_t>(parts.size()))];
      if (part.port != InsidePart::kWhole) faults.fail_channel(part.router, part.port);
      if (part.port != InsidePart::kWhole && random.below(2)) {
        const RouterPort far = *kns.neighbour(part.router, part.port);
        faults.fail_channel(far.router, far.port);
      }
    }
    routing->update_faults(faults);
    for (NodeId a = 0; a < kns.node_count(); ++a)
      for (NodeId b = 0; b < kns.node_count(); ++b) {
        if (a == b) continue;
        // All ways up of the digits j_0 … j_(t−1), t the highest digit in which the ends differ, and down
        // again.
        unsigned t = 0;
        while (a >> (t + 1) != b >> (t + 1)) ++t;
        bool expected = false;
        for (std::uint32_t j = 0; j < 1u << t && !expected; ++j) {
          RouterId at = kns.switch_of(a, 0);
          bool healthy = true;
          const auto step = [&](PortId port) {
            healthy = healthy && !faults.blocked(at, port);
            at = kns.neighbour(at, port)->router;
          };
          for (unsigned l = 0; l < t; ++l) step(static_cast<PortId>(2 + (j >> l & 1)));
          for (unsigned l = t + 1; l-- > 0;) step(static_cast<PortId>(b >> l & 1));
          ASSERT_EQ(at, b);
          expected = healthy;
        }
        ASSERT_EQ(!way(*routing, a, b, &faults).empty(), expected)
            << "set " << set << ": " << a << " to " << b;
        ++(expected ? left : cut);
      }
  }
  EXPECT_GT(cut, 200u);
  EXPECT_GT(left, 10'000u);
}

// A pair without a route has r^(s−1) paths to try; with hundreds of faults nearly every line has such pairs.
TEST(SubnetworkFaults, ManyInALargeTreeAreSoonKnown) {
#ifdef __SANITIZE_ADDRESS__
  constexpr double kSoon = 100;  // CPU seconds
#else
  constexpr double kSoon = 10;
#endif
  const Kns kns(1024, 1, kFatTree, 2);
  const std::vector<InsidePart> parts = inside_parts(kns);
  RandomStream random(2, RandomPurpose::test);
  FaultSet faults(kns);
  for (int i = 0; i < 3000; ++i) {
    const InsidePart& part = parts[random.below(static_cast<std::uint32_t>(parts.size()))];
    if (part.port != InsidePart::kWhole) faults.fail_link(part.router, part.port);
  }
  SubnetworkRoutes routes(kns);
  const std::clock_t start = std::clock();
  routes.update_faults(faults);
  const std::vector<SubnetworkLink> cut_off = routes.links_cut_off();
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, kSoon);
  EXPECT_GT(cut_off.size(), 10u);
  EXPECT_LE(cut_off.size(), kns.node_count());
}

TEST(SubnetworkFaults, ARepairRestoresTheRouteByDigits) {
  const Kns kns(8, 1, kFatTree, 2);
  const auto routing = make_routing(kns, 1, algorithm("hybrid-dor"));
  const auto plain = way(*routing, 0, 7);
  FaultSet faults(kns);
  faults.fail_link(plain[1].router, plain[1].port);
  routing->update_faults(faults);
  EXPECT_NE(way(*routing, 0, 7, &faults), plain);
  faults.repair_link(plain[1].router, plain[1].port);
  routing->update_faults(faults);
  EXPECT_EQ(way(*routing, 0, 7, &faults), plain);
}

TEST(Subnetworks, AlgorithmsThatNeedAnotherKindAreRefused) {
  const Kns ruft(4, 2, kRuft, 2), tree(4, 2, kFatTree, 2);
  EXPECT_EQ(
      test::message_of([&] { make_routing(ruft, 1, algorithm("up-down")); }),
      "routing.algorithm: up-down is defined for mesh, torus, hypercube, kns, file, not for a KNS(4, 2) with "
      "2-ary RUFTs; choose one of: hybrid-dor, intermediate-nodes, table");
  EXPECT_EQ(test::message_of([&] { make_routing(ruft, 1, algorithm("table")); }), "");
  for (const char* name : {"up-down", "table"})
    EXPECT_EQ(test::message_of([&] { make_routing(tree, 1, algorithm(name)); }), "");
  RoutingSettings adaptive = algorithm("intermediate-nodes");
  adaptive.options = {{"segments", "adaptive"}};
  EXPECT_EQ(test::message_of([&] { make_routing(tree, 64, adaptive); }),
            "routing.segments: adaptive segments need subnetworks of one switch, and this is a KNS(4, 2) "
            "with 2-ary "
            "fat trees; use deterministic ones");
}

}  // namespace flitmend
