// SPDX-License-Identifier: Apache-2.0
#include "protocols/model_checker.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_set>

#include "protocols/networks.h"

namespace flitmend {

NetworkModel::NetworkModel(const RoutingFunction& routing, unsigned vcs, Messages messages)
    : routing_(routing), topology_(routing.topology()), messages_(messages) {
  first_channel_.resize(topology_.router_count());
  for (RouterId r = 0; r < topology_.router_count(); ++r)
    for (PortId p = 0; p < topology_.port_count(r); ++p) {
      first_channel_[r].push_back(static_cast<std::uint32_t>(channels_.size()));
      if (const auto far = topology_.neighbour(r, p))
        for (unsigned vc = 0; vc < vcs; ++vc)
          channels_.push_back({{r, p}, *far, static_cast<std::uint8_t>(vc)});
    }
}

std::vector<NetworkModel::Hop> NetworkModel::hops(const Head& head) const {
  std::vector<Hop> all;
  for (const RouteCandidate& c : candidates(routing_, {head.here, 0, head.destination, head.arrival_port,
                                                       head.arrival_vc, head.h, nullptr, nullptr})) {
    const VcMask vcs = routing_.class_vcs(head.here, c.port, c.vc_class);
    for (std::uint32_t i = first_channel_[head.here][c.port]; i < channels_.size(); ++i) {
      const Channel& channel = channels_[i];
      if (channel.from.router != head.here || channel.from.port != c.port) break;
      if (vcs >> channel.vc & 1) all.push_back({i, c.head_state, channel.to.router == head.destination});
    }
  }
  return all;
}

template <class Visit>
void NetworkModel::for_each_source(Visit&& visit) const {
  for (NodeId source = 0; source < topology_.node_count(); ++source)
    for (NodeId destination = 0; destination < topology_.node_count(); ++destination)
      if (source != destination)
        for (const std::uint64_t h : routing_.initial_states(source, destination))
          visit(Head{destination, source, RouteRequest::kInjected, 0, h});
}

ModelVerdict NetworkModel::reachable_states(std::size_t most_states) const {
  using State = std::vector<Worm>;  // in order
  struct Hash {
    std::size_t operator()(const State& state) const {
      std::size_t hash = state.size();
      const auto mix = [&](std::uint64_t x) { hash = (hash ^ x) * 0x9e3779b97f4a7c15u + (hash >> 29); };
      for (const Worm& worm : state) {
        mix(worm.destination), mix(worm.h), mix(worm.ended);
        for (const std::uint32_t c : worm.held) mix(c);
      }
      return hash;
    }
  };
  std::vector<std::pair<Head, std::vector<Hop>>> sources;
  for_each_source([&](const Head& head) { sources.emplace_back(head, hops(head)); });
  std::unordered_set<State, Hash> seen;
  std::vector<State> todo;
  const auto reach = [&](State state) {
    std::sort(state.begin(), state.end());
    if (const auto [place, fresh] = seen.insert(std::move(state)); fresh) todo.push_back(*place);
  };
  // The head of a message takes a channel. With its last flit in the network, its tail leaves one.
  const auto advance = [&](const State& before, std::size_t i, const Hop& hop) {
    State after = before;
    if (hop.arrives) {
      after.erase(after.begin() + static_cast<std::ptrdiff_t>(i));
      return reach(std::move(after));
    }
    Worm& worm = after[i];
    worm.h = hop.h;
    worm.held.push_back(hop.channel);
    if (worm.ended) {
      worm.held.erase(worm.held.begin());
      return reach(std::move(after));
    }
    reach(after);
    if (messages_ == Messages::whole_path) return;
    worm.ended = true;
    reach(std::move(after));
  };
  reach({});
  while (!todo.empty()) {
    if (seen.size() > most_states) return {false, false, seen.size()};
    const State state = std::move(todo.back());
    todo.pop_back();
    ChannelSet busy(channels_.size());
    for (const Worm& worm : state)
      for (const std::uint32_t c : worm.held) busy[c] = true;
    bool moves = state.empty();
    for (std::size_t i = 0; i < state.size(); ++i)
      for (const Hop& hop : hops(head_of(state[i])))
        if (!busy[hop.channel]) {
          moves = true;
          advance(state, i, hop);
        }
    if (!moves) return {true, true, seen.size()};
    for (const auto& [head, first_hops] : sources)
      for (const Hop& hop : first_hops) {
        if (busy[hop.channel] || hop.arrives) continue;
        for (const bool ended : {true, false}) {
          if (messages_ == (ended ? Messages::whole_path : Messages::one_flit)) continue;
          State after = state;
          after.push_back({head.destination, hop.h, ended, {hop.channel}});
          reach(std::move(after));
        }
      }
  }
  return {false, true, seen.size()};
}

/// Goes through all sets of waiting messages, beginning with the message of the lowest number.
class NetworkModel::Search {
 public:
  Search(std::size_t channels, const std::vector<Waiting>& all, std::size_t most_steps)
      : all_(all), most_steps_(most_steps), holders_(channels), held_(channels) {
    for (std::uint32_t i = 0; i < all.size(); ++i)
      for (const std::uint32_t c : all[i].held) holders_[c].push_back(i);
  }

  ModelVerdict run() {
    for (first_ = 0; first_ < all_.size(); ++first_) {
      take(first_);
      const bool found = extend();
      give_back();
      if (found) return {true, true, steps_};
      if (steps_ > most_steps_) return {false, false, steps_};
    }
    return {false, true, steps_};
  }

 private:
  bool fits(std::uint32_t i) const {
    return i > first_ &&
           std::none_of(all_[i].held.begin(), all_[i].held.end(), [&](std::uint32_t c) { return held_[c]; });
  }
  void take(std::uint32_t i) {
    for (const std::uint32_t c : all_[i].held) held_[c] = true;
    chosen_.push_back(i);
  }
  void give_back() {
    for (const std::uint32_t c : all_[chosen_.back()].held) held_[c] = false;
    chosen_.pop_back();
  }

  /// Finds holders for the channels that are wanted and not held: first for the one with the fewest.
  bool extend() {
    if (++steps_ > most_steps_) return false;
    std::vector<std::uint32_t> fewest;
    bool open = false;
    for (const std::uint32_t i : chosen_)
      for (const std::uint32_t c : all_[i].wanted) {
        if (held_[c]) continue;
        std::vector<std::uint32_t> fitting;
        for (const std::uint32_t holder : holders_[c])
          if (fits(holder)) fitting.push_back(holder);
        if (fitting.empty()) return false;
        if (!open || fitting.size() < fewest.size()) fewest = std::move(fitting);
        open = true;
      }
    if (!open) return can_form({}, ChannelSet(held_.size()));
    for (const std::uint32_t holder : fewest) {
      take(holder);
      const bool found = extend();
      give_back();
      if (found) return true;
    }
    return false;
  }

  /// Whether the other messages of the set can go where they wait, one after the other.
  bool can_form(std::set<std::uint32_t> there, const ChannelSet& taken) {
    if (there.size() == chosen_.size()) return true;
    if (++steps_ > most_steps_) return false;
    for (const std::uint32_t i : chosen_) {
      if (there.contains(i)) continue;
      const bool free = std::any_of(all_[i].ways.begin(), all_[i].ways.end(), [&](const auto& way) {
        return std::none_of(way.begin(), way.end(), [&](std::uint32_t c) { return taken[c]; });
      });
      if (!free) continue;
      auto with = there;
      with.insert(i);
      ChannelSet then = taken;
      for (const std::uint32_t c : all_[i].held) then[c] = true;
      if (can_form(std::move(with), then)) return true;
    }
    return false;
  }

  const std::vector<Waiting>& all_;
  std::size_t most_steps_;
  std::vector<std::vector<std::uint32_t>> holders_;  ///< by channel
  ChannelSet held_;
  std::vector<std::uint32_t> chosen_;
  std::uint32_t first_ = 0;
  std::size_t steps_ = 0;
};

/// Lists the messages that can wait where a head is, with their channels or the last of them.
void NetworkModel::follow(const Head& head, std::vector<std::uint32_t>& way,
                          std::vector<Waiting>& list) const {
  const std::vector<Hop> next = hops(head);
  if (!way.empty()) {
    std::vector<std::uint32_t> wanted;
    for (const Hop& hop : next) wanted.push_back(hop.channel);
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    const std::size_t shortest = messages_ == Messages::whole_path ? way.size() : 1;
    const std::size_t longest = messages_ == Messages::one_flit ? 1 : way.size();
    for (std::size_t length = shortest; length <= longest; ++length)
      list.push_back({{way.end() - static_cast<std::ptrdiff_t>(length), way.end()}, wanted, {way}});
  }
  for (const Hop& hop : next) {
    if (hop.arrives || std::find(way.begin(), way.end(), hop.channel) != way.end()) continue;
    const Channel& channel = channels_[hop.channel];
    way.push_back(hop.channel);
    follow({head.destination, channel.to.router, channel.to.port, channel.vc, hop.h}, way, list);
    way.pop_back();
  }
}

ModelVerdict NetworkModel::blocked_sets(std::size_t most_steps) const {
  std::vector<Waiting> list;
  std::vector<std::uint32_t> way;
  for_each_source([&](const Head& head) { follow(head, way, list); });
  // Messages that hold and want the same differ in nothing else.
  std::map<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>, std::size_t> known;
  std::vector<Waiting> distinct;
  for (Waiting& w : list) {
    const auto [place, fresh] = known.try_emplace({w.held, w.wanted}, distinct.size());
    if (fresh)
      distinct.push_back(std::move(w));
    else
      distinct[place->second].ways.push_back(std::move(w.ways.front()));
  }
  return Search(channels_.size(), distinct, most_steps).run();
}

}  // namespace flitmend
