// SPDX-License-Identifier: Apache-2.0
#include "traces/netrace/replay.h"

#include <algorithm>
#include <utility>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {

NetraceReplay::NetraceReplay(const std::string& path, const Topology& topology, std::uint32_t flit_bytes,
                             std::optional<unsigned> region, NodeMapping mapping)
    : reader_(path, region),
      mapping_(std::move(mapping)),
      flit_bytes_(flit_bytes),
      first_cycle_(reader_.first_cycle()) {
  if (flit_bytes == 0) throw ConfigurationError("a flit must carry at least 1 byte");
  if (mapping_.empty()) check_netrace_fits(path, reader_.header(), topology);
  next_.dependants.reserve(kNetraceMostDependants);
  read_next();
}

void NetraceReplay::read_next() {
  has_next_ = reader_.read(next_);
}

std::uint32_t NetraceReplay::link(const std::vector<std::uint32_t>& ids) {
  std::uint32_t first = kNoLink;
  for (auto id = ids.rbegin(); id != ids.rend(); ++id) {
    std::uint32_t at = free_links_;
    if (at == kNoLink) {
      at = static_cast<std::uint32_t>(links_.size());
      links_.emplace_back();
    } else {
      free_links_ = links_[at].next;
    }
    links_[at] = {*id, first};
    first = at;
  }
  return first;
}

void NetraceReplay::admit_next() {
  Handle handle;
  if (free_.empty()) {
    handle = static_cast<Handle>(slots_.size());
    slots_.emplace_back();
  } else {
    handle = free_.back();
    free_.pop_back();
  }
  Slot& slot = slots_[handle];
  const std::uint32_t bytes = netrace_type(next_.type)->bytes;
  slot.packet = {.handle = handle,
                 .source = mapping_(next_.source),
                 .destination = mapping_(next_.destination),
                 .length = flits_of_bytes(bytes, flit_bytes_),
                 .bytes = bytes,
                 .ready = next_in_trace(),
                 .id = next_.id,
                 .content = next_.id,
                 .address = next_.address,
                 .flow = static_cast<std::uint32_t>(netrace_type(next_.type) - netrace_types().data())};
  slot.order = admitted_++;
  slot.dependants = link(next_.dependants);
  for (std::uint32_t id : next_.dependants) ++waits_[id].outstanding;

  const auto wait = waits_.find(slot.packet.id);
  if (wait != waits_.end() && wait->second.outstanding > 0) {
    wait->second.slot = handle;
    slot.state = State::waiting;
    ++waiting_;
    return;
  }
  Cycle since = 0;
  if (wait != waits_.end()) {
    since = wait->second.last_delivery;
    waits_.erase(wait);
  }
  make_ready(handle, since);
}

void NetraceReplay::make_ready(Handle handle, Cycle since) {
  Slot& slot = slots_[handle];
  slot.packet.ready = std::max(slot.packet.ready, since);
  slot.state = State::ready;
  ready_.push({slot.packet.ready, slot.order, handle});
}

std::optional<NetraceReplay::Packet> NetraceReplay::pop(Cycle now) {
  for (; has_next_ && next_in_trace() <= now; read_next()) admit_next();
  if (ready_.empty() || ready_.top().cycle > now) return std::nullopt;
  Slot& slot = slots_[ready_.top().slot];
  ready_.pop();
  slot.state = State::in_flight;
  ++popped_;
  return slot.packet;
}

Cycle NetraceReplay::next_cycle() const {
  Cycle next = has_next_ ? next_in_trace() : kNever;
  if (!ready_.empty()) next = std::min(next, ready_.top().cycle);
  return next;
}

void NetraceReplay::release(Handle handle, Cycle now, std::uint64_t& counter) {
  if (handle >= slots_.size() || slots_[handle].state != State::in_flight)
    throw ContractError(formatted(
        "a packet of the trace that is not in the network was reported as delivered (handle %1%)", handle));
  ++counter;
  Slot& slot = slots_[handle];
  slot.state = State::free;
  free_.push_back(handle);
  while (slot.dependants != kNoLink) {
    const std::uint32_t at = slot.dependants;
    const auto found = waits_.find(links_[at].id);
    slot.dependants = links_[at].next;
    links_[at].next = free_links_;
    free_links_ = at;
    Wait& wait = found->second;
    wait.last_delivery = std::max(wait.last_delivery, now);
    if (--wait.outstanding > 0 || !wait.slot) continue;
    --waiting_;
    make_ready(*wait.slot, wait.last_delivery);
    waits_.erase(found);
  }
}

void NetraceReplay::delivered(Handle handle, Cycle now) {
  release(handle, now, delivered_);
}

void NetraceReplay::undeliverable(Handle handle, Cycle now) {
  release(handle, now, undeliverable_);
}

bool NetraceReplay::finished() const {
  return !has_next_ && waiting_ == 0 && ready_.empty() && in_flight() == 0;
}

}  // namespace flitmend
