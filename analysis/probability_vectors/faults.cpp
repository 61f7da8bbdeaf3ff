// SPDX-License-Identifier: Apache-2.0
#include "analysis/probability_vectors/faults.h"

#include <algorithm>
#include <unordered_set>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {
namespace {

using Node = KaryCube::Node;

/// `count` different numbers below `bound`, each set equally likely (Floyd's method [Bentley87]).
std::vector<std::uint64_t> distinct(std::uint64_t count, std::uint64_t bound, RandomStream& random) {
  std::vector<std::uint64_t> chosen;
  std::unordered_set<std::uint64_t> seen;
  for (std::uint64_t last = bound - count; last < bound; ++last) {
    const std::uint64_t draw = random.below(static_cast<std::uint32_t>(last + 1));
    const std::uint64_t taken = seen.insert(draw).second ? draw : last;
    seen.insert(taken);
    chosen.push_back(taken);
  }
  return chosen;
}

}  // namespace

KaryCubeFaults named_faults(const KaryCube& cube, std::span<const std::string> nodes,
                            std::span<const std::string> links) {
  KaryCubeFaults faults;
  for (const std::string& label : nodes) faults.nodes.push_back(cube.node_of(label));
  std::sort(faults.nodes.begin(), faults.nodes.end());
  faults.nodes.erase(std::unique(faults.nodes.begin(), faults.nodes.end()), faults.nodes.end());
  if (faults.nodes.size() == cube.node_count())
    throw ConfigurationError("probability vectors: every node of the " + cube.description() +
                             " is faulty; at least one must be healthy");
  for (const std::string& name : links) {
    const std::size_t dash = name.find('-');
    if (dash == std::string::npos)
      throw ConfigurationError("link '" + name +
                               "': a link is two nodes with a dash between them, like 000-001");
    const Node a = cube.node_of(std::string_view(name).substr(0, dash));
    const Node b = cube.node_of(std::string_view(name).substr(dash + 1));
    if (cube.lee_distance(a, b) != 1)
      throw ConfigurationError("link '" + name + "': the two nodes are not neighbours in the " +
                               cube.description());
    for (unsigned i = 0; i < cube.n(); ++i) {
      if (cube.neighbour(a, 2 * i) == b) faults.links.push_back({a, i});
      if (cube.neighbour(b, 2 * i) == a) faults.links.push_back({b, i});
    }
  }
  const auto key = [](const KaryCubeFaults::Link& l) { return std::pair{l.node, l.dimension}; };
  std::sort(faults.links.begin(), faults.links.end(),
            [&](const auto& a, const auto& b) { return key(a) < key(b); });
  faults.links.erase(std::unique(faults.links.begin(), faults.links.end()), faults.links.end());
  return faults;
}

void check_fault_counts(const KaryCube& cube, std::uint64_t nodes, std::uint64_t links) {
  if (nodes > cube.node_count() - 2)
    throw ConfigurationError(formatted(
        "probability vectors: %1% leave fewer than two of the %2% nodes of the %3% healthy; give at most %4%",
        counted(nodes, "faulty node"), cube.node_count(), cube.description(), cube.node_count() - 2));
  if (links > cube.link_count())
    throw ConfigurationError("probability vectors: " + counted(links, "faulty link") + ", but the " +
                             cube.description() + " has " + counted(cube.link_count(), "link"));
}

KaryCubeFaults random_faults(const KaryCube& cube, std::uint32_t nodes, std::uint64_t links,
                             RandomStream& random) {
  check_fault_counts(cube, nodes, links);
  KaryCubeFaults faults;
  for (std::uint64_t node : distinct(nodes, cube.node_count(), random))
    faults.nodes.push_back(static_cast<Node>(node));
  for (std::uint64_t link : distinct(links, cube.link_count(), random))
    faults.links.push_back({static_cast<Node>(link / cube.n()), static_cast<unsigned>(link % cube.n())});
  return faults;
}

}  // namespace flitmend
