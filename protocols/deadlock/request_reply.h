// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "protocols/deadlock/channels.h"
#include "topologies/fault_set.h"

namespace flitmend {

/// A shortest cycle of channels that requests and replies hold while they wait for each other, if both use
/// the same channels and a target takes a bounded number of requests: a request at its destination then waits
/// until a reply of that node has left, for one of the channels on which replies start. Empty: there is none.
/// `faults`: static faults, known to the routing function; may be null.
std::vector<ChannelId> request_reply_cycle(const RoutingFunction&, const ChannelMap&,
                                           const FaultSet* faults = nullptr);

/// The cycle as lines of text.
std::string describe_request_reply(const std::vector<ChannelId>&, const ChannelMap&, const Topology&);

}  // namespace flitmend
