// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/listed_messages.h"

#include <algorithm>

#include "base/errors.h"
#include "base/text.h"
#include "testbench/traffic/node_names.h"

namespace flitmend {

constexpr OptionKey kMessagesOption{.key = {"messages", "",
                                            "Messages one by one, instead of synthetic traffic, like {cycle: "
                                            "0, from: 0, to: [2, 1], length: 5}; "
                                            "without a length they have message_length flits.",
                                            kAlways},
                                    .values = OptionKey::Messages{}};

namespace {

NodeId node_of(const NodeName& name, const std::string& where, const Topology& topology) {
  if (const std::optional<NodeId> node = find_node(name, topology)) return *node;
  throw KeyError("traffic.messages", where + no_such_node(name, topology));
}

}  // namespace

std::vector<SentMessage> listed_messages(const TrafficSettings& traffic, const Topology& topology) {
  std::vector<SentMessage> messages;
  for (const ListedMessage& listed : traffic.options.messages(kMessagesOption)) {
    const std::string where = formatted("message %1%: ", messages.size());
    const NodeId from = node_of(listed.from, where + "from: ", topology);
    const NodeId to = node_of(listed.to, where + "to: ", topology);
    if (from == to)
      throw KeyError("traffic.messages",
                     where + formatted("node %1% does not send to itself; name another node", from));
    messages.push_back({from,
                        {static_cast<Cycle>(listed.cycle), to,
                         static_cast<std::uint32_t>(listed.length.value_or(traffic.message_length))}});
  }
  std::ranges::stable_sort(messages, {}, [](const SentMessage& sent) { return sent.message.cycle; });
  return messages;
}

}  // namespace flitmend
