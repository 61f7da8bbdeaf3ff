// SPDX-License-Identifier: Apache-2.0
#include "testbench/recording/message_log.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "base/csv_field.h"

namespace flitmend {
namespace {

constexpr const char* kMessageColumns =
    "id,source,destination,flow,class,flits,created,injected,arrived,hops,hit,end\n";
constexpr const char* kLost = "lost";

}  // namespace

MessageLog::MessageLog(const std::filesystem::path& path, std::span<const FlowDescription> flows,
                       std::function<std::uint32_t(NodeId)> flow_sent)
    : flow_sent_(std::move(flow_sent)), file_(path, kMessageColumns) {
  for (const FlowDescription& flow : flows) {
    name_of_.push_back(csv_field(flow.name));
    class_of_.push_back(csv_field(flow.message_class));
  }
  if (flows.empty()) {
    name_of_.emplace_back();
    class_of_.emplace_back();
  }
}

MessageLog::Entry MessageLog::entry_of(const Message& message) {
  Entry entry;
  entry.created = message.created;
  entry.source = message.source;
  entry.destination = message.destination;
  entry.id = message.id;
  entry.length = message.length;
  entry.open = true;
  return entry;
}

void MessageLog::message_created(MessageIndex index, const Message& message) {
  if (index >= entries_.size()) entries_.resize(std::bit_ceil(std::size_t{index} + 1));
  if (Entry& before = entries_[index]; before.open) {
    if (*before.end == 0) before.end = kLost;
    rest_.push_back(before);
  }
  entries_[index] = entry_of(message);
  entries_[index].flow = flow_sent_(message.source);
}

void MessageLog::message_held_back(const Message& message) {
  Entry entry = entry_of(message);
  entry.flow = flow_sent_(message.source);
  entry.held_back = true;
  rest_.push_back(entry);
}

void MessageLog::message_injected(MessageIndex index, const Message& message, Cycle now) {
  if (Entry* const entry = find(index, message)) entry->injected = now;
}

void MessageLog::message_hit(MessageIndex index, const Message& message, Cycle) {
  if (Entry* const entry = find(index, message)) entry->hit = true;
}

void MessageLog::message_undeliverable(MessageIndex index, const Message& message, Cycle) {
  set_end(index, message, "undeliverable");
}

void MessageLog::message_void(MessageIndex index, const Message& message, Cycle) {
  set_end(index, message, "void");
}

void MessageLog::message_lost(MessageIndex index, const Message& message, Cycle) {
  set_end(index, message, kLost);
}

void MessageLog::set_end(MessageIndex index, const Message& message, const char* end) {
  if (Entry* const entry = find(index, message)) entry->end = end;
}

MessageLog::Entry* MessageLog::find(MessageIndex index, const Message& message) {
  Entry& entry = entries_[index];
  return entry.open && entry.source == message.source && entry.id == message.id ? &entry : nullptr;
}

void MessageLog::message_delivered(MessageIndex index, const Message& message, NodeId, Cycle now) {
  if (!arrivals_.empty() && arrivals_.front().arrived != now) write_arrivals();
  Entry& entry = entries_[index];
  if (!entry.open) return;
  entry.open = false;
  entry.injected = message.injected;
  entry.arrived = now;
  entry.hops = message.hops;
  entry.hit = message.hit;
  entry.end = "delivered";
  arrivals_.push_back(entry);
}

std::string MessageLog::line(const Entry& entry) const {
  std::string text;
  const auto add = [&](auto number, bool there = true) {
    if (there) text += std::to_string(number);
    text += ',';
  };
  add(entry.id, !entry.held_back);
  add(entry.source);
  add(entry.destination);
  text += name_of_[entry.flow] + ',' + class_of_[entry.flow] + ',';
  add(entry.length);
  add(entry.created);
  add(entry.injected, entry.injected != kNever);
  const bool arrived = entry.arrived != kNever;
  add(entry.arrived, arrived);
  add(entry.hops, arrived);
  add(entry.hit ? 1 : 0);
  return text + entry.end + '\n';
}

// Sorted, so that the file does not depend on the order of deliveries within a cycle.
void MessageLog::write_arrivals() {
  std::ranges::sort(arrivals_, {}, [](const Entry& e) { return std::tuple(e.source, e.id); });
  std::string lines;
  for (const Entry& entry : arrivals_) lines += line(entry);
  arrivals_.clear();
  file_.write(lines);
}

void MessageLog::finish(bool drained) {
  write_arrivals();
  for (Entry& entry : entries_)
    if (entry.open) {
      if (drained && *entry.end == 0) entry.end = kLost;
      rest_.push_back(entry);
    }
  // Of one source, those held back come after those that have a number.
  std::ranges::stable_sort(rest_, {},
                           [](const Entry& e) { return std::tuple(e.created, e.source, e.held_back, e.id); });
  std::string lines;
  for (const Entry& entry : rest_) lines += line(entry);
  file_.write(lines);
}

}  // namespace flitmend
