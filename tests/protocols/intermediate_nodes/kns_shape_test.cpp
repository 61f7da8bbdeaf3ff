// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/intermediate_nodes/kns_shape.h"

#include <gtest/gtest.h>

#include "base/random_stream.h"
#include "protocols/networks.h"
#include "support/kns_walk.h"
#include "support/message_of.h"

namespace flitmend {

TEST(KnsShape, AgreesWithTheGraph) {
  const KnsShape shape(5, 3);
  const Kns kns(5, 3);
  EXPECT_EQ(shape.node_count(), kns.node_count());
  EXPECT_EQ(shape.link_count(), 375u);
  EXPECT_EQ(shape.pair_count(), 125u * 124u);
  EXPECT_EQ(2 * shape.link_count(), kns.channel_count());
  for (NodeId v = 0; v < kns.node_count(); ++v)
    for (unsigned i = 0; i < 3; ++i) {
      EXPECT_EQ(shape.digit(v, i), kns.coordinate(v, i));
      EXPECT_EQ(shape.link(shape.number_of({v, i})), (KnsLink{v, i}));
      EXPECT_EQ(shape.digit(shape.with_digit(v, i, 4), i), 4u);
    }
  EXPECT_EQ(shape.description(), "KNS(5, 3)");
}

TEST(KnsShape, TakesTheLargestAndSmallest) {
  EXPECT_EQ(KnsShape(2, 26).link_count(), 26u << 26);
  EXPECT_EQ(KnsShape(std::int64_t{1} << 31, 1).link_count(), 1u << 31);
  EXPECT_EQ(KnsShape(2, 1).pair_count(), 2u);
}

TEST(KnsShape, RefusesWhatIsNoNetworkOrTooLarge) {
  const auto message = [](std::int64_t k, std::int64_t n) {
    return test::message_of([&] { KnsShape(k, n); });
  };
  EXPECT_EQ(message(1, 2), "k is 1: a KNS network needs at least 2 routers per switch");
  EXPECT_EQ(message(-3, 2), "k is -3: a KNS network needs at least 2 routers per switch");
  EXPECT_EQ(message(4, 0), "n is 0: a KNS network needs at least 1 dimension");
  const std::string too_large =
      " has more than 2147483648 links, the limit of the analysis; use a smaller k or n";
  EXPECT_EQ(message(2, 27), "KNS(2, 27)" + too_large);
  EXPECT_EQ(message(46341, 2), "KNS(46341, 2)" + too_large);
  EXPECT_EQ(message(1'000'000'000'000, 9), "KNS(1000000000000, 9)" + too_large);
  EXPECT_EQ(message(2, 1'000'000'000'000), "KNS(2, 1000000000000)" + too_large);
}

TEST(KnsFaults, WalksTheSamePathsAsTheGraph) {
  test::KnsWalk walk(4, 3);
  KnsFaults faults(KnsShape(4, 3));
  RandomStream random(7, RandomPurpose::test);
  for (int f = 0; f < 20; ++f) {
    const KnsLink link{random.below(64), random.below(3)};
    faults.fail(link);
    walk.kill(link.node, link.dimension);
    EXPECT_TRUE(faults.dead(link.node, link.dimension));
  }
  int blocked = 0;
  for (NodeId s = 0; s < 64; ++s)
    for (NodeId d = 0; d < 64; ++d) {
      EXPECT_EQ(faults.clean(s, d), walk.clean(s, d)) << s << " to " << d;
      EXPECT_EQ(2 * faults.hops(s, d), walk.kns.distance(s, d));
      blocked += !faults.clean(s, d);
    }
  EXPECT_GT(blocked, 500);
}

// The routers' own Hybrid-DOR, called channel by channel with the fault status of each router, routes exactly
// the pairs whose paths are fault-free here.
TEST(KnsFaults, AgreesWithTheRoutingFunctionOfTheRouters) {
  const Kns kns(4, 3);
  FaultSet faults(kns);
  RandomStream random(8, RandomPurpose::test);
  for (int f = 0; f < 15; ++f) faults.fail_link(random.below(64), static_cast<PortId>(random.below(3)));
  const KnsFaults dead = kns_faults_of(kns, faults);
  const auto routing = make_routing(kns, 1, algorithm("hybrid-dor"));
  struct Status final : PortStatus {
    bool faulty(PortId port) const override { return faults->blocked(here, port); }
    const FaultSet* faults = nullptr;
    RouterId here = 0;
  } status;
  status.faults = &faults;
  for (NodeId s = 0; s < 64; ++s)
    for (NodeId d = 0; d < 64; ++d) {
      RouterId& here = status.here = s;
      bool arrives = true;
      while (arrives && here != d) {
        const auto next = candidates(*routing, head(here, d, 0, &status));
        arrives = !next.empty();
        if (arrives) here = kns.neighbour(here, next[0].port)->router;
      }
      EXPECT_EQ(dead.clean(s, d), arrives) << s << " to " << d;
    }
}

TEST(KnsFaults, TakesTheFaultsOfAFabric) {
  const Kns kns(3, 2);
  FaultSet faults(kns);
  faults.fail_channel(4, 1);                    // one direction is enough
  faults.fail_channel(kns.switch_of(6, 0), 2);  // towards router 8
  faults.fail_router(kns.switch_of(2, 1));      // cuts 2, 5, 8 off in dimension 1
  faults.fail_router(3);
  const KnsFaults dead = kns_faults_of(kns, faults);
  for (NodeId v = 0; v < 9; ++v) {
    EXPECT_EQ(dead.dead(v, 0), v == 8 || v == 3) << v;
    EXPECT_EQ(dead.dead(v, 1), v == 4 || v % 3 == 2 || v == 3) << v;
  }
}

TEST(KnsFaults, RefusesLinksThatAreNotThere) {
  KnsFaults faults(KnsShape(4, 2));
  EXPECT_EQ(test::message_of([&] {
              faults.fail({16, 0});
            }),
            "link 16:0 is not in KNS(4, 2): routers are 0 … 15, dimensions 0 … 1");
  EXPECT_EQ(test::message_of([&] {
              faults.fail({3, 2});
            }),
            "link 3:2 is not in KNS(4, 2): routers are 0 … 15, dimensions 0 … 1");
  EXPECT_EQ(test::message_of([] { KnsFaults(KnsShape(2, 21)); }),
            "KNS(2, 21) is too large for routing tables: at most 1048576 routers and 65534 ports per switch");
}

}  // namespace flitmend
