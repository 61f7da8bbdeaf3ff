// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "base/bits.h"
#include "base/survey_progress.h"
#include "protocols/deadlock/channels.h"
#include "protocols/deadlock/mirrors.h"
#include "protocols/deadlock/state_graph.h"
#include "topologies/fault_set.h"

namespace flitmend {

/// A directed graph as successor lists, each ascending and without duplicates.
using Digraph = std::vector<std::vector<std::uint32_t>>;

std::size_t edge_count(const Digraph&);

/// The component number of every vertex, components in reverse topological order [Tarjan72]; O(V + E).
std::vector<std::uint32_t> strong_components(const Digraph&);

/// The vertices of a shortest cycle in order; empty if there is none. Among the shortest, the one with the
/// lowest vertex, starting there. O(V + E) without a cycle. Reports vertices to the listener.
std::vector<std::uint32_t> shortest_cycle(const Digraph&, SurveyListener* = nullptr);

/// Every vertex after all its successors; empty if there is a cycle. This is the order of a proof of deadlock
/// freedom.
std::vector<std::uint32_t> order_after_successors(const Digraph&);

/// The channel dependency graph [Dally87]: ci → cj iff a message that arrived on ci may take cj next. If it
/// is acyclic, there is no deadlock, for every switching technique and waiting rule.
///
/// A channel depends only on channels of the router where it ends, so a mask per channel holds the graph.
class DependencyGraph {
 public:
  explicit DependencyGraph(const ChannelMap&);

  /// `to` starts where `from` ends.
  void add(ChannelId from, ChannelId to) { set_bit(row(from), to - first_[channels_->far_end(from).router]); }
  /// The dependencies of all messages to one destination.
  void add(const StateGraph&);
  /// Those of another graph over the same channels.
  void add(const DependencyGraph&);

  /// The mirror images of its dependencies too.
  void mirror(const ChannelImages&);

  std::size_t edge_count() const;
  Digraph edges() const;

 private:
  Word* row(ChannelId c) { return bits_.data() + std::size_t{c} * words_; }
  const Word* row(ChannelId c) const { return bits_.data() + std::size_t{c} * words_; }

  const ChannelMap* channels_;
  std::vector<ChannelId> first_;  ///< by router: the first channel that starts there
  unsigned words_ = 1;            ///< of a mask of the channels that start at one router
  std::vector<Word> bits_;
  std::vector<Word> wanted_;  // of the point that is being added
};

/// Over all destinations.
DependencyGraph dependency_graph(const RoutingFunction&, const ChannelMap&, const FaultSet* faults = nullptr);

/// A shortest cycle of channels that requests and replies hold while they wait for each other, if both use
/// the same channels and a target takes a bounded number of requests: a request at its destination then waits
/// until a reply of that node has left, for one of the channels on which replies start. Empty: there is none.
/// `faults`: static faults, known to the routing function; may be null.
std::vector<ChannelId> request_reply_cycle(const RoutingFunction&, const ChannelMap&,
                                           const FaultSet* faults = nullptr);

/// The cycle as lines of text.
std::string describe_request_reply(const std::vector<ChannelId>&, const ChannelMap&, const Topology&);

}  // namespace flitmend
