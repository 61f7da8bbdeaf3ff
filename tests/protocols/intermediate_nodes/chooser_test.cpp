// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/intermediate_nodes/chooser.h"

#include <gtest/gtest.h>

#include <map>

#include "base/random_stream.h"
#include "support/kns_walk.h"
#include "support/message_of.h"

namespace flitmend {
namespace {

/// A network with random faulty links, and the same network to walk through.
struct Broken {
  Broken(std::uint32_t k, std::uint32_t n, unsigned dead, std::uint32_t index)
      : faults(KnsShape(k, n)), walk(k, n) {
    RandomStream random(11, RandomPurpose::test, index);
    for (unsigned i = 0; i < dead; ++i) kill({random.below(faults.shape().node_count()), random.below(n)});
  }
  void kill(KnsLink link) {
    faults.fail(link);
    walk.kill(link.node, link.dimension);
  }
  KnsFaults faults;
  test::KnsWalk walk;
};

IntermediateSettings settings(unsigned max, IntermediatePolicy policy,
                              IntermediateTies ties = IntermediateTies::random, std::uint64_t seed = 1) {
  return {max, policy, ties, seed};
}

/// Every segment is fault-free, and the number of hops is the sum over the segments.
void expect_leads_there(const Broken& net, NodeId s, NodeId d, const IntermediateChain& chain) {
  NodeId at = s;
  std::size_t hops = 0;
  for (const std::uint32_t next : chain.intermediates()) {
    EXPECT_TRUE(net.walk.clean(at, next));
    hops += net.walk.differing(at, next).size();
    at = next;
  }
  EXPECT_TRUE(net.walk.clean(at, d));
  EXPECT_EQ(chain.hops, hops + net.walk.differing(at, d).size());
}

}  // namespace

TEST(IntermediateChooser, TakesThePlainPathWhereItCan) {
  const Broken net(4, 2, 0, 0);
  const IntermediateChooser chooser(net.faults, settings(2, IntermediatePolicy::fewest));
  for (NodeId s = 0; s < 16; ++s)
    for (NodeId d = 0; d < 16; ++d) EXPECT_TRUE(chooser.choose(s, d).plain());
}

// [Penaranda17 Fig. 3(a)]: the link of the source's first dimension is faulty. Any router of its column will
// do; the one in the destination's row keeps the path minimal.
TEST(IntermediateChooser, PrefersTheIntermediateOnAMinimalPath) {
  Broken net(4, 2, 0, 0);
  net.kill({0, 0});
  for (const auto policy : {IntermediatePolicy::fewest, IntermediatePolicy::minimal_first}) {
    const IntermediateChooser chooser(net.faults, settings(1, policy));
    const IntermediateChain chain = chooser.choose(0, 2 + 4 * 3);
    ASSERT_EQ(chain.count, 1);
    EXPECT_EQ(chain.nodes[0], 4u * 3);
    EXPECT_EQ(chain.hops, 2);
  }
}

// [Penaranda17 Fig. 4]: with the destination in the source's row and its last link also faulty, one
// intermediate is not enough.
TEST(IntermediateChooser, NeedsTwoIntermediatesInFigure4) {
  Broken net(4, 2, 0, 0);
  net.kill({0, 0});
  net.kill({3, 1});
  EXPECT_FALSE(
      IntermediateChooser(net.faults, settings(1, IntermediatePolicy::fewest)).choose(0, 3).reachable);
  const IntermediateChain chain =
      IntermediateChooser(net.faults, settings(2, IntermediatePolicy::fewest)).choose(0, 3);
  ASSERT_EQ(chain.count, 2);
  EXPECT_EQ(chain.nodes[0] % 4, 0u);  // in the source's column
  EXPECT_EQ(chain.nodes[1] / 4, 0u);  // in the destination's row
  expect_leads_there(net, 0, 3, chain);
}

// Three faulty links leave, of all minimal paths, only the order 2, 1, 0: two intermediates. A longer path
// needs one.
TEST(IntermediateChooser, MinimalFirstTakesMoreIntermediatesForAMinimalPath) {
  Broken net(4, 3, 0, 0);
  const NodeId s = 0, d = 1 + 4 * 1 + 16 * 1;
  net.kill({s, 0});   // orders 0 1 2, 0 2 1
  net.kill({s, 1});   // orders 1 0 2, 1 2 0
  net.kill({16, 0});  // order 2 0 1
  const IntermediateChain fewest =
      IntermediateChooser(net.faults, settings(2, IntermediatePolicy::fewest)).choose(s, d);
  EXPECT_EQ(fewest.count, 1);
  EXPECT_EQ(fewest.hops, 4);
  const IntermediateChain minimal =
      IntermediateChooser(net.faults, settings(2, IntermediatePolicy::minimal_first)).choose(s, d);
  ASSERT_EQ(minimal.count, 2);
  EXPECT_EQ(minimal.hops, 3);
  EXPECT_EQ(minimal.nodes[0], 16u);
  EXPECT_EQ(minimal.nodes[1], 20u);
  // With one intermediate allowed there is only the longer path.
  const IntermediateChain limited =
      IntermediateChooser(net.faults, settings(1, IntermediatePolicy::minimal_first)).choose(s, d);
  EXPECT_EQ(limited.count, 1);
  EXPECT_EQ(limited.hops, 4);
}

TEST(IntermediateChooser, IsAsGoodAsExhaustiveSearch) {
  struct Case {
    std::uint32_t k, n;
    unsigned dead;
  };
  std::uint32_t index = 0;
  int deep = 0;
  for (const Case& c :
       {Case{4, 2, 3}, Case{4, 2, 9}, Case{3, 2, 7}, Case{3, 3, 12}, Case{3, 3, 25}, Case{2, 4, 20}})
    for (int repeat = 0; repeat < 6; ++repeat) {
      const Broken net(c.k, c.n, c.dead, ++index);
      const unsigned limit = 1 + index % 4;
      const auto least = net.walk.fewest(limit);
      const IntermediateChooser by_count(net.faults, settings(limit, IntermediatePolicy::fewest));
      const IntermediateChooser by_path(net.faults, settings(limit, IntermediatePolicy::minimal_first));
      for (NodeId s = 0; s < net.walk.kns.node_count(); ++s)
        for (NodeId d = 0; d < net.walk.kns.node_count(); ++d) {
          const IntermediateChain fewest = by_count.choose(s, d);
          ASSERT_EQ(fewest.reachable, least[s][d] >= 0) << s << " to " << d;
          const IntermediateChain first = by_path.choose(s, d);
          ASSERT_EQ(first.reachable, fewest.reachable);
          if (!fewest.reachable) continue;
          ASSERT_EQ(fewest.count, least[s][d]);
          expect_leads_there(net, s, d, fewest);
          expect_leads_there(net, s, d, first);
          deep += fewest.count > 1;
          const int minimal = net.walk.fewest_on_minimal_path(s, d);
          if (minimal >= 0 && minimal <= static_cast<int>(limit)) {
            EXPECT_EQ(first.count, minimal);
            EXPECT_EQ(first.hops, net.walk.differing(s, d).size());
          } else {
            EXPECT_EQ(first, fewest);
          }
        }
    }
  EXPECT_GT(deep, 50);
}

TEST(IntermediateChooser, TakesTheFewestHopsOfTheFewestIntermediates) {
  const Broken net(4, 2, 8, 77);
  const IntermediateChooser chooser(net.faults, settings(1, IntermediatePolicy::fewest));
  for (NodeId s = 0; s < 16; ++s)
    for (NodeId d = 0; d < 16; ++d) {
      const IntermediateChain chain = chooser.choose(s, d);
      if (!chain.reachable || chain.count == 0) continue;
      for (NodeId m = 0; m < 16; ++m) {
        if (!net.walk.clean(s, m) || !net.walk.clean(m, d)) continue;
        EXPECT_LE(chain.hops, net.walk.differing(s, m).size() + net.walk.differing(m, d).size());
      }
    }
}

TEST(IntermediateChooser, FirstTieIsTheLowestRouter) {
  Broken net(6, 2, 0, 0);
  net.kill({0, 0});
  net.kill({6, 0});  // so the row above does not work
  const IntermediateChooser chooser(net.faults,
                                    settings(1, IntermediatePolicy::minimal_first, IntermediateTies::first));
  // Source and destination in one row: any column detour works; the lowest fault-free one is taken.
  EXPECT_EQ(chooser.choose(0, 3).nodes[0], 12u);
}

TEST(IntermediateChooser, RandomTiesAreUniformAndThePairsOwn) {
  Broken net(6, 2, 0, 0);
  net.kill({0, 0});
  std::map<std::uint32_t, int> drawn;
  constexpr int kDraws = 5000;
  for (int seed = 0; seed < kDraws; ++seed) {
    const IntermediateChooser chooser(
        net.faults, settings(1, IntermediatePolicy::minimal_first, IntermediateTies::random, seed));
    const IntermediateChain chain = chooser.choose(0, 3);
    ++drawn[chain.nodes[0]];
    if (seed < 20) {
      chooser.choose(0, 4);
      EXPECT_EQ(chooser.choose(0, 3), chain);  // independent of calls in between
    }
  }
  ASSERT_EQ(drawn.size(), 5u);  // the routers of the source's column
  for (const auto& [router, count] : drawn) EXPECT_NEAR(count, kDraws / 5, 5 * 28) << router;
}

TEST(IntermediateChooser, NamesAndLimits) {
  EXPECT_EQ(intermediate_policy("minimal-first"), IntermediatePolicy::minimal_first);
  EXPECT_EQ(intermediate_policy("fewest"), IntermediatePolicy::fewest);
  EXPECT_EQ(intermediate_tie("first"), IntermediateTies::first);
  EXPECT_EQ(test::message_of([] { intermediate_policy("minimal-frist"); }),
            "unknown policy 'minimal-frist' (did you mean 'minimal-first'?)");
  EXPECT_EQ(test::message_of([] { intermediate_tie("x"); }), "unknown tie-break 'x'; known: random, first");
  const KnsFaults faults(KnsShape(2, 13));
  EXPECT_EQ(test::message_of([&] { IntermediateChooser(faults, settings(9, IntermediatePolicy::fewest)); }),
            "intermediates is 9; at most 8 are supported");
  EXPECT_EQ(
      test::message_of([&] { IntermediateChooser(faults, settings(2, IntermediatePolicy::minimal_first)); }),
      "policy minimal-first supports networks of at most 12 dimensions; KNS(2, 13) has more; use policy "
      "fewest");
}

}  // namespace flitmend
