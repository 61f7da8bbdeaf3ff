// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/digraph.h"

#include <algorithm>

namespace flitmend {
namespace {

constexpr std::uint32_t kUnseen = ~std::uint32_t{0};

}  // namespace

std::size_t edge_count(const Digraph& g) {
  std::size_t edges = 0;
  for (const auto& successors : g) edges += successors.size();
  return edges;
}

std::vector<std::uint32_t> strong_components(const Digraph& g) {
  const auto size = static_cast<std::uint32_t>(g.size());
  struct Frame {
    std::uint32_t vertex;
    std::uint32_t next;
  };
  std::vector<std::uint32_t> component(size, kUnseen), index(size, kUnseen), low(size), open;
  std::vector<Frame> frames;
  std::uint32_t visited = 0, components = 0;
  for (std::uint32_t root = 0; root < size; ++root) {
    if (index[root] != kUnseen) continue;
    frames.push_back({root, 0});
    while (!frames.empty()) {
      Frame& frame = frames.back();
      const std::uint32_t v = frame.vertex;
      if (frame.next == 0) {
        index[v] = low[v] = visited++;
        open.push_back(v);
      }
      if (frame.next < g[v].size()) {
        const std::uint32_t w = g[v][frame.next++];
        if (index[w] == kUnseen)
          frames.push_back({w, 0});
        else if (component[w] == kUnseen)
          low[v] = std::min(low[v], index[w]);
        continue;
      }
      if (low[v] == index[v]) {
        for (std::uint32_t w = kUnseen; w != v;) {
          w = open.back();
          open.pop_back();
          component[w] = components;
        }
        ++components;
      }
      frames.pop_back();
      if (!frames.empty()) low[frames.back().vertex] = std::min(low[frames.back().vertex], low[v]);
    }
  }
  return component;
}

std::vector<std::uint32_t> shortest_cycle(const Digraph& g, SurveyListener* listener) {
  const std::vector<std::uint32_t> component = strong_components(g);
  SurveyProgress progress(listener, g.size());
  std::vector<std::uint32_t> best, parent(g.size()), stamp(g.size(), kUnseen), level, next;
  for (std::uint32_t start = 0; start < g.size(); ++start) {
    progress.add(1);
    // Breadth first inside the component, only as deep as would still beat the best so far.
    level.assign(1, start);
    bool closed = false;
    for (std::size_t length = 1; !closed && !level.empty() && (best.empty() || length < best.size());
         ++length) {
      next.clear();
      for (std::uint32_t v : level) {
        for (std::uint32_t w : g[v]) {
          if (component[w] != component[start]) continue;
          if (w == start) {
            best.clear();
            for (std::uint32_t u = v; u != start; u = parent[u]) best.push_back(u);
            best.push_back(start);
            std::reverse(best.begin(), best.end());
            closed = true;
            break;
          }
          if (stamp[w] == start) continue;
          stamp[w] = start;
          parent[w] = v;
          next.push_back(w);
        }
        if (closed) break;
      }
      level.swap(next);
    }
    if (best.size() == 1) break;
  }
  return best;
}

std::vector<std::uint32_t> order_after_successors(const Digraph& g) {
  const std::vector<std::uint32_t> component = strong_components(g);
  std::vector<std::uint32_t> order(g.size(), kUnseen);
  for (std::uint32_t v = 0; v < g.size(); ++v) {
    // Without a cycle every vertex is its own component, and components are numbered in this order.
    if (order[component[v]] != kUnseen || std::binary_search(g[v].begin(), g[v].end(), v)) return {};
    order[component[v]] = v;
  }
  return order;
}

}  // namespace flitmend
