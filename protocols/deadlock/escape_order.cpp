// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/escape_order.h"

#include <algorithm>
#include <utility>

#include "base/errors.h"

namespace flitmend {
namespace {

constexpr StateId kNoArrival = ~StateId{0};

}  // namespace

void EscapeOrder::add(const StateGraph& g, const PointOrder& order) {
  wanted_.assign(g.points.size(), kNoChannel);
  first_arrival_.assign(g.points.size(), kNoArrival);
  next_arrival_.resize(g.states.size());
  for (StateId s = 0; s < g.states.size(); ++s)
    if (g.states[s].arrival != kNoChannel)
      next_arrival_[s] = std::exchange(first_arrival_[g.states[s].point], s);
  order.until_stable([&](PointId p) {
    ChannelId wanted = wanted_[p];
    const auto also = [&](ChannelId c) {
      if (c != kNoChannel && (wanted == kNoChannel || rank_[c] > rank_[wanted])) wanted = c;
    };
    for (const StateGraph::Edge& e : g.edges_of(p)) {
      if (e.escape)
        also(e.channel);
      else if (e.channel != kNoChannel && !cut_through_)
        also(wanted_[g.states[e.next].point]);
    }
    if (wanted == kNoChannel) return false;
    bool changed = wanted != std::exchange(wanted_[p], wanted);
    const std::uint32_t above = rank_[wanted] + 1;
    for (StateId s = first_arrival_[p]; s != kNoArrival; s = next_arrival_[s])
      if (rank_[g.states[s].arrival] < above) {
        raise(g.states[s].arrival, above, wanted);
        changed = true;
      }
    return changed && !overflowed_;
  });
}

void EscapeOrder::add(const EscapeOrder& other) {
  for (ChannelId c = 0; c < rank_.size(); ++c) {
    if (other.above_[c] == kNoChannel) continue;
    if (above_[c] != kNoChannel) stored_[c].push_back(above_[c]);
    raise(c, std::max(rank_[c], other.rank_[c]), other.above_[c]);
  }
  overflowed_ |= other.overflowed_;
}

void EscapeOrder::raise(ChannelId c, std::uint32_t rank, ChannelId above) {
  rank_[c] = rank;
  above_[c] = above;
  rose_ = true;
  overflowed_ |= rank > rank_.size() + 1;
}

void EscapeOrder::store_once() {
  for (auto& next : stored_) {
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
  }
}

bool EscapeOrder::settle(const std::vector<ChannelImages>& mirrors) {
  if (!std::exchange(rose_, false)) return false;
  for (ChannelId c = 0; c < rank_.size(); ++c)
    if (above_[c] != kNoChannel) stored_[c].push_back(std::exchange(above_[c], kNoChannel));
  store_once();
  for (const ChannelImages& images : mirrors) {
    const Digraph known = stored_;
    for (ChannelId c = 0; c < known.size(); ++c)
      for (const ChannelId next : known[c]) stored_[images[c]].push_back(images[next]);
    store_once();
  }
  const std::vector<ChannelId> order = order_after_successors(stored_);
  if (order.empty()) {
    cycle_ = shortest_cycle(stored_);
    return false;
  }
  if (overflowed_) throw ContractError("ranks of escape channels rose without a cycle");
  for (const ChannelId c : order)
    for (const ChannelId next : stored_[c]) rank_[c] = std::max(rank_[c], rank_[next] + 1);
  return true;
}

bool escapes_arrive(const StateGraph& g, const PointOrder& order, bool gives_up) {
  std::vector<char> arrives(g.points.size());
  order.until_stable([&](PointId p) {
    const bool arrived = arrives[p];
    arrives[p] |= g.points[p].consumed || (gives_up && g.points[p].edge_count == 0);
    for (const StateGraph::Edge& e : g.edges_of(p))
      if (e.escape) arrives[p] |= arrives[g.states[e.next].point];
    return arrived != arrives[p];
  });
  return std::find(arrives.begin(), arrives.end(), false) == arrives.end();
}

}  // namespace flitmend
