// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "testbench/traffic/message_source.h"
#include "testbench/traffic/settings.h"
#include "topologies/topology.h"

namespace flitmend {

/// messages, the option of section traffic that lists messages one by one.
extern const OptionKey kMessagesOption;

struct SentMessage {
  NodeId source = 0;
  NewMessage message;
};

/// The messages of traffic.messages by cycle; those of one cycle in the order of the list. Throws KeyError if
/// the network has no such nodes.
std::vector<SentMessage> listed_messages(const TrafficSettings&, const Topology&);

}  // namespace flitmend
