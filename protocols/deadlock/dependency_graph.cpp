// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/dependency_graph.h"

#include <bit>

namespace flitmend {

DependencyGraph::DependencyGraph(const ChannelMap& channels) : channels_(&channels) {
  std::vector<unsigned> count;
  for (ChannelId c = 0; c < channels.size(); ++c) {
    const RouterId router = channels[c].router;
    if (router >= first_.size()) {
      first_.resize(router + 1, c);
      count.resize(router + 1);
    }
    ++count[router];
  }
  for (const unsigned n : count) words_ = std::max(words_, mask_words(n));
  // Channels may end at routers where none starts.
  for (ChannelId c = 0; c < channels.size(); ++c)
    if (channels.far_end(c).router >= first_.size())
      first_.resize(channels.far_end(c).router + 1, channels.size());
  bits_.resize(std::size_t{channels.size()} * words_);
}

void DependencyGraph::add(const StateGraph& graph) {
  wanted_.assign(graph.points.size() * words_, 0);
  for (PointId p = 0; p < graph.points.size(); ++p)
    for (const StateGraph::Edge& e : graph.edges_of(p))
      if (e.channel != kNoChannel)
        set_bit(&wanted_[std::size_t{p} * words_], e.channel - first_[graph.points[p].here]);
  for (const StateGraph::State& s : graph.states) {
    if (s.arrival == kNoChannel) continue;
    Word* const mine = row(s.arrival);
    const Word* const more = &wanted_[std::size_t{s.point} * words_];
    for (unsigned w = 0; w < words_; ++w) mine[w] |= more[w];
  }
}

void DependencyGraph::add(const DependencyGraph& other) {
  for (std::size_t w = 0; w < bits_.size(); ++w) bits_[w] |= other.bits_[w];
}

void DependencyGraph::mirror(const ChannelImages& images) {
  const Digraph known = edges();
  for (ChannelId c = 0; c < known.size(); ++c)
    for (const ChannelId next : known[c]) add(images[c], images[next]);
}

std::size_t DependencyGraph::edge_count() const {
  std::size_t edges = 0;
  for (const Word w : bits_) edges += static_cast<std::size_t>(std::popcount(w));
  return edges;
}

Digraph DependencyGraph::edges() const {
  Digraph g(channels_->size());
  for (ChannelId c = 0; c < channels_->size(); ++c) {
    const ChannelId first = first_[channels_->far_end(c).router];
    for_each_bit(row(c), words_, [&](unsigned i) { g[c].push_back(first + i); });
  }
  return g;
}

DependencyGraph dependency_graph(const RoutingFunction& routing, const ChannelMap& channels,
                                 const FaultSet* faults) {
  StateExplorer explorer(routing, channels, faults);
  DependencyGraph graph(channels);
  for (NodeId d = 0; d < routing.topology().node_count(); ++d) graph.add(explorer.explore(d));
  return graph;
}

}  // namespace flitmend
