// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "base/text.h"
#include "testbench/traffic/listed_messages.h"
#include "testbench/workloads/generators.h"
#include "testbench/workloads/refused_keys.h"

namespace flitmend {
namespace {

using MessagesByNode = std::map<NodeId, std::vector<NewMessage>>;

MessagesByNode by_node(const std::vector<SentMessage>& messages) {
  MessagesByNode sorted;
  for (const SentMessage& sent : messages) sorted[sent.source].push_back(sent.message);
  return sorted;
}

class ListedSource final : public MessageSource {
 public:
  explicit ListedSource(std::vector<NewMessage> messages) : messages_(std::move(messages)) { look(); }
  NewMessage take() override {
    const NewMessage message = messages_[taken_++];
    look();
    return message;
  }

 private:
  void look() { next_ = taken_ < messages_.size() ? messages_[taken_].cycle : kNever; }

  std::vector<NewMessage> messages_;
  std::size_t taken_ = 0;
};

/// Sends traffic.messages.
class MessagesWorkload final : public Generators {
 public:
  explicit MessagesWorkload(const WorkloadUse& use)
      : Generators(
            use,
            [messages =
                 by_node(listed_messages(use.configuration.traffic, use.network.topology()))](NodeId node) {
              const auto found = messages.find(node);
              return std::make_unique<ListedSource>(found == messages.end() ? std::vector<NewMessage>()
                                                                            : found->second);
            },
            kNever) {
    pause_when_done();
  }

  bool done() const override { return Generators::done() && all_answered(); }
};

LongestMessage check_messages(const Configuration& c, const Topology& topology, const HardwareParameters&) {
  refuse_keys(c, c.traffic, {{"traffic.messages", {}}, {"traffic.message_length", {}}, {"traffic.load", "0"}},
              "with traffic.messages, which says what is sent");
  refuse_phases(c, "with traffic.messages: a run lasts and is measured from cycle 0 to the last message");
  std::uint32_t longest = 1;
  for (const SentMessage& sent : listed_messages(c.traffic, topology))
    longest = std::max(longest, sent.message.length);
  return {longest, "traffic.messages", "shorten the messages of traffic.messages"};
}

}  // namespace

WorkloadEntry messages_workload() {
  return {
      .to_its_end = true,
      .options = {&kMessagesOption},
      .chosen =
          [](const TrafficSettings& traffic) { return !traffic.options.messages(kMessagesOption).empty(); },
      .description =
          [](const TrafficSettings& traffic) {
            return counted(traffic.options.messages(kMessagesOption).size(), "listed message");
          },
      .files = [](const TrafficSettings&) { return std::vector<InputFile>(); },
      .check = check_messages,
      .why_no_classes = "write them as a CSV trace with a column class",
      .make = [](const WorkloadUse& use) -> std::unique_ptr<Workload> {
        return std::make_unique<MessagesWorkload>(use);
      }};
}

}  // namespace flitmend
