// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>

#include "support/message_of.h"
#include "topologies/hypercube.h"
#include "topologies/kns.h"
#include "topologies/mesh.h"
#include "topologies/torus.h"

namespace flitmend {
namespace {

using test::message_of;

}  // namespace

TEST(Grid, NodesOutsideDoNotExist) {
  const Mesh mesh({4, 3});
  using Coordinates = std::vector<std::int64_t>;
  EXPECT_EQ(mesh.node_at(Coordinates{3, 2}), 11u);
  EXPECT_EQ(mesh.node_at(Coordinates{4, 0}), std::nullopt);
  EXPECT_EQ(mesh.node_at(Coordinates{0, 3}), std::nullopt);
  EXPECT_EQ(mesh.node_at(Coordinates{-1, 0}), std::nullopt);
  EXPECT_EQ(mesh.node_at(Coordinates{1}), std::nullopt);
  EXPECT_EQ(mesh.node_at(Coordinates{1, 1, 0}), std::nullopt);
  EXPECT_EQ(Kns(3, 2).node_at(Coordinates{2, 3}), std::nullopt);
}

TEST(Grid, ChannelsAreThoseOfTheClosedForms) {
  // Mesh: Σ_i (R_i − 1)·Π_{j≠i} R_j links; torus: n·N; hypercube: n·2^(n−1); two channels per link.
  EXPECT_EQ(Mesh({7, 7}).channel_count(), 2u * 84);
  EXPECT_EQ(Mesh({2, 3, 4}).channel_count(), 2u * (1 * 12 + 2 * 8 + 3 * 6));
  EXPECT_EQ(Torus({4, 5, 3}).channel_count(), 2u * 3 * 60);
  EXPECT_EQ(Torus({2, 2}).channel_count(), 2u * 2 * 4);
  EXPECT_EQ(Hypercube(6).channel_count(), 2u * 6 * 32);
}

TEST(Grid, BisectionCountsBothDirections) {
  for (std::uint32_t n : {2u, 4u, 6u}) EXPECT_EQ(Hypercube(n).bisection_channels(), 1u << n);
  for (std::uint32_t n : {2u, 7u, 8u}) EXPECT_EQ(Mesh({n, n}).bisection_channels(), 2 * n);
  EXPECT_EQ(Torus({8, 8}).bisection_channels(), 4u * 8);
  EXPECT_EQ(Torus({4, 4, 4}).bisection_channels(), 4u * 16);
  EXPECT_EQ(Mesh({8, 3}).bisection_channels(), 2u * 3);
  EXPECT_EQ(Torus({3, 10}).bisection_channels(), 4u * 3);
}

TEST(Grid, PortsLeadWhereTheirNamesSay) {
  const Mesh mesh({4, 4});
  const RouterId centre = *mesh.node_at(std::vector<std::int64_t>{1, 2});
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"east", "router_2_2"}, {"west", "router_0_2"}, {"north", "router_1_3"}, {"south", "router_1_1"}};
  for (PortId p = 0; p < 4; ++p) {
    EXPECT_EQ(mesh.port_name(centre, p), expected[p].first);
    EXPECT_EQ(mesh.router_name(mesh.neighbour(centre, p)->router), expected[p].second);
  }
  EXPECT_EQ(mesh.port_name(centre, 4), "local");
  EXPECT_EQ(mesh.neighbour(0, mesh.port(0, false)), std::nullopt);

  const Torus torus({3, 4, 5});
  EXPECT_EQ(torus.port_name(0, 0), "dim0_plus");
  EXPECT_EQ(torus.port_name(0, 5), "dim2_minus");
  EXPECT_EQ(torus.router_name(torus.neighbour(0, 5)->router), "router_0_0_4");
  EXPECT_EQ(Mesh({3}).port_name(0, 1), "dim0_minus");

  const Hypercube cube(4);
  EXPECT_EQ(cube.port_name(3, 2), "dim2");
  EXPECT_EQ(cube.neighbour(3, 2)->router, 7u);
  EXPECT_EQ(cube.router_name(3), "router_1_1_0_0");
}

TEST(Grid, PortSignAndDimension) {
  const Torus torus({4, 4});
  const RouterId edge = *torus.node_at(std::vector<std::int64_t>{3, 0});
  EXPECT_TRUE(torus.port_is_plus(edge, torus.port(0, true)));
  EXPECT_FALSE(torus.port_is_plus(edge, torus.port(1, false)));
  EXPECT_EQ(torus.port_dimension(torus.port(1, false)), 1u);
  const Hypercube cube(3);
  EXPECT_TRUE(cube.port_is_plus(0b101, 1));
  EXPECT_FALSE(cube.port_is_plus(0b101, 2));
}

TEST(Grid, ATorusTieGoesToPlus) {
  const Torus even({8}), odd({5}), two({2});
  EXPECT_EQ(even.offset(0, 4, 0), 4);
  EXPECT_EQ(even.offset(4, 0, 0), 4);
  EXPECT_EQ(even.offset(7, 3, 0), 4);
  EXPECT_EQ(even.offset(0, 5, 0), -3);
  EXPECT_EQ(even.offset(6, 1, 0), 3);
  EXPECT_EQ(odd.offset(0, 2, 0), 2);
  EXPECT_EQ(odd.offset(0, 3, 0), -2);
  EXPECT_EQ(two.offset(1, 0, 0), 1);
  EXPECT_EQ(two.offset(0, 1, 0), 1);
  EXPECT_EQ(Mesh({8}).offset(7, 0, 0), -7);
}

TEST(Grid, ATorusOfRadixTwoHasTwoLinksBetweenItsNodes) {
  const Torus ring({2});
  EXPECT_EQ(ring.neighbour(0, 0), (RouterPort{1, 1}));
  EXPECT_EQ(ring.neighbour(1, 0), (RouterPort{0, 1}));
}

TEST(Grid, SaysWhatItIs) {
  EXPECT_EQ(Mesh({8, 8}).description(), "8x8 mesh");
  EXPECT_EQ(Torus({4, 5, 6}).description(), "4x5x6 torus");
  EXPECT_EQ(Torus({8}).description(), "8-node ring");
  EXPECT_EQ(Mesh({8}).description(), "8-node linear array");
  EXPECT_EQ(Hypercube(6).description(), "6-dimensional hypercube");
  EXPECT_EQ(Kns(32, 2).description(), "KNS(32, 2)");
  EXPECT_EQ(Torus({4, 4}).name(), "torus");
}

TEST(Grid, RefusesImpossibleSizes) {
  EXPECT_EQ(message_of([] {
              Torus({4, 1});
            }),
            "network.size: dimension 1 has radix 1, a ring of one node; a torus needs at least 2 there; "
            "leave that dimension out");
  EXPECT_EQ(message_of([] { Mesh({}); }),
            "network.size: empty; a mesh needs a radix for each dimension, as [8, 8]");
  EXPECT_EQ(message_of([] {
              Mesh({1, 1});
            }),
            "network.size: a 1x1 mesh has 1 node; a network needs at least 2");
  EXPECT_EQ(message_of([] {
              Mesh({4, 0});
            }),
            "network.size: dimension 1 has radix 0; a mesh needs at least 1");
  EXPECT_EQ(message_of([] {
              Mesh({1024, 1025});
            }),
            "network.size: a 1024x1025 mesh has more than 1048576 nodes, the largest supported network; make "
            "it smaller");
  EXPECT_EQ(message_of([] {
              Torus({65536, 65536, 65536, 65536, 65536});
            }),
            "network.size: a 65536x65536x65536x65536x65536 torus has more than 1048576 nodes, the largest "
            "supported "
            "network; make it smaller");
  EXPECT_EQ(message_of([] { Mesh(std::vector<std::uint32_t>(33, 1)); }),
            "network.size: 33 dimensions; a mesh has at most 32");
  EXPECT_EQ(message_of([] { Hypercube(0); }), "network.dimensions: 0; a hypercube has 1 to 20 dimensions");
  EXPECT_EQ(message_of([] { Hypercube(21); }), "network.dimensions: 21; a hypercube has 1 to 20 dimensions");
  EXPECT_EQ(Hypercube(20).node_count(), 1u << 20);
}

TEST(Kns, HasNTimesNLinksAndSwitchesOfEqualDigits) {
  for (auto [k, n] :
       std::vector<std::pair<std::uint32_t, std::uint32_t>>{{5, 1}, {3, 2}, {8, 2}, {4, 3}, {2, 5}}) {
    const Kns kns(k, n);
    EXPECT_EQ(kns.channel_count(), 2u * n * kns.node_count());
    EXPECT_EQ(kns.router_count(), kns.node_count() + n * kns.node_count() / k);
    for (RouterId s = kns.node_count(); s < kns.router_count(); ++s) {
      ASSERT_TRUE(kns.is_switch(s));
      const unsigned dimension = kns.switch_dimension(s);
      for (PortId p = 0; p < k; ++p) {
        const RouterPort member = *kns.neighbour(s, p);
        EXPECT_EQ(member.port, dimension);
        EXPECT_EQ(kns.coordinate(member.router, dimension), p);
        EXPECT_EQ(kns.switch_of(member.router, dimension), s);
        std::vector<std::uint32_t> others = kns.coordinates(member.router);
        others.erase(others.begin() + dimension);
        EXPECT_EQ(others, kns.coordinates(s)) << kns.router_name(s);
      }
    }
  }
}

TEST(Kns, Names) {
  const Kns kns(4, 3);
  EXPECT_EQ(kns.router_name(1 + 4 * 2 + 16 * 3), "router_1_2_3");
  EXPECT_EQ(kns.router_name(kns.switch_of(1 + 4 * 2 + 16 * 3, 1)), "switch_d1_1_3");
  EXPECT_EQ(kns.port_name(0, 2), "dim2");
  EXPECT_EQ(kns.port_name(kns.switch_of(0, 0), 3), "port3");
  EXPECT_EQ(kns.port_name(0, 3), "local");
  EXPECT_EQ(Kns(4, 1).router_name(4), "switch_d0");
}

TEST(Kns, BisectionIsTheNumberOfNodesForEvenK) {
  EXPECT_EQ(Kns(32, 2).bisection_channels(), 1024u);
  EXPECT_EQ(Kns(10, 3).bisection_channels(), 1000u);
  EXPECT_EQ(Kns(3, 2).bisection_channels(), 2u * 3);
}

/// A subnetwork of its own: KNS(k, 1).
struct StagesCase {
  std::uint32_t k, arity;
  unsigned stages;
};
constexpr StagesCase kStages[] = {{4, 2, 2},  {8, 2, 3},  {32, 2, 5}, {9, 3, 2},
                                  {27, 3, 3}, {16, 4, 2}, {64, 4, 3}, {25, 5, 2}};

TEST(Kns, FatTreesHaveSStagesOfSwitchesWithPortsUpAndDown) {
  for (const auto& [k, r, s] : kStages)
    for (const std::uint32_t n : {1u, 2u}) {
      const Kns kns(k, n, SubnetworkKind::fat_tree, r);
      const std::uint32_t lines = n * kns.node_count() / k;
      EXPECT_EQ(kns.subnetwork(0).stages(), s);
      EXPECT_EQ(kns.router_count(), kns.node_count() + lines * s * k / r) << kns.description();
      EXPECT_EQ(kns.channel_count(), std::uint64_t{2} * lines * s * k) << kns.description();
      EXPECT_EQ(kns.diameter(), 2 * s * n) << kns.description();
      EXPECT_FALSE(kns.has_one_way_links());
      for (RouterId at = kns.node_count(); at < kns.router_count(); ++at)
        for (PortId p = 0; p < kns.port_count(at); ++p)
          ASSERT_TRUE(kns.neighbour(at, p)) << kns.description();
    }
}

TEST(Kns, RuftHasHalfTheChannelsOfAFatTreeAndOneStageMoreOfThem) {
  for (const auto& [k, r, s] : kStages)
    for (const std::uint32_t n : {1u, 2u}) {
      const Kns kns(k, n, SubnetworkKind::ruft, r);
      const std::uint32_t lines = n * kns.node_count() / k;
      EXPECT_EQ(kns.router_count(), kns.node_count() + lines * s * k / r) << kns.description();
      EXPECT_EQ(kns.channel_count(), std::uint64_t{lines} * (s + 1) * k) << kns.description();
      EXPECT_EQ(kns.diameter(), (s + 1) * n) << kns.description();
      EXPECT_TRUE(kns.has_one_way_links());
      for (RouterId at = kns.node_count(); at < kns.router_count(); ++at)
        for (PortId p = 0; p < 2 * r; ++p)
          EXPECT_EQ(kns.carries_flits(at, p), p >= r) << kns.router_name(at) << ' ' << p;
    }
}

TEST(Kns, NamesOfStages) {
  const Kns tree(8, 2, SubnetworkKind::fat_tree, 2);
  EXPECT_EQ(tree.description(), "KNS(8, 2) with 2-ary fat trees");
  EXPECT_EQ(tree.router_name(tree.switch_of(5 + 8 * 3, 0)), "switch_d0_3_stage0_2");
  EXPECT_EQ(tree.router_name(tree.router_count() - 1), "switch_d1_7_stage2_3");
  EXPECT_EQ(tree.port_name(tree.node_count(), 1), "down1");
  EXPECT_EQ(tree.port_name(tree.node_count(), 2), "up0");
  EXPECT_EQ(tree.port_name(0, 1), "dim1");
  const Kns ruft(8, 2, SubnetworkKind::ruft, 2);
  EXPECT_EQ(ruft.description(), "KNS(8, 2) with 2-ary RUFTs");
  EXPECT_EQ(ruft.port_name(ruft.node_count(), 1), "in1");
  EXPECT_EQ(ruft.port_name(ruft.node_count(), 2), "out0");
  EXPECT_EQ(ruft.port_name(0, 1), "dim1_out");
  EXPECT_EQ(ruft.port_name(0, 3), "dim1_in");
  EXPECT_EQ(ruft.port_name(0, 4), "local");
}

// All cuts: every half of the nodes, with every choice of a side for each switch.
TEST(Kns, BisectionOfStagesIsTheSmallestCut) {
  for (const SubnetworkKind kind : {SubnetworkKind::fat_tree, SubnetworkKind::ruft})
    for (const auto& [k, r] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{{4, 2}, {8, 2}, {9, 3}}) {
      const Kns kns(k, 1, kind, r);
      std::vector<std::pair<std::uint32_t, std::uint32_t>> channels;  // masks of the ends
      for (RouterId a = 0; a < kns.router_count(); ++a)
        for (PortId p = 0; p < kns.port_count(a); ++p)
          if (kns.carries_flits(a, p)) channels.emplace_back(1u << a, 1u << kns.neighbour(a, p)->router);
      std::uint64_t fewest = ~std::uint64_t{0};
      for (std::uint32_t sides = 0; sides < 1u << kns.router_count(); ++sides) {
        if (std::popcount(sides & ((1u << k) - 1)) != static_cast<int>(k / 2)) continue;
        std::uint64_t crossing = 0;
        for (const auto& [from, to] : channels) crossing += !(sides & from) != !(sides & to);
        fewest = std::min(fewest, crossing);
      }
      EXPECT_EQ(kns.bisection_channels(), fewest) << kns.description();
    }
}

TEST(Kns, RefusesAritiesThatDoNotFit) {
  const auto refused = [](std::uint32_t k, SubnetworkKind kind, std::uint32_t arity) {
    return message_of([&] { Kns(k, 2, kind, arity); });
  };
  EXPECT_EQ(refused(8, SubnetworkKind::one_switch, 2),
            "network.arity: 2; a subnetwork of one switch has none: remove it, or set network.subnetwork to "
            "fat-tree or ruft");
  EXPECT_EQ(refused(16, SubnetworkKind::fat_tree, 0),
            "network.arity: missing; subnetwork fat-tree of k = 16 needs it: use 2 or 4");
  EXPECT_EQ(
      refused(16, SubnetworkKind::ruft, 3),
      "network.arity: 3; subnetwork ruft of k = 16 has at least 2 stages, and k is a power of the arity: "
      "use 2 or 4");
  EXPECT_EQ(refused(16, SubnetworkKind::fat_tree, 16),
            "network.arity: 16; subnetwork fat-tree of k = 16 has at least 2 stages, and k is a power of the "
            "arity: use 2 or 4");
  EXPECT_EQ(refused(9, SubnetworkKind::fat_tree, 1),
            "network.arity: 1; subnetwork fat-tree of k = 9 has at least 2 stages, and k is a power of the "
            "arity: use 3");
  EXPECT_EQ(
      refused(6, SubnetworkKind::ruft, 2),
      "network.k: 6; subnetwork ruft needs a power of its arity with at least 2 stages, as 8 = 2^3 or 9 = "
      "3^2: use another k, or subnetwork switch");
  EXPECT_EQ(refused(64, SubnetworkKind::ruft, 8), "");
}

TEST(Kns, RefusesImpossibleSizes) {
  EXPECT_EQ(message_of([] { Kns(1, 2); }), "network.k: 1; a KNS network needs at least 2 routers per switch");
  EXPECT_EQ(message_of([] { Kns(4, 0); }), "network.n: 0; a KNS network needs at least 1 dimension");
  EXPECT_EQ(message_of([] { Kns(65535, 1); }), "network.k: 65535; a KNS switch has at most 65534 ports");
  EXPECT_EQ(
      message_of([] { Kns(32, 5); }),
      "network.k: KNS(32, 5) has more than 1048576 nodes, the largest supported network; make it smaller");
}

}  // namespace flitmend
