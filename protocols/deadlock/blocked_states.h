// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "base/survey_progress.h"
#include "protocols/deadlock/state_graph.h"

namespace flitmend {

/// The largest set of states that can be blocked at the same time, as far as channels can tell. It starts
/// from all states and drops a state while one of its candidates is not covered by messages of the others.
struct WaitFixpoint {
  std::vector<std::vector<char>> blocked;  ///< by graph, by point
  std::vector<char> covered;               ///< by channel
  std::size_t states = 0;                  ///< blocked states whose message holds an input channel

  bool empty() const { return states == 0; }
};

/// Packets that fit in a virtual channel: a message covers the channel on which it arrived. If the result is
/// not empty, it is a legal deadlock. O(states + edges). Reports destinations, then channels to the
/// listener.
WaitFixpoint cut_through_fixpoint(const std::vector<StateGraph>&, const ChannelMap&,
                                  SurveyListener* = nullptr);

/// Wormhole: a message covers any channel from which a blocked state can be reached. If the result is empty,
/// there is no deadlock, provided that a virtual channel holds flits of only one message. O((states + edges)
/// · rounds). Reports destinations to the listener, twice in every round.
WaitFixpoint wormhole_fixpoint(const std::vector<StateGraph>&, const ChannelMap&, SurveyListener* = nullptr);

/// The state graphs of all destinations. Reports destinations to the listener.
std::vector<StateGraph> all_state_graphs(const RoutingFunction&, const ChannelMap&,
                                         const FaultSet* faults = nullptr, SurveyListener* = nullptr);

/// A message of a deadlocked configuration: it fills channels, its tail's first, and its head waits for
/// others.
struct BlockedMessage {
  NodeId destination;
  std::vector<ChannelId> holds;
  std::vector<ChannelId> wants;
};

/// A small set of messages, one per channel, each of which waits only for channels that others of the set
/// hold. Empty if the fixpoint is. Reports channels to the listener.
std::vector<BlockedMessage> deadlocked_configuration(const std::vector<StateGraph>&, const ChannelMap&,
                                                     const WaitFixpoint& cut_through,
                                                     SurveyListener* = nullptr);

/// Searches for a deadlock of messages that each span several channels: a set of messages, no channel held
/// twice, in which every head waits only for held channels. If such a set is found, it is a legal deadlock.
/// If none is found within `steps` placements, nothing is proved. Deterministic. `whole_paths`: every message
/// holds all channels from its source on. Reports the number of first messages tried to the listener.
std::vector<BlockedMessage> find_wormhole_deadlock(const std::vector<StateGraph>&, const ChannelMap&,
                                                   const WaitFixpoint& wormhole, bool whole_paths = false,
                                                   SurveyListener* = nullptr, std::size_t steps = 200000);

}  // namespace flitmend
