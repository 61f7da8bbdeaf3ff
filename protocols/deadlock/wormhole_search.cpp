// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/blocked_states.h"

#include <algorithm>
#include <optional>

namespace flitmend {
namespace {

constexpr std::uint32_t kNobody = ~std::uint32_t{0};
/// Alternatives for holding a channel that are tried at each step, the most promising first.
constexpr std::size_t kWays = 6;

struct GraphState {
  std::uint32_t graph;
  StateId state;
};

/// A message under construction: the states whose arrival channels it holds, starting with its tail's.
struct Worm {
  std::uint32_t graph;
  std::vector<StateId> states;
};

class Search {
 public:
  Search(const std::vector<StateGraph>& graphs, const ChannelMap& channels, const WaitFixpoint& fixpoint,
         bool whole_paths)
      : graphs_(graphs),
        fixpoint_(fixpoint),
        whole_paths_(whole_paths),
        places_(channels.size()),
        owner_(channels.size(), kNobody) {
    for (std::uint32_t i = 0; i < graphs_.size(); ++i)
      for (StateId s = 0; s < graphs_[i].states.size(); ++s)
        if (const ChannelId c = graphs_[i].states[s].arrival; c != kNoChannel) places_[c].push_back({i, s});
  }

  std::vector<BlockedMessage> run(std::size_t steps, SurveyListener* listener) {
    std::vector<GraphState> starts;
    for (const auto& places : places_)
      for (const GraphState& p : places)
        if (blocked(p.graph, p.state)) starts.push_back(p);
    // Heads that wait for few channels first.
    std::stable_sort(starts.begin(), starts.end(), [&](const GraphState& a, const GraphState& b) {
      return edges(a.graph, a.state).size() < edges(b.graph, b.state).size();
    });
    const std::size_t share = std::max<std::size_t>(1000, steps / std::max<std::size_t>(1, starts.size()));
    progress_.emplace(listener, starts.size());
    for (const GraphState& start : starts) {
      if (steps == 0) break;
      progress_->add(1);
      budget_ = std::min(share, steps);
      steps -= budget_;
      if (place({start.graph, {start.state}})) return result();
      steps += budget_;
    }
    return {};
  }

 private:
  const StateGraph& graph(std::uint32_t i) const { return graphs_[i]; }
  std::span<const StateGraph::Edge> edges(std::uint32_t i, StateId s) const {
    return graphs_[i].edges_of_state(s);
  }
  bool blocked(std::uint32_t i, StateId s) const { return fixpoint_.blocked[i][graphs_[i].states[s].point]; }

  /// Places a message and continues; removes it again if that fails.
  bool place(Worm worm) {
    if (budget_ == 0) return false;
    --budget_;
    const auto me = static_cast<std::uint32_t>(worms_.size());
    for (StateId s : worm.states) owner_[graph(worm.graph).states[s].arrival] = me;
    worms_.push_back(std::move(worm));
    if (go_on()) return true;
    for (StateId s : worms_.back().states) owner_[graph(worms_.back().graph).states[s].arrival] = kNobody;
    worms_.pop_back();
    return false;
  }

  /// Extends a message at its tail.
  bool stretch(std::uint32_t me, const std::vector<StateId>& more) {
    if (budget_ == 0) return false;
    --budget_;
    for (StateId s : more) owner_[graph(worms_[me].graph).states[s].arrival] = me;
    worms_[me].states.insert(worms_[me].states.begin(), more.begin(), more.end());
    if (go_on()) return true;
    worms_[me].states.erase(worms_[me].states.begin(),
                            worms_[me].states.begin() + static_cast<std::ptrdiff_t>(more.size()));
    for (StateId s : more) owner_[graph(worms_[me].graph).states[s].arrival] = kNobody;
    return false;
  }

  /// Finds a holder for the first channel that is wanted and not held.
  bool go_on() {
    progress_->add(0);
    ChannelId wanted = kNoChannel;
    for (const Worm& w : worms_) {
      for (const StateGraph::Edge& e : edges(w.graph, w.states.back()))
        if (owner_[e.channel] == kNobody) {
          wanted = e.channel;
          break;
        }
      if (wanted != kNoChannel) break;
    }
    if (wanted == kNoChannel) return !whole_paths_ || reach_sources(0);
    struct Way {
      std::size_t cost;
      std::uint32_t stretched;  // the message to extend, else kNobody
      Worm worm;
    };
    std::vector<Way> ways;
    for (const GraphState& p : places_[wanted])
      paths_from(p, [&](const std::vector<StateId>& path) {
        if (blocked(p.graph, path.back())) {
          std::size_t open = 0;
          for (const StateGraph::Edge& e : edges(p.graph, path.back())) open += owner_[e.channel] == kNobody;
          ways.push_back({16 * open + path.size(), kNobody, {p.graph, path}});
        }
        for (std::uint32_t m = 0; m < worms_.size(); ++m)
          if (worms_[m].graph == p.graph)
            for (const StateGraph::Edge& e : edges(p.graph, path.back()))
              if (e.next == worms_[m].states.front()) {
                ways.push_back({path.size(), m, {p.graph, path}});
                break;
              }
      });
    std::stable_sort(ways.begin(), ways.end(), [](const Way& a, const Way& b) { return a.cost < b.cost; });
    if (ways.size() > kWays) ways.resize(kWays);
    for (Way& way : ways)
      if (way.stretched == kNobody ? place(std::move(way.worm)) : stretch(way.stretched, way.worm.states))
        return true;
    return false;
  }

  /// Extends the messages from that one on at their tails, up to their sources.
  bool reach_sources(std::uint32_t me) {
    if (me == worms_.size()) return true;
    const StateGraph& g = graph(worms_[me].graph);
    const StateId front = worms_[me].states.front();
    std::vector<std::vector<StateId>> ways;
    for (const StateId source : g.sources)
      for (const StateGraph::Edge& e : g.edges_of_state(source))
        if (e.next == front) return reach_sources(me + 1);
    for (const StateId source : g.sources)
      for (const StateGraph::Edge& e : g.edges_of_state(source))
        if (e.channel != kNoChannel && owner_[e.channel] == kNobody)
          paths_from({worms_[me].graph, e.next}, [&](const std::vector<StateId>& path) {
            const auto next = g.edges_of_state(path.back());
            if (std::any_of(next.begin(), next.end(),
                            [&](const StateGraph::Edge& to) { return to.next == front; }))
              ways.push_back(path);
          });
    std::stable_sort(ways.begin(), ways.end(),
                     [](const auto& a, const auto& b) { return a.size() < b.size(); });
    if (ways.size() > kWays) ways.resize(kWays);
    for (const std::vector<StateId>& way : ways) {
      if (budget_ == 0) return false;
      --budget_;
      std::vector<StateId>& states = worms_[me].states;
      for (const StateId s : way) owner_[g.states[s].arrival] = me;
      states.insert(states.begin(), way.begin(), way.end());
      if (reach_sources(me + 1)) return true;
      states.erase(states.begin(), states.begin() + static_cast<std::ptrdiff_t>(way.size()));
      for (const StateId s : way) owner_[g.states[s].arrival] = kNobody;
    }
    return false;
  }

  /// Calls f with a shortest path over free channels from a state to each state that it reaches.
  template <class F>
  void paths_from(const GraphState& start, F&& f) {
    const StateGraph& g = graph(start.graph);
    std::vector<StateId> seen = {start.state}, parent = {kNobody}, path;
    for (std::size_t i = 0; i < seen.size() && i < kReach; ++i) {
      path.clear();
      for (std::uint32_t j = static_cast<std::uint32_t>(i); j != kNobody; j = parent[j])
        path.push_back(seen[j]);
      std::reverse(path.begin(), path.end());
      f(path);
      for (const StateGraph::Edge& e : g.edges_of_state(seen[i])) {
        if (e.channel == kNoChannel || owner_[e.channel] != kNobody) continue;
        if (std::find(seen.begin(), seen.end(), e.next) != seen.end()) continue;
        // A message holds a channel only once.
        if (std::any_of(path.begin(), path.end(),
                        [&](StateId s) { return g.states[s].arrival == e.channel; }))
          continue;
        seen.push_back(e.next);
        parent.push_back(static_cast<StateId>(i));
      }
    }
  }

  std::vector<BlockedMessage> result() const {
    std::vector<BlockedMessage> messages;
    for (const Worm& w : worms_) {
      BlockedMessage m{graphs_[w.graph].destination, {}, {}};
      for (StateId s : w.states) m.holds.push_back(graphs_[w.graph].states[s].arrival);
      for (const StateGraph::Edge& e : edges(w.graph, w.states.back())) m.wants.push_back(e.channel);
      messages.push_back(std::move(m));
    }
    return messages;
  }

  static constexpr std::size_t kReach = 64;  // states examined from each start of a path
  const std::vector<StateGraph>& graphs_;
  const WaitFixpoint& fixpoint_;
  const bool whole_paths_;
  std::vector<std::vector<GraphState>> places_;  // by channel: the states reached through it
  std::vector<std::uint32_t> owner_;
  std::vector<Worm> worms_;
  std::size_t budget_ = 0;
  std::optional<SurveyProgress> progress_;
};

}  // namespace

std::vector<BlockedMessage> find_wormhole_deadlock(const std::vector<StateGraph>& graphs,
                                                   const ChannelMap& channels, const WaitFixpoint& wormhole,
                                                   bool whole_paths, SurveyListener* listener,
                                                   std::size_t steps) {
  return Search(graphs, channels, wormhole, whole_paths).run(steps, listener);
}

}  // namespace flitmend
