// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "protocols/deadlock/dependency_graph.h"
#include "protocols/deadlock/mirrors.h"
#include "protocols/deadlock/state_graph.h"

namespace flitmend {

/// An order of the escape channels in which every dependency of their extended graph leads to a lower one. If
/// there is such an order, the graph has no cycle.
///
/// The extended graph [Duato93]: ci → cj iff a message that acquired the escape channel ci, through any
/// candidate, made m ≥ 0 hops over candidates not flagged as escape and then has cj as an escape candidate: m
/// = 0 is a direct dependency, m > 0 an indirect one. If the escape candidates lead to the destination from
/// every state and the graph has no cycle, no deadlock can form, provided that a waiting head may take any
/// free candidate and that a virtual channel is given to a new message only when it is empty. With packets
/// that fit in a virtual channel (cut-through) only the direct dependencies count [Duato96].
///
/// The graph is large, so only dependencies that have raised a rank are stored. A pass visits all
/// destinations and raises ranks; after it, settle() raises the ranks that depend on them. If no rank rises
/// in a pass, the order is complete. If there is a cycle, ranks rise without end, and the stored dependencies
/// show it.
class EscapeOrder {
 public:
  /// `cut_through`: only direct dependencies count.
  EscapeOrder(ChannelId channels, bool cut_through)
      : rank_(channels, 1), above_(channels, kNoChannel), stored_(channels), cut_through_(cut_through) {}

  /// Raises ranks until the dependencies of one destination lead to lower ones.
  void add(const StateGraph&, const PointOrder&);
  /// Takes the greater rank of every channel, after a pass of another order over other destinations.
  void add(const EscapeOrder&);
  /// Ends a pass. False if no rank has risen in it, or if there is a cycle. With mirrors, the pass visits one
  /// of several destinations that are mirror images of each other, and its ranks apply to the mirrored
  /// channels too.
  bool settle(const std::vector<ChannelImages>& mirrors = {});

  std::uint32_t rank(ChannelId c) const { return rank_[c]; }
  /// Channels each of which depends on the next, and the last on the first; empty if none were found.
  const std::vector<ChannelId>& cycle() const { return cycle_; }

 private:
  void raise(ChannelId, std::uint32_t rank, ChannelId above);
  /// Every dependency once.
  void store_once();

  std::vector<std::uint32_t> rank_;
  std::vector<ChannelId> above_;  ///< by channel: the one above which this pass has last raised it
  Digraph stored_;
  bool cut_through_;
  bool rose_ = false;
  bool overflowed_ = false;  ///< a rank exceeds the number of channels: there is a cycle
  std::vector<ChannelId> cycle_;
  // Of the destination that is being added, by point and by state.
  std::vector<ChannelId> wanted_;  // the escape channel of the greatest rank that may be wanted
  std::vector<StateId> first_arrival_;
  std::vector<StateId> next_arrival_;
};

/// Whether escape candidates alone lead from every point to where the message is consumed, or dropped:
/// `gives_up` says whether a head without candidates is dropped.
bool escapes_arrive(const StateGraph&, const PointOrder&, bool gives_up);

}  // namespace flitmend
