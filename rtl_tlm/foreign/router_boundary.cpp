// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/foreign/router_boundary.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/errors.h"
#include "base/text.h"
#include "rtl_tlm/mechanisms/narrow_links/narrow_links.h"
#include "rtl_tlm/registers/register_text.h"

namespace flitmend {

const char* to_string(ViolationKind kind) {
  switch (kind) {
    case ViolationKind::credit_overflow:
      return "credit overflow";
    case ViolationKind::credit_returned:
      return "credit returned too often";
    case ViolationKind::buffer_overflow:
      return "buffer overflow";
    case ViolationKind::no_head:
      return "flit without head";
    case ViolationKind::interleaving:
      return "messages interleaved";
    case ViolationKind::missing_tail:
      return "tail missing";
    case ViolationKind::invented:
      return "flit invented";
    case ViolationKind::lost:
      return "flit lost";
    case ViolationKind::altered:
      return "flit altered";
    case ViolationKind::misrouted:
      return "misrouted";
    case ViolationKind::starvation:
      return "starvation";
    case ViolationKind::two_flits:
      break;
  }
  return "two flits in one cycle";
}

namespace {
ViolationKind kind_of_loss(const Flit& flit) {
  return is_tail(flit.kind) && !is_head(flit.kind) ? ViolationKind::missing_tail : ViolationKind::lost;
}
}  // namespace

bool RouterBoundary::link_free(Cycle t, unsigned port) const {
  return flit_cycles(port) == 1 || !NarrowLinks::busy(state_, t, port);
}

void RouterBoundary::check(const HardwareParameters& hardware) {
  if (hardware.vector_elements > 0)
    throw KeyError("routing.algorithm",
                   "a router of your own exchanges no probability vectors; choose another algorithm");
  if (!hardware.mechanisms.empty() || hardware.padding)
    throw KeyError("recovery.protocol",
                   "a router of your own has no wires for the signals that this protocol sends through all "
                   "routers; set none, end-to-end or sbrp-2, or leave out sections faults and recovery",
                   {"recovery.protocol", "faults"});
  if (hardware.has_units() && !hardware.recovery_units)
    throw KeyError("deadlock.recovery",
                   "a router of your own takes no part in recovery from deadlock; set it to none");
  if (reserves_paths(hardware.router.technique()))
    throw KeyError("router.switching",
                   "a router of your own has no complementary channels, over which this technique "
                   "acknowledges paths; set another one");
  if (hardware.network_interface.unlimited_ejection())
    throw KeyError("network_interface.ejection",
                   "a router of your own ejects flits over a channel; set it to channel, with an "
                   "ejection_latency of 1 or more",
                   {"router.preset"});
  if (hardware.network_interface.injection_latency == 0)
    throw KeyError(
        "network_interface.injection_latency",
        "a router of your own takes flits from a channel; set it to 1 or more, with injection: channel",
        {"router.preset"});
}

RouterBoundary::RouterBoundary(Router& router, NetworkContext& context, sc_core::sc_in<bool>& clock)
    : router_(router),
      context_(context),
      state_(router.state()),
      clock_(clock),
      random_(context.seed, RandomPurpose::routing, router.id()),
      inside_(state_.ids()),
      holders_(state_.ids(), kNoMessage),
      waited_(state_.ids()),
      arrived_(state_.ports()),
      credits_(state_.ports()),
      last_arrival_(state_.ports(), kNever),
      candidates_(context.routing.max_candidates()),
      flits_beyond_buffer_(context.hardware.router.pipeline.switch_to_output() +
                           context.hardware.router.output_buffer) {
  check(context.hardware);
}

RouterBoundary::~RouterBoundary() = default;

void RouterBoundary::attach(std::unique_ptr<ForeignRouter> router) {
  foreign_ = std::move(router);
  router_.replace_cycle(*this);
}

void RouterBoundary::clear(Cycle t) {
  for (auto& flits : inside_) flits.clear();
  std::fill(holders_.begin(), holders_.end(), kNoMessage);
  std::fill(waited_.begin(), waited_.end(), 0u);
  std::fill(arrived_.begin(), arrived_.end(), std::nullopt);
  std::fill(credits_.begin(), credits_.end(), VcMask{0});
  std::fill(last_arrival_.begin(), last_arrival_.end(), kNever);
  foreign_->clear(t);
}

// --- A cycle ---

void RouterBoundary::evaluate(Cycle t) {
  take_arrivals(t);
  foreign_->evaluate(t);
  watch(t);
}

void RouterBoundary::take_arrivals(Cycle t) {
  const unsigned slot = static_cast<unsigned>(t & (state_.layout().ring - 1));
  const auto take = [&](Arrival what, unsigned port) {
    const VcPlace place = state_.vc_place(what, port);
    const Word vc_bits = place.ring[slot] >> place.shift & low_bits(vcs());
    place.ring[slot] &= ~(low_bits(vcs()) << place.shift);
    return vc_bits;
  };
  for (unsigned port = 0; port < ports(); ++port) {
    credits_[port] = take(Arrival::credits, port);
    for (VcMask rest = credits_[port]; rest; rest &= rest - 1)
      ++state_.output(port * vcs() + static_cast<unsigned>(std::countr_zero(rest))).credits;
    arrived_[port].reset();
    if (take(Arrival::flits, port) == 0) continue;
    arrived_[port] = state_.arrived_flits(port)[slot];
    enter(t, port * vcs() + arrived_[port]->vc, *arrived_[port]);
  }
}

void RouterBoundary::enter(Cycle t, unsigned id, const Flit& flit) {
  InputVcState& in = state_.input(id);
  inside_[id].push_back({flit, t});
  const unsigned slots = context_.hardware.router.input_buffer;
  if (in.count == slots)
    report(t, ViolationKind::buffer_overflow, false, state_.port_of(id), state_.vc_of(id),
           describe(flit) + " arrives at a full buffer: more credits have been returned than slots are free");
  if (in.count < slots) {
    state_.input_buffer_at(id, static_cast<unsigned>((in.first + in.count) % state_.layout().input_slots)) =
        flit;
    ++in.count;
  }
  state_.masks(id / kWordBits).occupied |= RouterState::bit_of(id);
  if (inside_[id].size() == 1) front_changed(id);
}

const std::vector<RouteCandidate>& RouterBoundary::route(unsigned port, unsigned vc, const Message& message) {
  candidates_.resize(context_.routing.max_candidates());
  CandidateList list(candidates_.data(), static_cast<unsigned>(candidates_.size()));
  context_.routing.route({id(), message.source, message.destination,
                          port == router_.local_port() ? RouteRequest::kInjected : static_cast<PortId>(port),
                          static_cast<std::uint8_t>(vc), message.head_state, nullptr, &random_, nullptr},
                         list);
  candidates_.resize(list.size());
  return candidates_;
}

/// Another flit is the oldest of an input virtual channel.
void RouterBoundary::front_changed(unsigned id) {
  waited_[id] = 0;
  if (inside_[id].empty() || !is_head(inside_[id].front().flit.kind)) return;
  HeadRoute& r = state_.route(id);
  const auto& found =
      route(state_.port_of(id), state_.vc_of(id), context_.messages[inside_[id].front().flit.message]);
  std::copy(found.begin(), found.end(), state_.candidates_of(id));
  r.candidates = static_cast<std::uint8_t>(found.size());
  r.length = static_cast<std::uint16_t>(context_.messages[inside_[id].front().flit.message].length);
  r.stage = PipelineStage::vc_allocation;
  state_.masks(id / kWordBits).pending |= RouterState::bit_of(id);
}

// --- What leaves ---

std::optional<RouterBoundary::Place> RouterBoundary::find(const Flit& flit) const {
  for (unsigned id = 0; id < inside_.size(); ++id)
    for (std::size_t i = 0; i < inside_[id].size(); ++i)
      if (inside_[id][i].flit.message == flit.message && inside_[id][i].flit.number == flit.number)
        return Place{id, i};
  return std::nullopt;
}

const Flit* RouterBoundary::inside(NodeId source, std::uint32_t message_id, std::uint32_t number) const {
  for (const auto& flits : inside_)
    for (const Inside& entry : flits) {
      const Message& m = message(entry.flit);
      if (m.source == source && m.id == message_id && entry.flit.number == number) return &entry.flit;
    }
  return nullptr;
}

const Flit* RouterBoundary::inside(MessageIndex packet, std::uint32_t number) const {
  for (const auto& flits : inside_)
    for (const Inside& entry : flits)
      if (entry.flit.message == packet && entry.flit.number == number) return &entry.flit;
  return nullptr;
}

std::uint64_t RouterBoundary::flits_inside() const {
  std::uint64_t sum = 0;
  for (const auto& flits : inside_) sum += flits.size();
  return sum;
}

unsigned RouterBoundary::output_of(MessageIndex message) const {
  const auto held = std::find(holders_.begin(), holders_.end(), message);
  return held == holders_.end() ? unsigned{kNoVc} : static_cast<unsigned>(held - holders_.begin());
}

void RouterBoundary::end_message(unsigned id, MessageIndex message) {
  const unsigned output_id = output_of(message);
  VcMasks& masks = state_.masks(id / kWordBits);
  masks.pending &= ~RouterState::bit_of(id);
  if (output_id == kNoVc) return;
  holders_[output_id] = kNoMessage;
  OutputController::release(state_, output_id);
  if (state_.input(id).output != output_id) return;
  state_.input(id).output = kNoVc;
  masks.routed &= ~RouterState::bit_of(id);
}

RouterBoundary::Inside RouterBoundary::take(unsigned id, std::size_t position) {
  const Inside taken = inside_[id][position];
  inside_[id].erase(inside_[id].begin() + static_cast<std::ptrdiff_t>(position));
  if (is_tail(taken.flit.kind)) end_message(id, taken.flit.message);
  if (position == 0) front_changed(id);
  return taken;
}

void RouterBoundary::discard(unsigned id, std::size_t position) {
  ++context_.flits_discarded;
  take(id, position);
}

/// The flit leaves while older ones of its input virtual channel are still inside.
void RouterBoundary::lose_before(Cycle t, unsigned id, const Flit& flit) {
  for (std::size_t i = 0; inside_[id][i].flit != flit;) {
    const Inside lost = inside_[id][i];
    if (!in_order() && lost.flit.message != flit.message) {
      ++i;
      continue;
    }
    discard(id, i);
    report(t, kind_of_loss(lost.flit), false, state_.port_of(id), state_.vc_of(id),
           formatted("%1%, which entered in cycle %2%, has not left, but a later one has: %3%",
                     describe(lost.flit), lost.entered, describe(flit)));
  }
}

/// Whether the tail of that message is inside although its credit has been returned.
bool RouterBoundary::tail_has_gone(MessageIndex message) const {
  for (unsigned id = 0; id < inside_.size(); ++id)
    if (!inside_[id].empty() && inside_[id].front().flit.message == message)
      return is_tail(inside_[id].front().flit.kind) && state_.input(id).count < inside_[id].size();
  return false;
}

/// Whether the flit may go to its output virtual channel; if not, it has been reported.
bool RouterBoundary::accept_on(Cycle t, unsigned port, unsigned id, const Flit& flit) {
  const unsigned output_id = port * vcs() + flit.vc;
  const MessageIndex holder = holders_[output_id];
  const auto refuse = [&](ViolationKind kind, const std::string& what) {
    report(t, kind, true, port, flit.vc, describe(flit) + what);
    return false;
  };
  const bool head = is_head(flit.kind);
  if (head && in_order() && state_.input(id).output != kNoVc)
    return refuse(ViolationKind::missing_tail,
                  " leaves before the tail of the message that came before it on its input");
  if (holder != kNoMessage && (head || holder != flit.message)) {
    const Message& m = context_.messages[holder];
    return refuse(
        head && tail_has_gone(holder) ? ViolationKind::missing_tail : ViolationKind::interleaving,
        formatted(" leaves on a virtual channel that message %1% of %2% holds: its tail has not left", m.id,
                  context_.topology.router_name(m.source)));
  }
  if (!head && holder == kNoMessage) {
    const unsigned held = output_of(flit.message);
    return held == kNoVc
               ? refuse(ViolationKind::no_head, " leaves on a virtual channel that no message holds")
               : refuse(ViolationKind::interleaving,
                        formatted(" leaves, but its head has left at %1%, virtual channel %2%",
                                  port_name(state_, state_.port_of(held)), state_.vc_of(held)));
  }
  if (state_.output(output_id).credits == 0)
    return refuse(ViolationKind::credit_overflow, " leaves without a credit: the next buffer is full");
  return true;
}

void RouterBoundary::head_leaves(Cycle t, unsigned port, unsigned id, const Flit& flit) {
  const unsigned output_id = port * vcs() + flit.vc;
  Message& head = context_.messages[flit.message];
  const auto& candidates = route(state_.port_of(id), state_.vc_of(id), head);
  const RouteCandidate* const found = candidates.data();
  const RouteCandidate* const end = found + candidates.size();
  const RouteCandidate* const taken = std::find_if(
      found, end, [&](const RouteCandidate& c) { return c.port == port && (vcs_of(c) >> flit.vc & 1); });
  if (taken != end) {
    head.head_state = taken->head_state;
  } else {
    std::string may;
    for (const RouteCandidate* c = found; c != end; ++c)
      may += (may.empty() ? "" : " or ") + port_name(state_, c->port);
    report(t, ViolationKind::misrouted, true, port, flit.vc,
           describe(flit) + " leaves here; the routing function gives " + (may.empty() ? "no route" : may));
  }
  head.hops = static_cast<std::uint16_t>(head.hops + (port != router_.local_port()));
  state_.input(id).output = static_cast<std::uint16_t>(output_id);
  holders_[output_id] = flit.message;
  state_.output(output_id).owner = static_cast<std::uint16_t>(id);
  state_.free_vcs(port) &= ~(VcMask{1} << flit.vc);
  VcMasks& masks = state_.masks(id / kWordBits);
  masks.pending &= ~RouterState::bit_of(id);
  masks.routed |= RouterState::bit_of(id);
  state_.route(id).stage = PipelineStage::switch_allocation;
}

void RouterBoundary::send(Cycle t, unsigned port, const Flit& flit, unsigned after) {
  const auto place = find(flit);
  if (!place) {
    report(t, ViolationKind::invented, true, port, flit.vc,
           "a flit leaves that is not inside: it has not entered, or has left before");
    return;
  }
  const unsigned id = place->id;
  const Flit entered = inside_[id][place->position].flit;
  const bool somewhere = port < ports() && flit.vc < vcs() && has_output(port);
  const unsigned latency = somewhere ? state_.channels(port).out->latency() : 0;
  if (after + latency >= state_.layout().ring)
    SC_REPORT_FATAL("flitmend/foreign", formatted("%1%: a flit is sent %2% cycles ahead; at most %3%",
                                                  router_.name(), after, state_.layout().ring - 1 - latency)
                                            .c_str());
  const Cycle arrival = t + after + latency;
  // More are inside than the buffer holds: one has been overwritten.
  if (in_order() && place->position >= buffer())
    report(
        t, ViolationKind::credit_returned, false, state_.port_of(id), state_.vc_of(id),
        formatted(
            "%1% leaves while %2% flits that entered before it are inside, as many as the buffer has slots",
            describe(entered), place->position));
  lose_before(t, id, entered);
  // Only now: until a flit leaves, a credit too many cannot be told from a flit that is lost.
  const std::size_t buffered = state_.input(id).count;
  if (in_order() && inside_[id].size() > buffered + flits_beyond_buffer_)
    report(
        t, ViolationKind::credit_returned, false, state_.port_of(id), state_.vc_of(id),
        formatted("%1% leaves; %2% flits are inside, but credits have been returned for all but %3% of them",
                  describe(entered), inside_[id].size(), buffered));
  bool good = false;
  if (!somewhere)
    report(t, ViolationKind::misrouted, true, port, flit.vc,
           describe(entered) + " leaves at a port or virtual channel that leads nowhere");
  else if (flit.kind != entered.kind)
    report(t, ViolationKind::altered, true, port, flit.vc,
           describe(entered) + " leaves with kind " + to_string(flit.kind));
  else if (last_arrival_[port] == arrival)
    report(t, ViolationKind::two_flits, true, port, flit.vc,
           describe(entered) + " leaves in the same cycle as another");
  else if (const Cycle last = last_arrival_[port];
           flit_cycles(port) > 1 && last != kNever &&
           std::max(last, arrival) - std::min(last, arrival) < flit_cycles(port))
    report(t, ViolationKind::two_flits, true, port, flit.vc,
           formatted("%1% leaves while the link is busy with another: a flit takes %2% cycles on it",
                     describe(entered), flit_cycles(port)));
  else
    good = accept_on(t, port, id, flit);
  const std::size_t position = find(entered)->position;
  if (!good) {
    discard(id, position);
    return;
  }
  last_arrival_[port] = arrival;
  if (flit_cycles(port) > 1) NarrowLinks::sent(state_, t, port);
  if (is_head(flit.kind)) head_leaves(t, port, id, flit);
  --state_.output(port * vcs() + flit.vc).credits;
  state_.port(port).grant(t, id);
  ++state_.port(port).flits_sent;
  state_.input(id).flits_sent = static_cast<std::uint16_t>(flit.number + 1u);
  state_.channels(port).out->write(arrival, flit);
  take(id, position);
}

void RouterBoundary::return_credit(Cycle t, unsigned port, unsigned vc, unsigned after) {
  const unsigned id = port * vcs() + vc;
  if (port >= ports() || vc >= vcs() || !has_input(port) || state_.input(id).count == 0) {
    report(t, ViolationKind::credit_returned, false, port, vc,
           "a credit is returned, but every flit that entered has had its credit returned");
    return;
  }
  InputVcState& in = state_.input(id);
  in.first = static_cast<std::uint16_t>((in.first + 1u) % state_.layout().input_slots);
  if (--in.count == 0) state_.masks(id / kWordBits).occupied &= ~RouterState::bit_of(id);
  const CreditWires& wires = state_.channels(port).in->credit_wires();
  wires.announce(t + after + wires.latency - context_.hardware.router.pipeline.credit, vc);
}

const Flit* RouterBoundary::arriving(Cycle t, unsigned port) const {
  const Channel* const in = state_.channels(port).in;
  return in ? in->arriving(t + 1) : nullptr;
}

VcMask RouterBoundary::credits_arriving(Cycle t, unsigned port) {
  const VcPlace place = state_.vc_place(Arrival::credits, port);
  return place.ring[(t + 1) & (state_.layout().ring - 1)] >> place.shift & low_bits(vcs());
}

// --- The monitor ---

bool RouterBoundary::may_leave(unsigned id) {
  const unsigned held = output_of(inside_[id].front().flit.message);
  if (held != kNoVc) return state_.output(held).credits > 0;
  const RouteCandidate* const found = state_.candidates_of(id);
  return std::any_of(found, found + state_.route(id).candidates, [&](const RouteCandidate& c) {
    VcMask free = state_.free_vcs(c.port) & vcs_of(c);
    for (; free; free &= free - 1)
      if (room(c.port, static_cast<unsigned>(std::countr_zero(free))) > 0) return true;
    return false;
  });
}

void RouterBoundary::watch(Cycle t) {
  for (unsigned id = 0; id < inside_.size(); ++id) {
    if (inside_[id].empty() || !may_leave(id)) continue;
    const bool credit_returned =
        flits_beyond_buffer_ != kAnyFlits && state_.input(id).count < inside_[id].size();
    const unsigned bound = credit_returned ? std::min(kLostAfter, starvation_bound_) : starvation_bound_;
    if (++waited_[id] < bound) continue;
    const Inside oldest = inside_[id].front();
    const std::string what =
        formatted("%1%, which entered in cycle %2%, has not left", describe(oldest.flit), oldest.entered);
    if (credit_returned) {
      discard(id, 0);
      report(t, kind_of_loss(oldest.flit), false, state_.port_of(id), state_.vc_of(id),
             what + ", but its credit has been returned");
    } else {
      waited_[id] = 0;
      report(t, ViolationKind::starvation, false, state_.port_of(id), state_.vc_of(id),
             formatted("%1%, although it could have done so in %2% cycles", what, bound));
    }
  }
}

std::string RouterBoundary::describe(const Flit& flit) const {
  const Message& m = context_.messages[flit.message];
  return formatted("flit %1% (%2%) of message %3% of %4% to %5%", flit.number, to_string(flit.kind), m.id,
                   context_.topology.router_name(m.source), context_.topology.router_name(m.destination));
}

void RouterBoundary::report(Cycle t, ViolationKind kind, bool output, unsigned port, unsigned vc,
                            const std::string& what) {
  const std::string text =
      formatted("%1%: cycle %2%: %3%%4%, virtual channel %5%: %6%: %7%", router_.name(), t,
                output ? "output " : "input ",
                port < ports() ? port_name(state_, port) : std::to_string(port), vc, to_string(kind), what);
  if (violations_.size() < kMostKept) violations_.push_back({kind, id(), port, vc, t, text});
  SC_REPORT_ERROR("flitmend/contract", text.c_str());
}

}  // namespace flitmend
