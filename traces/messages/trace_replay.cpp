// SPDX-License-Identifier: Apache-2.0
#include "traces/messages/trace_replay.h"

#include <algorithm>
#include <utility>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {

TraceReplay::TraceReplay(const std::string& path, TraceReader::NodeOf node_of, std::uint32_t flit_bytes)
    : reader_(path, std::move(node_of)), flit_bytes_(flit_bytes) {
  has_next_ = reader_.read(next_);
}

void TraceReplay::admit() {
  Handle handle = static_cast<Handle>(slots_.size());
  if (free_.empty()) {
    slots_.emplace_back();
  } else {
    handle = free_.back();
    free_.pop_back();
  }
  Slot& slot = slots_[handle] = Slot();
  slot.packet = {.handle = handle,
                 .source = next_.source,
                 .destination = next_.destination,
                 .length = trace_flits(next_, flit_bytes_),
                 .bytes = next_.bytes,
                 .ready = next_.cycle,
                 .content = admitted_,
                 .address = next_.address,
                 .flow = next_.message_class};
  slot.order = admitted_++;
  slot.number = next_.number;
  slot.delay = next_.delay;
  if (slot.number != TraceMessage::kNoId) awaited_.emplace_back();
  for (const std::uint32_t number : next_.after) {
    Awaited& awaited = awaited_[number];
    if (awaited.after != kNever) {
      slot.since = std::max(slot.since, awaited.after);
      continue;
    }
    ++slot.outstanding;
    std::uint32_t at = free_links_;
    if (at == kNone) {
      at = static_cast<std::uint32_t>(links_.size());
      links_.emplace_back();
    } else {
      free_links_ = links_[at].next;
    }
    links_[at] = {handle, awaited.waiting};
    awaited.waiting = at;
  }
  if (slot.outstanding == 0) make_ready(handle);
}

void TraceReplay::make_ready(Handle handle) {
  Slot& slot = slots_[handle];
  if (slot.since > 0) slot.packet.ready = std::max(slot.packet.ready, slot.since + slot.delay);
  ready_.push({slot.packet.ready, slot.order, handle});
}

std::optional<MessageSchedule::Packet> TraceReplay::pop(Cycle now) {
  for (; has_next_ && next_.cycle <= now; has_next_ = reader_.read(next_)) admit();
  if (ready_.empty() || std::get<0>(ready_.top()) > now) return std::nullopt;
  Slot& slot = slots_[std::get<2>(ready_.top())];
  ready_.pop();
  slot.in_flight = true;
  return slot.packet;
}

Cycle TraceReplay::next_cycle() const {
  const Cycle next = has_next_ ? next_.cycle : kNever;
  return ready_.empty() ? next : std::min(next, std::get<0>(ready_.top()));
}

void TraceReplay::release(Handle handle, Cycle now) {
  if (handle >= slots_.size() || !slots_[handle].in_flight)
    throw ContractError(formatted(
        "a message of the trace that is not in the network was reported as delivered (handle %1%)", handle));
  Slot& slot = slots_[handle];
  slot.in_flight = false;
  free_.push_back(handle);
  ++ended_;
  if (slot.number == TraceMessage::kNoId) return;
  Awaited& awaited = awaited_[slot.number];
  awaited.after = now + 1;
  while (awaited.waiting != kNone) {
    const std::uint32_t at = awaited.waiting;
    const Handle waiting = links_[at].slot;
    awaited.waiting = links_[at].next;
    links_[at].next = free_links_;
    free_links_ = at;
    Slot& other = slots_[waiting];
    other.since = std::max(other.since, awaited.after);
    if (--other.outstanding == 0) make_ready(waiting);
  }
}

void TraceReplay::delivered(Handle handle, Cycle now) {
  release(handle, now);
}

void TraceReplay::undeliverable(Handle handle, Cycle now) {
  release(handle, now);
  ++undeliverable_;
}

bool TraceReplay::finished() const {
  return !has_next_ && ended_ == admitted_;
}

}  // namespace flitmend
