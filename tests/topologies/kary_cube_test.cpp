// SPDX-License-Identifier: Apache-2.0
#include "topologies/kary_cube.h"

#include <gtest/gtest.h>

#include "support/message_of.h"
#include "topologies/torus.h"

namespace flitmend {
using test::message_of;

TEST(KaryCube, IsTheTorusOfItsRadix) {
  for (const auto& [k, n] : {std::pair{2u, 3u}, {3u, 3u}, {4u, 2u}, {5u, 1u}, {6u, 3u}}) {
    const KaryCube cube(k, n);
    const Torus torus(std::vector<std::uint32_t>(n, k));
    ASSERT_EQ(cube.node_count(), torus.node_count());
    EXPECT_EQ(cube.diameter(), torus.diameter());
    EXPECT_EQ(2 * cube.link_count(), torus.channel_count());
    for (KaryCube::Node a = 0; a < cube.node_count(); ++a) {
      for (unsigned port = 0; port < cube.ports(); ++port)
        EXPECT_EQ(cube.neighbour(a, port), torus.neighbour(a, static_cast<PortId>(port))->router);
      for (KaryCube::Node b = 0; b < cube.node_count(); ++b) {
        EXPECT_EQ(cube.lee_distance(a, b), torus.distance(a, b));
        KaryCube::PortMask nearer = 0;
        for (unsigned port = 0; port < cube.ports(); ++port)
          if (torus.distance(cube.neighbour(a, port), b) + 1 == torus.distance(a, b)) nearer |= 1u << port;
        EXPECT_EQ(cube.preferred_ports(a, b), nearer) << cube.label(a) << " to " << cube.label(b);
      }
    }
  }
}

TEST(KaryCube, KnowsNodesByTheirDigits) {
  const KaryCube small(3);
  EXPECT_EQ(small.node_of("012"), 5u);
  EXPECT_EQ(small.label(5), "012");
  EXPECT_EQ(small.hamming_distance(small.node_of("012"), small.node_of("112")), 1u);
  const KaryCube large(12, 2);
  EXPECT_EQ(large.label(large.node_of("11.3")), "11.3");
  EXPECT_EQ(large.node_of("11.3"), 135u);
  EXPECT_EQ(message_of([&] { small.node_of("013"); }),
            "node '013' of the 3-ary 3-cube: a label is 3 digits of 0 to 2, the highest dimension first");
  for (const char* bad : {"", "01", "0120", "0-1", "a00", "0.1.2"})
    EXPECT_NE(message_of([&] { small.node_of(bad); }), "") << bad;
  EXPECT_EQ(message_of([&] { large.node_of("12.0"); }),
            "node '12.0' of the 12-ary 2-cube: a label is 2 digits of 0 to 11 with dots between them, the "
            "highest dimension first");
  for (const char* bad : {"1", "1.", ".1", "1.2.3", "1..2"})
    EXPECT_NE(message_of([&] { large.node_of(bad); }), "") << bad;
}

TEST(KaryCube, RefusesWhatIsNoCube) {
  EXPECT_EQ(message_of([] { KaryCube(1, 3); }), "k-ary n-cube: k is 1; it must be at least 2");
  EXPECT_EQ(message_of([] { KaryCube(8, 0); }), "k-ary n-cube: n is 0; it must be 1 to 16");
  EXPECT_EQ(message_of([] { KaryCube(2, 17); }), "k-ary n-cube: n is 17; it must be 1 to 16");
  EXPECT_EQ(message_of([] { KaryCube(4000000000u, 3); }),
            "k-ary n-cube: a 4000000000-ary 3-cube has more than 2^24 nodes; make k or n smaller");
}

}  // namespace flitmend
