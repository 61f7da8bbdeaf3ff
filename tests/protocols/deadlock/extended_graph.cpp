// SPDX-License-Identifier: Apache-2.0
#include "protocols/extended_graph.h"

#include <algorithm>

#include "base/bits.h"

namespace flitmend {
namespace {

constexpr std::uint32_t kNoIndex = ~std::uint32_t{0};

/// A relation over 0 … size − 1 as a bit matrix, for graphs with many edges.
class BitRelation {
 public:
  explicit BitRelation(std::size_t size)
      : size_(size), words_(mask_words(static_cast<unsigned>(size))), bits_(size * words_) {}
  Word* row(std::size_t i) { return bits_.data() + i * words_; }
  const Word* row(std::size_t i) const { return bits_.data() + i * words_; }
  unsigned words() const { return words_; }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  unsigned words_;
  std::vector<Word> bits_;
};

/// The escape candidates that a message may come to want from a point: immediately (m = 0), or after hops
/// over candidates that are not escapes.
class Wanted {
 public:
  Wanted(const StateGraph& graph, const std::vector<std::uint32_t>& index, unsigned words)
      : graph_(graph), words_(words), now_(graph.points.size() * words), later_(graph.points.size() * words) {
    for (PointId p = 0; p < graph.points.size(); ++p)
      for (const StateGraph::Edge& e : graph.edges_of(p))
        if (e.escape) set_bit(&now_[std::size_t{p} * words_], index[e.channel]);
    order();
    // One pass is enough if no path leads back to a point; otherwise repeat until nothing changes.
    while (pass() && returns_) {
    }
  }
  const Word* now(PointId p) const { return &now_[std::size_t{p} * words_]; }
  const Word* later(PointId p) const { return &later_[std::size_t{p} * words_]; }

 private:
  static bool plain(const StateGraph::Edge& e) { return !e.escape && e.channel != kNoChannel; }

  /// Points in the order in which depth-first search finishes them.
  void order() {
    std::vector<std::uint32_t> left(graph_.points.size(), kNoIndex);
    std::vector<char> open(graph_.points.size());
    std::vector<std::pair<PointId, std::uint32_t>> frames;
    for (PointId root = 0; root < graph_.points.size(); ++root) {
      if (open[root]) continue;
      open[root] = true;
      frames.emplace_back(root, 0);
      while (!frames.empty()) {
        const PointId p = frames.back().first;
        const auto edges = graph_.edges_of(p);
        if (const std::uint32_t i = frames.back().second++; i < edges.size()) {
          const PointId q = graph_.states[edges[i].next].point;
          if (!plain(edges[i])) continue;
          if (!open[q]) {
            open[q] = true;
            frames.emplace_back(q, 0);
          } else if (left[q] == kNoIndex) {
            returns_ = true;
          }
          continue;
        }
        left[p] = static_cast<std::uint32_t>(order_.size());
        order_.push_back(p);
        frames.pop_back();
      }
    }
  }
  bool pass() {
    bool changed = false;
    for (PointId p : order_) {
      Word* mine = &later_[std::size_t{p} * words_];
      for (const StateGraph::Edge& e : graph_.edges_of(p)) {
        if (!plain(e)) continue;
        const PointId q = graph_.states[e.next].point;
        for (unsigned w = 0; w < words_; ++w) {
          const Word more = now(q)[w] | later(q)[w];
          changed |= (more & ~mine[w]) != 0;
          mine[w] |= more;
        }
      }
    }
    return changed;
  }

  const StateGraph& graph_;
  unsigned words_;
  std::vector<Word> now_, later_;
  std::vector<PointId> order_;
  bool returns_ = false;
};

Digraph as_digraph(const BitRelation& relation) {
  Digraph g(relation.size());
  for (std::size_t i = 0; i < relation.size(); ++i)
    for_each_bit(relation.row(i), relation.words(), [&](unsigned j) { g[i].push_back(j); });
  return g;
}

}  // namespace

Digraph ExtendedGraph::wormhole() const {
  Digraph both = direct;
  for (std::size_t i = 0; i < both.size(); ++i) {
    std::vector<std::uint32_t> merged;
    std::set_union(direct[i].begin(), direct[i].end(), indirect[i].begin(), indirect[i].end(),
                   std::back_inserter(merged));
    both[i] = std::move(merged);
  }
  return both;
}

ExtendedGraph extended_graph(const RoutingFunction& routing, const ChannelMap& channels) {
  ExtendedGraph result;
  StateExplorer explorer(routing, channels);
  const NodeId nodes = routing.topology().node_count();
  std::vector<char> in_c1(channels.size());
  for (NodeId d = 0; d < nodes; ++d) {
    const StateGraph& graph = explorer.explore(d);
    for (const StateGraph::Edge& e : graph.edges)
      if (e.escape) in_c1[e.channel] = true;
  }
  std::vector<std::uint32_t> index(channels.size(), kNoIndex);
  for (ChannelId c = 0; c < channels.size(); ++c)
    if (in_c1[c]) {
      index[c] = static_cast<std::uint32_t>(result.escape_channels.size());
      result.escape_channels.push_back(c);
    }
  BitRelation direct(result.escape_channels.size()), indirect(result.escape_channels.size());
  for (NodeId d = 0; d < nodes && !result.escape_channels.empty(); ++d) {
    const StateGraph& graph = explorer.explore(d);
    const Wanted wanted(graph, index, direct.words());
    for (const StateGraph::State& s : graph.states) {
      if (s.arrival == kNoChannel || !in_c1[s.arrival]) continue;
      Word* now = direct.row(index[s.arrival]);
      Word* later = indirect.row(index[s.arrival]);
      for (unsigned w = 0; w < direct.words(); ++w) {
        now[w] |= wanted.now(s.point)[w];
        later[w] |= wanted.later(s.point)[w];
      }
    }
  }
  result.direct = as_digraph(direct);
  result.indirect = as_digraph(indirect);
  return result;
}

}  // namespace flitmend
