// SPDX-License-Identifier: Apache-2.0
#include "exploration/paper_tables/shortest_paths.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "analysis/probability_vectors/faults.h"
#include "base/parallel.h"

namespace flitmend {
namespace {

using Node = KaryCube::Node;

struct Sums {
  double pairs = 0;
  double connected = 0;
  double deviation = 0;
};

Sums of_fault_set(const KaryCube& cube, const KaryCubeFaults& faults) {
  constexpr std::uint32_t kUnreached = std::numeric_limits<std::uint32_t>::max();
  std::vector<bool> faulty(cube.node_count());
  for (const Node node : faults.nodes) faulty[node] = true;
  Sums sums;
  std::vector<std::uint32_t> hops(cube.node_count());
  std::vector<Node> reached;
  for (Node from = 0; from < cube.node_count(); ++from) {
    if (faulty[from]) continue;
    std::fill(hops.begin(), hops.end(), kUnreached);
    hops[from] = 0;
    reached.assign(1, from);
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (unsigned port = 0; port < cube.ports(); ++port) {
        const Node next = cube.neighbour(reached[i], port);
        if (faulty[next] || hops[next] != kUnreached) continue;
        hops[next] = hops[reached[i]] + 1;
        reached.push_back(next);
      }
    sums.pairs += static_cast<double>(cube.node_count() - faults.nodes.size() - 1);
    sums.connected += static_cast<double>(reached.size() - 1);
    for (const Node to : reached)
      if (to != from) {
        const double lee = cube.lee_distance(from, to);
        sums.deviation += (hops[to] - lee) / lee;
      }
  }
  return sums;
}

}  // namespace

ShortestPaths shortest_paths(std::uint32_t k, std::uint32_t faults, const PaperTableOptions& options) {
  constexpr double kPairs = 1e7, kMostSets = 1000;
  const KaryCube cube(k);
  const double nodes = cube.node_count();
  std::vector<Sums> by_set(static_cast<std::size_t>(std::clamp(kPairs / nodes / nodes, 1.0, kMostSets)));
  parallel_for(options.jobs, by_set.size(), [&](std::size_t set) {
    RandomStream random(options.seed, RandomPurpose::static_faults, static_cast<std::uint32_t>(set));
    by_set[set] = of_fault_set(cube, random_faults(cube, faults, 0, random));
  });
  Sums all;
  for (const Sums& s : by_set) {
    all.pairs += s.pairs;
    all.connected += s.connected;
    all.deviation += s.deviation;
  }
  return {100 * all.deviation / all.connected, 100 * (1 - all.connected / all.pairs)};
}

}  // namespace flitmend
