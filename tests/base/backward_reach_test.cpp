// SPDX-License-Identifier: Apache-2.0
#include "base/backward_reach.h"

#include <gtest/gtest.h>

#include "base/random_stream.h"

namespace flitmend {

TEST(BackwardReach, FollowsEdgesAgainstTheirDirection) {
  BackwardReach graph(5);
  graph.add_edge(0, 1);
  graph.add_edge(1, 2);
  graph.add_edge(2, 3);
  graph.add_edge(4, 4);
  std::vector<char> marked = {0, 0, 1, 0, 0};
  graph.mark(marked);
  EXPECT_EQ(marked, (std::vector<char>{1, 1, 1, 0, 0}));
  graph.add_edge(4, 0);
  graph.mark(marked);
  EXPECT_EQ(marked, (std::vector<char>{1, 1, 1, 0, 1})) << "an edge that came later counts";
  std::vector<char> none(5);
  graph.mark(none);
  EXPECT_EQ(none, std::vector<char>(5));
}

TEST(BackwardReach, AgreesWithTheTransitiveClosureOfRandomGraphs) {
  RandomStream random(1, RandomPurpose::test);
  BackwardReach graph;  // one for all: nothing of an earlier graph may be left
  std::size_t found = 0, missed = 0;
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t size = 1 + random.below(16);
    std::vector<std::vector<char>> reaches(size, std::vector<char>(size));
    for (std::uint32_t v = 0; v < size; ++v) reaches[v][v] = true;
    graph.reset(size);
    for (std::uint32_t e = random.below(2 * size + 1); e > 0; --e) {
      const std::uint32_t from = random.below(size), to = random.below(size);
      graph.add_edge(from, to);
      reaches[from][to] = true;
    }
    for (std::uint32_t via = 0; via < size; ++via)
      for (std::uint32_t u = 0; u < size; ++u)
        for (std::uint32_t v = 0; v < size; ++v)
          if (reaches[u][via] && reaches[via][v]) reaches[u][v] = true;
    std::vector<char> marked(size);
    for (char& m : marked) m = random.below(4) == 0;
    std::vector<char> expected(size);
    for (std::uint32_t u = 0; u < size; ++u)
      for (std::uint32_t v = 0; v < size; ++v)
        if (marked[v] && reaches[u][v]) expected[u] = true;
    graph.mark(marked);
    ASSERT_EQ(marked, expected);
    for (char m : marked) ++(m ? found : missed);
  }
  EXPECT_GT(found, 500u);
  EXPECT_GT(missed, 500u);
}

TEST(BackwardReach, LongChainsDoNotOverflowTheStack) {
  constexpr std::uint32_t kLength = 1000000;
  BackwardReach graph(kLength);
  for (std::uint32_t v = 0; v + 1 < kLength; ++v) graph.add_edge(v, v + 1);
  std::vector<char> marked(kLength);
  marked.back() = true;
  graph.mark(marked);
  EXPECT_TRUE(marked.front());
}

}  // namespace flitmend
