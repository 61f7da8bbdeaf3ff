// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "base/bits.h"
#include "protocols/deadlock/digraph.h"
#include "protocols/deadlock/mirrors.h"
#include "protocols/deadlock/state_graph.h"

namespace flitmend {

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

}  // namespace flitmend
