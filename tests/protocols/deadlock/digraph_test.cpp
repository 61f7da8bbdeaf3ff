// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/dependency_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/random_stream.h"

namespace flitmend {
namespace {

using Vertices = std::vector<std::uint32_t>;

/// The shortest closed walk by powers of reachability: for each vertex the fewest steps back to it.
std::size_t girth(const Digraph& g) {
  std::size_t best = 0;
  for (std::uint32_t v = 0; v < g.size(); ++v) {
    std::set<std::uint32_t> level(g[v].begin(), g[v].end());
    for (std::size_t length = 1; length <= g.size(); ++length) {
      if (level.contains(v)) {
        if (best == 0 || length < best) best = length;
        break;
      }
      std::set<std::uint32_t> next;
      for (std::uint32_t w : level) next.insert(g[w].begin(), g[w].end());
      level.swap(next);
    }
  }
  return best;
}

}  // namespace

TEST(Digraph, ShortestCycleOfKnownGraphs) {
  EXPECT_EQ(shortest_cycle({{1}, {2}, {}}), Vertices{});
  EXPECT_EQ(shortest_cycle({{1}, {2}, {0}}), (Vertices{0, 1, 2}));
  EXPECT_EQ(shortest_cycle({{1, 0}, {0}}), Vertices{0});
  EXPECT_EQ(shortest_cycle({{1}, {2}, {3}, {0, 2}}), (Vertices{2, 3}));
  EXPECT_EQ(shortest_cycle({}), Vertices{});
}

TEST(Digraph, CycleAndOrderAgreeWithAScanOnRandomGraphs) {
  RandomStream random(1, RandomPurpose::test);
  int cyclic = 0;
  for (int round = 0; round < 400; ++round) {
    const std::uint32_t size = 2 + random.below(14);
    std::vector<std::set<std::uint32_t>> edges(size);
    for (std::uint32_t e = random.below(2 * size); e > 0; --e)
      edges[random.below(size)].insert(random.below(size));
    Digraph g;
    for (const auto& successors : edges) g.emplace_back(successors.begin(), successors.end());
    const Vertices cycle = shortest_cycle(g);
    ASSERT_EQ(cycle.size(), girth(g));
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const auto& successors = g[cycle[i]];
      ASSERT_TRUE(std::binary_search(successors.begin(), successors.end(), cycle[(i + 1) % cycle.size()]));
    }
    const Vertices order = order_after_successors(g);
    cyclic += !cycle.empty();
    ASSERT_EQ(order.empty(), !cycle.empty());
    std::vector<std::size_t> place(size);
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    if (order.empty()) continue;
    for (std::uint32_t v = 0; v < size; ++v)
      for (std::uint32_t w : g[v]) ASSERT_LT(place[w], place[v]);
  }
  EXPECT_GT(cyclic, 50);
  EXPECT_LT(cyclic, 350);
}

TEST(Digraph, DeepChainsDoNotOverflowTheStack) {
  constexpr std::uint32_t kLength = 1000000;
  Digraph g(kLength);
  for (std::uint32_t v = 0; v + 1 < kLength; ++v) g[v].push_back(v + 1);
  EXPECT_TRUE(shortest_cycle(g).empty());
  EXPECT_EQ(order_after_successors(g).front(), kLength - 1);
}

}  // namespace flitmend
