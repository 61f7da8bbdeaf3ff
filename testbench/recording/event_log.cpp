// SPDX-License-Identifier: Apache-2.0
#include "testbench/recording/event_log.h"

#include "base/text.h"

namespace flitmend {
namespace {

constexpr const char* kColumns = "cycle,event,part,fault,source,message,destination,flits,created,what\n";

template <class T>
std::string text_or_nothing(const std::optional<T>& value) {
  return value ? std::to_string(*value) : std::string();
}

}  // namespace

EventLog::EventLog(const std::filesystem::path& path, const Topology& topology)
    : topology_(topology), file_(path, kColumns) {}

void EventLog::part_event(Cycle cycle, const char* event, const FaultyPart& part, const char* kind) {
  file_.write(formatted("%1%,%2%,%3%,%4%,,,,,,\n", cycle, event, part_name(part, topology_), kind));
}

void EventLog::message_event(Cycle cycle, const char* event, const Message& message) {
  file_.write(formatted("%1%,%2%,,,%3%,%4%,%5%,%6%,%7%,\n", cycle, event,
                        topology_.router_name(message.source), message.id,
                        topology_.router_name(message.destination), message.length, message.created));
}

void EventLog::record_static(const std::vector<FaultyPart>& parts) {
  for (const FaultyPart& part : parts) part_event(0, "fault", part, "static");
}

void EventLog::part_failing(const FaultyPart& part, bool permanent, Cycle cycle) {
  part_event(cycle, "fault", part, permanent ? "permanent" : "transient");
}

void EventLog::part_repaired(const FaultyPart& part, Cycle cycle) {
  part_event(cycle, "repair", part, "");
}

void EventLog::message_hit(MessageIndex, const Message& message, Cycle cycle) {
  message_event(cycle, "hit", message);
}

void EventLog::message_resent(MessageIndex, const Message& message, Cycle cycle) {
  message_event(cycle, "resend", message);
}

void EventLog::message_delivered(MessageIndex, const Message& message, NodeId, Cycle cycle) {
  if (message.hit) message_event(cycle, "recovered", message);
}

void EventLog::message_lost(MessageIndex, const Message& message, Cycle cycle) {
  message_event(cycle, "lost", message);
}

void EventLog::message_undeliverable(MessageIndex, const Message& message, Cycle cycle) {
  message_event(cycle, "undeliverable", message);
}

void EventLog::message_void(MessageIndex, const Message& message, Cycle cycle) {
  message_event(cycle, "void", message);
}

void EventLog::violated(const Violation& v) {
  const auto name = [this](const std::optional<std::uint64_t>& node) {
    return node ? topology_.router_name(static_cast<RouterId>(*node)) : std::string();
  };
  file_.write(text_or_nothing(v.cycle) + ",violation,,," + name(v.source) + ',' + text_or_nothing(v.message) +
              ',' + name(v.destination) + ",,,\"" + v.what + "\"\n");
}

}  // namespace flitmend
