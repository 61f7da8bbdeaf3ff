// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/deadlock/wait_fixpoint.h"

namespace flitmend {

/// Searches for a deadlock of messages that each span several channels: a set of messages, no channel held
/// twice, in which every head waits only for held channels. If such a set is found, it is a legal deadlock.
/// If none is found within `steps` placements, nothing is proved. Deterministic. `whole_paths`: every message
/// holds all channels from its source on. Reports to the listener with how many first messages it has tried.
std::vector<BlockedMessage> find_wormhole_deadlock(const std::vector<StateGraph>&, const ChannelMap&,
                                                   const WaitFixpoint& wormhole, bool whole_paths = false,
                                                   SurveyListener* = nullptr, std::size_t steps = 200000);

}  // namespace flitmend
