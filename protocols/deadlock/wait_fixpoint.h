// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "protocols/deadlock/state_graph.h"

namespace flitmend {

/// The largest set of states that can be blocked at once, as far as channels can tell: starting from all
/// states, a state is dropped while one of its candidates is not covered by messages of the rest.
struct WaitFixpoint {
  std::vector<std::vector<char>> blocked;  ///< by graph, by point
  std::vector<char> covered;               ///< by channel
  std::size_t states = 0;                  ///< blocked states whose message holds an input channel

  bool empty() const { return states == 0; }
};

/// Packets that fit a virtual channel: a message covers the channel by which it came. Not empty: a legal
/// deadlock. O(states + edges).
WaitFixpoint cut_through_fixpoint(const std::vector<StateGraph>&, const ChannelMap&);

/// Wormhole: a message covers any channel from which a blocked state can be reached. Empty: free of deadlock,
/// where a virtual channel holds flits of one message only. O((states + edges) · rounds).
WaitFixpoint wormhole_fixpoint(const std::vector<StateGraph>&, const ChannelMap&);

/// The state graphs of all destinations.
std::vector<StateGraph> all_state_graphs(const RoutingFunction&, const ChannelMap&,
                                         const FaultSet* faults = nullptr);

/// A message of a deadlocked configuration: it fills channels, its tail's first, and its head waits for
/// others.
struct BlockedMessage {
  NodeId destination;
  std::vector<ChannelId> holds;
  std::vector<ChannelId> wants;
};

/// A small set of messages, one a channel, in which each waits only for channels that others of the set hold.
/// Empty where the fixpoint is.
std::vector<BlockedMessage> deadlocked_configuration(const std::vector<StateGraph>&, const ChannelMap&,
                                                     const WaitFixpoint& cut_through);

}  // namespace flitmend
