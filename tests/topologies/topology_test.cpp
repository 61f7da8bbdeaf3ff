// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

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

TEST(Kns, RefusesImpossibleSizes) {
  EXPECT_EQ(message_of([] { Kns(1, 2); }), "network.k: 1; a KNS network needs at least 2 routers per switch");
  EXPECT_EQ(message_of([] { Kns(4, 0); }), "network.n: 0; a KNS network needs at least 1 dimension");
  EXPECT_EQ(message_of([] { Kns(65535, 1); }), "network.k: 65535; a KNS switch has at most 65534 ports");
  EXPECT_EQ(
      message_of([] { Kns(32, 5); }),
      "network.k: KNS(32, 5) has more than 1048576 nodes, the largest supported network; make it smaller");
}

}  // namespace flitmend
