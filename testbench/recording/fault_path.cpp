// SPDX-License-Identifier: Apache-2.0
#include "testbench/recording/fault_path.h"

#include <algorithm>

namespace flitmend {

bool FaultStory::told(const Message& message) const {
  return !ended_ && about(message);
}

void FaultStory::message_hit(MessageIndex, const Message& message, Cycle cycle) {
  if (!moments_.empty() || cycle < from_ || cycle > to_) return;
  source_ = message.source;
  destination_ = message.destination;
  id_ = message.id;
  moments_.push_back({"fault", cycle});
}

// The first control message to its source after the fault is about the message, or at least comes before the
// one that is.
void FaultStory::control_sent(MessageIndex, const Message& control, Cycle cycle) {
  if (moments_.empty() || requested_ || restarted_ || ended_ || control.destination != source_) return;
  requested_ = true;
  moments_.push_back({"request", cycle});
}

void FaultStory::message_resent(MessageIndex, const Message& original, Cycle cycle) {
  if (!told(original) || restarted_) return;
  restarted_ = true;
  moments_.push_back({"restart", cycle});
}

void FaultStory::end(const Message& message, const char* how, Cycle cycle) {
  if (!told(message)) return;
  ended_ = true;
  moments_.push_back({how, cycle});
}

void FaultStory::message_delivered(MessageIndex, const Message& message, NodeId, Cycle cycle) {
  end(message, "complete", cycle);
}

void FaultStory::message_lost(MessageIndex, const Message& message, Cycle cycle) {
  end(message, "lost", cycle);
}

void FaultStory::message_undeliverable(MessageIndex, const Message& message, Cycle cycle) {
  end(message, "undeliverable", cycle);
}

namespace {

constexpr Cycle kCyclesAfterEnd = 32;  // for RESYNC, which may come after the last flit

}  // namespace

FaultPath::FaultPath(Fabric& fabric, const FaultStory& story) : fabric_(fabric), story_(story) {
  fabric_.add_observer(static_cast<CycleObserver&>(*this));
  fabric_.add_observer(static_cast<PacketObserver&>(*this));
}

const Channel* FaultPath::channel_into(const PathHop& hop) const {
  const Topology& topology = fabric_.topology();
  if (hop.port >= topology.port_count(hop.router))
    return fabric_.network_interface(hop.router).injection_channel();
  const auto far = topology.neighbour(hop.router, static_cast<PortId>(hop.port));
  return far ? fabric_.channel(far->router, far->port) : nullptr;
}

void FaultPath::cycle_done(Cycle t, const Word*, const Word* arriving, unsigned words) {
  if (story_.begun() && !begun_) begin();
  if (begun_ && story_.ended()) {
    ended_ = std::min(ended_, t);
    if (t > ended_ + kCyclesAfterEnd) return;
  }
  for_each_bit(arriving, words, [&](unsigned router) {
    const unsigned ports = fabric_.router(router).port_count();
    for (unsigned port = 0; port < ports; ++port) {
      const Channel* const channel = channel_into({router, port});
      const Flit* const flit = channel ? channel->arriving(t + 1) : nullptr;
      if (flit && is_head(flit->kind)) head_arrives(flit->message, {router, port, flit->vc});
    }
  });
  if (begun_) look_at_lines(t + 1);
}

void FaultPath::head_arrives(MessageIndex index, const PathHop& hop) {
  if (begun_) {
    const MessagePool& messages = fabric_.context().messages;
    const MessageIndex carried = messages[index].original;
    const bool ours = story_.about(messages[carried == kNoMessage ? index : carried]);
    if (ours && std::find(hops_.begin(), hops_.end(), hop) == hops_.end()) hops_.push_back(hop);
    return;
  }
  if (index >= paths_.size()) paths_.resize(fabric_.context().messages.capacity());
  if (hop.port >= fabric_.topology().port_count(hop.router)) paths_[index].clear();  // from its source
  paths_[index].push_back(hop);
}

void FaultPath::part_failing(const FaultyPart& part, bool, Cycle cycle) {
  if (story_.begun()) return;
  if (!failing_.empty() && failing_.back().cycle != cycle) failing_.clear();
  failing_.push_back({part, cycle});
}

void FaultPath::packet_cut(MessageIndex index, const Message& packet, Cycle cycle) {
  if (story_.begun()) return;
  id_ = packet.id;
  cut_ = index < paths_.size() ? paths_[index] : std::vector<PathHop>{};
  cut_at_ = cycle;
}

std::optional<std::size_t> FaultPath::hop_that_failed(const FaultyPart& part) const {
  const Topology& topology = fabric_.topology();
  for (std::size_t i = 0; i < cut_.size(); ++i) {
    if (part.is_router() && cut_[i].router == part.router) return i;
    if (part.is_router() || cut_[i].port >= topology.port_count(cut_[i].router)) continue;
    const auto far = topology.neighbour(cut_[i].router, static_cast<PortId>(cut_[i].port));
    if (far && *far == RouterPort{part.router, part.port}) return i;
  }
  return std::nullopt;
}

void FaultPath::begin() {
  begun_ = true;
  paths_ = {};
  hops_ = cut_;
  if (cut_.empty()) return;
  // None after the end or before the beginning, where i wraps around.
  const auto hop = [&](std::size_t i) { return i < cut_.size() ? std::optional(cut_[i]) : std::nullopt; };
  for (const Failing& f : failing_) {
    const auto i = hop_that_failed(f.part);
    if (!i || f.cycle + 1 < cut_at_) continue;
    failed_ = f.part;
    before_ = hop(*i - 1);
    if (f.part.is_router()) at_ = hop(*i);
    after_ = hop(f.part.is_router() ? *i + 1 : *i);
    return;
  }
  // The head did not reach the part that failed: it is next to the last router.
  before_ = cut_.back();
  const Topology& topology = fabric_.topology();
  for (PortId port = 0; port < topology.port_count(before_->router) && !failed_; ++port) {
    const auto far = topology.neighbour(before_->router, port);
    if (!far) continue;
    const FaultSet& faults = fabric_.faults();
    if (faults.router_faulty(far->router))
      failed_ = FaultyPart{far->router};
    else if (faults.channel_faulty(before_->router, port))
      failed_ = FaultyPart{before_->router, port};
  }
}

void FaultPath::look_at_lines(Cycle t) {
  for (const PathHop& hop : hops_) {
    const Channel* const channel = channel_into(hop);
    if (!channel) continue;
    for (unsigned l = 0; l < kControlLines; ++l) {
      const auto line = static_cast<ControlLine>(l);
      const LineWires wires = traits_of(line).wires;
      const bool of_message = wires != LineWires::number || line == ControlLine::request;
      if (!of_message || !channel->has(line)) continue;
      const bool per_vc = wires != LineWires::number && wires != LineWires::per_channel;
      const VcMask mask = per_vc ? VcMask{1} << hop.vc : ~VcMask{0};
      if (!(channel->arriving(line, t) & mask)) continue;
      const RaisedLine raised{hop, line};
      if (std::find(lines_.begin(), lines_.end(), raised) == lines_.end()) lines_.push_back(raised);
    }
  }
}

}  // namespace flitmend
