// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "topologies/kns.h"

namespace flitmend::test {

/// Paths in a KNS graph with faulty links, walked channel by channel over the graph itself: the slow, simple
/// method that the fast code is compared with.
class KnsWalk {
 public:
  KnsWalk(std::uint32_t k, std::uint32_t n) : kns(k, n) {}

  void kill(NodeId node, unsigned dimension) { dead_.insert({node, dimension}); }
  void repair_all() { dead_.clear(); }

  /// Crosses these dimensions in this order from `from` towards `to`; none if a link is faulty.
  std::optional<NodeId> walk(NodeId from, NodeId to, const std::vector<unsigned>& order) const {
    NodeId at = from;
    for (const unsigned i : order) {
      if (dead_.count({at, i})) return std::nullopt;
      const RouterPort at_switch = *kns.neighbour(at, static_cast<PortId>(i));
      const RouterPort next = *kns.neighbour(at_switch.router, static_cast<PortId>(kns.coordinate(to, i)));
      if (dead_.count({next.router, i})) return std::nullopt;
      at = next.router;
    }
    return at;
  }
  std::vector<unsigned> differing(NodeId a, NodeId b) const {
    std::vector<unsigned> dimensions;
    for (unsigned i = 0; i < kns.n(); ++i)
      if (kns.coordinate(a, i) != kns.coordinate(b, i)) dimensions.push_back(i);
    return dimensions;
  }
  bool clean(NodeId from, NodeId to) const { return walk(from, to, differing(from, to)) == to; }

  /// [s][d]: the fewest intermediates; −1 if more than `limit`.
  std::vector<std::vector<int>> fewest(unsigned limit) const {
    const NodeId nodes = kns.node_count();
    std::vector<std::vector<char>> hop(nodes, std::vector<char>(nodes));
    for (NodeId s = 0; s < nodes; ++s)
      for (NodeId d = 0; d < nodes; ++d) hop[s][d] = clean(s, d);
    std::vector<std::vector<int>> least(nodes, std::vector<int>(nodes, -1));
    for (NodeId s = 0; s < nodes; ++s) {
      std::vector<char> reached = hop[s];
      for (NodeId d = 0; d < nodes; ++d)
        if (reached[d]) least[s][d] = 0;
      for (unsigned x = 1; x <= limit; ++x) {
        std::vector<char> further = reached;
        for (NodeId m = 0; m < nodes; ++m)
          for (NodeId d = 0; reached[m] && d < nodes; ++d) further[d] |= hop[m][d];
        reached = further;
        for (NodeId d = 0; d < nodes; ++d)
          if (reached[d] && least[s][d] < 0) least[s][d] = static_cast<int>(x);
      }
    }
    return least;
  }

  /// The fewest intermediates of a minimal path: the fewest descents of an order of the dimensions that leads
  /// there without a faulty link. −1 if there is none.
  int fewest_on_minimal_path(NodeId from, NodeId to) const {
    int best = -1;
    std::vector<unsigned> order = differing(from, to);
    do {
      if (walk(from, to, order) != to) continue;
      int descents = 0;
      for (std::size_t i = 1; i < order.size(); ++i) descents += order[i] < order[i - 1];
      if (best < 0 || descents < best) best = descents;
    } while (std::next_permutation(order.begin(), order.end()));
    return best;
  }

  bool connected() const {
    std::vector<char> seen(kns.router_count());
    std::vector<RouterId> todo{0};
    seen[0] = 1;
    NodeId nodes = 0;
    while (!todo.empty()) {
      const RouterId at = todo.back();
      todo.pop_back();
      nodes += !kns.is_switch(at);
      for (PortId p = 0; p < kns.port_count(at); ++p) {
        const RouterPort far = *kns.neighbour(at, p);
        const bool from_switch = kns.is_switch(at);
        if (dead_.count(from_switch ? std::pair<NodeId, unsigned>(far.router, far.port)
                                    : std::pair<NodeId, unsigned>(at, p)))
          continue;
        if (!seen[far.router]) {
          seen[far.router] = 1;
          todo.push_back(far.router);
        }
      }
    }
    return nodes == kns.node_count();
  }

  Kns kns;

 private:
  std::set<std::pair<NodeId, unsigned>> dead_;
};

}  // namespace flitmend::test
