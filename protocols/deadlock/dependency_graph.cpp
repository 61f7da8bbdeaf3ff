// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/dependency_graph.h"

#include <algorithm>
#include <bit>

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

namespace {

void add_once(std::vector<ChannelId>& list, ChannelId channel) {
  if (std::find(list.begin(), list.end(), channel) == list.end()) list.push_back(channel);
}

}  // namespace

std::vector<ChannelId> request_reply_cycle(const RoutingFunction& routing, const ChannelMap& channels,
                                           const FaultSet* faults) {
  const NodeId nodes = routing.topology().node_count();
  StateExplorer explorer(routing, channels, faults);
  DependencyGraph dependencies(channels);
  std::vector<std::vector<ChannelId>> last(nodes);   // by node: on which requests arrive there
  std::vector<std::vector<ChannelId>> first(nodes);  // by node: on which its replies start
  for (NodeId destination = 0; destination < nodes; ++destination) {
    const StateGraph& graph = explorer.explore(destination);
    dependencies.add(graph);
    for (const StateGraph::State& state : graph.states) {
      if (state.arrival != kNoChannel) {
        if (graph.at_destination(state.point)) add_once(last[destination], state.arrival);
        continue;
      }
      for (const StateGraph::Edge& edge : graph.edges_of(state.point))
        if (edge.channel != kNoChannel) add_once(first[graph.points[state.point].here], edge.channel);
    }
  }
  for (NodeId node = 0; node < nodes; ++node)
    for (const ChannelId arriving : last[node])
      for (const ChannelId leaving : first[node]) dependencies.add(arriving, leaving);
  return shortest_cycle(dependencies.edges(), nullptr);
}

std::string describe_request_reply(const std::vector<ChannelId>& cycle, const ChannelMap& channels,
                                   const Topology& topology) {
  std::string text;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const ChannelId next = cycle[(i + 1) % cycle.size()];
    text += "  " + channels.name(cycle[i]) + " waits for " + channels.name(next) + ", at " +
            topology.router_name(channels.far_end(cycle[i]).router) + "\n";
  }
  return text;
}

}  // namespace flitmend
