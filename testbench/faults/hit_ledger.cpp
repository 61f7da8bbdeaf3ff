// SPDX-License-Identifier: Apache-2.0
#include "testbench/faults/hit_ledger.h"

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>

namespace flitmend {
namespace {

constexpr std::array kFaults = {"node", "link"};
constexpr std::array kDurations = {"transient", "permanent"};
constexpr std::array kOverlaps = {"one", "at-once", "in-sequence"};

/// In a mask of a strike's faults; those after the 32nd share a bit.
std::uint32_t bit_of_fault(std::size_t index) {
  return 1u << std::min<std::size_t>(index, 31);
}

/// Names a link by the lower one of its channels.
FaultyPart whole_part(const FaultyPart& part, const Topology& topology) {
  if (part.is_router()) return part;
  const auto far = topology.neighbour(part.router, part.port);
  return far ? std::min(part, FaultyPart{far->router, far->port}) : part;
}

}  // namespace

HitLedger::HitLedger(Fabric& fabric) : fabric_(fabric) {
  fabric_.add_observer(static_cast<PacketObserver&>(*this));
}

HitLedger::Strike& HitLedger::strike_at(Cycle cycle) {
  if (strikes_.empty() || strikes_.back().cycle != cycle) {
    // What is known about the packets of an earlier strike is needed for one more cycle.
    for (auto old = strikes_.rbegin(); old != strikes_.rend(); ++old) {
      if (old->cycle + 1 >= cycle) continue;
      if (old->doomed.empty() && old->hits.empty()) break;
      old->doomed.clear();
      old->hits.clear();
    }
    strikes_.push_back({cycle, {}, {}, {}});
  }
  return strikes_.back();
}

std::uint32_t HitLedger::fault_bit(Strike& strike, const FaultyPart& part, bool permanent) const {
  const FaultyPart whole = whole_part(part, fabric_.topology());
  const auto found = std::find_if(strike.faults.begin(), strike.faults.end(),
                                  [&](const Fault& f) { return f.part == whole; });
  const auto index = static_cast<std::size_t>(found - strike.faults.begin());
  if (found == strike.faults.end()) strike.faults.push_back({whole, permanent});
  return bit_of_fault(index);
}

void HitLedger::part_failing(const FaultyPart& part, bool permanent, Cycle cycle) {
  Strike& strike = strike_at(cycle);
  const std::uint32_t bit = fault_bit(strike, part, permanent);
  for (const auto& [index, doom] : doomed_messages(fabric_, part)) {
    auto& [all, faults] = strike.doomed[index];
    all.add(doom);
    faults |= bit;
    if (const auto hit = strike.hits.find(index); hit != strike.hits.end()) {
      hits_[hit->second].doom.add(doom);
      hits_[hit->second].faults |= bit;
      continue;
    }
    const MessagePool& messages = fabric_.context().messages;
    if (cut_before(messages, index)) record(index, messages[index], {strikes_.size() - 1}, true);
  }
}

std::size_t HitLedger::strike_of(MessageIndex index, Cycle cycle) const {
  std::size_t last = strikes_.size();
  for (std::size_t i = strikes_.size(); i-- > 0 && strikes_[i].cycle + 1 >= cycle;) {
    if (strikes_[i].doomed.contains(index)) return i;
    last = std::min(last, i);
  }
  return last < strikes_.size() ? last : strikes_.size() - 1;
}

void HitLedger::packet_cut(MessageIndex index, const Message& message, Cycle cycle) {
  if (strikes_.empty()) return;  // a static fault, before any message
  const std::size_t strike = strike_of(index, cycle);
  const RouterId waited_in = fabric_.context().messages.loss(index).waited_in;
  if (waited_in != MessageLoss::kNowhere && !strikes_[strike].doomed.contains(index)) {
    if (const auto cause = fault_next_to(waited_in)) record(index, message, *cause, false);
  } else if (!strikes_[strike].hits.contains(index)) {
    record(index, message, {strike}, false);
  }
}

bool HitLedger::lasts(const FaultyPart& part) const {
  const FaultSet& faults = fabric_.faults();
  return part.is_router() ? faults.router_faulty(part.router) : faults.channel_faulty(part.router, part.port);
}

std::optional<HitLedger::Cause> HitLedger::fault_next_to(RouterId router) const {
  const Topology& topology = fabric_.topology();
  std::set<FaultyPart> parts;
  for (PortId port = 0; port < topology.port_count(router); ++port)
    if (const auto far = topology.neighbour(router, port)) {
      parts.insert({far->router});
      parts.insert(whole_part({router, port}, topology));
    }
  for (std::size_t i = strikes_.size(); i-- > 0;)
    for (std::size_t f = 0; f < strikes_[i].faults.size(); ++f)
      if (const FaultyPart& part = strikes_[i].faults[f].part; parts.contains(part) && lasts(part))
        return Cause{i, bit_of_fault(f)};
  return {};
}

void HitLedger::record(MessageIndex index, const Message& packet, const Cause& cause, bool again) {
  Strike& strike = strikes_[cause.strike];
  const bool carries = packet.original != kNoMessage;
  const Message& original = carries ? fabric_.context().messages[packet.original] : packet;
  const bool arrived = carries && fabric_.context().messages.fields(packet.original).delivered;
  Hit hit;
  hit.source = packet.source;
  hit.destination = packet.destination;
  hit.strike = cause.strike;
  hit.again = again;
  hit.phase = phase_of_packet(fabric_.context().messages, index, again);
  if (const auto doomed = strike.doomed.find(index); doomed != strike.doomed.end())
    std::tie(hit.doom, hit.faults) = doomed->second;
  else {
    // Seen by no part that failed: a head that has waited too long at one.
    hit.faults = cause.faults;
    hit.doom.head = true;
  }
  if (hit.phase != HitPhase::control) {
    hit.message = {original.source, original.id};
    Told& told = messages_[hit.message];
    told.strikes.insert(cause.strike);
    if (arrived) told.fate = Fate::delivered;
  }
  if (hit.phase == HitPhase::control && fabric_.context().messages.fields(index).asks) {
    // A fault that cuts a request delays the recovery of the message that it asks for.
    const auto asked =
        messages_.find({packet.destination, fabric_.context().messages.fields(index).sequence});
    if (asked != messages_.end()) asked->second.strikes.insert(cause.strike);
  }
  strike.hits[index] = hits_.size();
  hits_.push_back(hit);
}

void HitLedger::settle(const Message& message, Fate fate) {
  const auto told = messages_.find({message.source, message.id});
  if (told == messages_.end()) return;
  told->second.fate = fate;
  told->second.guarded = fate == Fate::delivered && message.guarded;
}

void HitLedger::message_delivered(MessageIndex, const Message& message, NodeId, Cycle) {
  settle(message, Fate::delivered);
}
void HitLedger::message_lost(MessageIndex, const Message& message, Cycle) {
  settle(message, Fate::lost);
}
void HitLedger::message_undeliverable(MessageIndex, const Message& message, Cycle) {
  settle(message, Fate::undeliverable);
}
void HitLedger::message_void(MessageIndex, const Message& message, Cycle) {
  settle(message, Fate::undeliverable);
}

void HitLedger::violated(const Violation& v) {
  if (!v.source || !v.message || !v.destination) return;
  failed_pairs_.emplace(static_cast<NodeId>(*v.source), static_cast<NodeId>(*v.destination));
  if (const auto told = messages_.find({static_cast<NodeId>(*v.source), *v.message}); told != messages_.end())
    told->second.failed = true;
}

bool HitLedger::failed(const Hit& hit) const {
  return hit.phase == HitPhase::control ? failed_pairs_.contains({hit.destination, hit.source})
                                        : messages_.at(hit.message).failed;
}

std::vector<HitResults> HitLedger::results(bool drained) const {
  std::map<std::array<std::size_t, 4>, HitResults> strata;
  for (const Hit& hit : hits_) {
    const std::vector<Fault>& faults = strikes_[hit.strike].faults;
    bool node = false, permanent = false;
    for (std::size_t i = 0; i < faults.size() && i < 32; ++i) {
      if (!(hit.faults >> i & 1)) continue;
      node |= faults[i].part.is_router();
      permanent |= faults[i].permanent;
    }
    const bool control = hit.phase == HitPhase::control;
    const Told told = control ? Told{} : messages_.at(hit.message);
    const bool others = hit.again || told.strikes.size() > 1;
    const std::array<std::size_t, 4> at = {
        !node, permanent, static_cast<std::size_t>(hit.phase.value_or(phase_of_flits(hit.doom))),
        std::popcount(hit.faults) > 1 ? 1u
        : others                      ? 2u
                                      : 0u};
    HitResults& row = strata[at];
    ++row.hits;
    row.delivered += told.fate == Fate::delivered;
    row.lost += told.fate == Fate::lost;
    row.undeliverable += told.fate == Fate::undeliverable;
    row.guard_repaired += told.guarded;
    row.failed += failed(hit);
    row.in_flight += !drained && told.fate == Fate::open && !failed(hit);
  }
  std::vector<HitResults> rows;
  for (auto& [at, row] : strata) {
    row.fault = kFaults[at[0]];
    row.duration = kDurations[at[1]];
    row.phase = kHitPhases[at[2]];
    row.overlap = kOverlaps[at[3]];
    rows.push_back(row);
  }
  return rows;
}

}  // namespace flitmend
