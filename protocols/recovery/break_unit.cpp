// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/break_unit.h"

#include <algorithm>

#include "protocols/recovery/lost_requests.h"
#include "rtl_tlm/node/network_interface.h"

namespace flitmend {
namespace {

PortExtras& extras(Router& router, unsigned port) {
  RouterState state = router.state();
  return state.extras(port);
}

/// Why the wait of a head that needs a virtual channel is counted.
enum class FaultWait {
  none,       ///< it is not
  not_yet,    ///< the head does not request its present candidates yet; the count stays
  begins,     ///< the same, and it will wait as below
  no_route,   ///< no candidate is at a healthy port
  no_escape,  ///< no escape channel is, and the algorithm relies on them
};

FaultWait wait_at_fault(const RouterState& state, Cycle t, unsigned id, bool escapes) {
  const HeadRoute& route = state.route(id);
  if (!(state.masks(id / kWordBits).pending & RouterState::bit_of(id))) return FaultWait::none;
  if (route.stage == PipelineStage::routing) return FaultWait::not_yet;
  if (route.stage != PipelineStage::vc_allocation) return FaultWait::none;
  const bool asks = t > route.ready;
  bool any = false;
  for (unsigned i = 0; i < route.candidates; ++i) {
    const RouteCandidate& c = state.candidates_of(id)[i];
    if (state.port_dead(c.port)) continue;
    if (c.escape || !escapes || c.port == state.layout().local_port)
      return asks ? FaultWait::none : FaultWait::not_yet;
    any = true;
  }
  if (!asks) return FaultWait::begins;
  return any ? FaultWait::no_escape : FaultWait::no_route;
}

/// That of protocols that only break messages.
struct DefaultHandling final : CutHandling {
} default_handling;

}  // namespace

void CutHandling::cut(Router& router, Cycle t, unsigned id) {
  BreakUnit::count_cut(router, t, id);
  router.absorb(t, id);
}

void CutHandling::cut_behind(Router& router, Cycle t, unsigned id) {
  router.context().broken.append(router.last_flit(id).message, t);
  if (router.state().room(id) > 0)
    BreakUnit::append_tail(router, t, id);
  else
    extras(router, router.state().port_of(id)).tail_due |= VcMask{1} << router.state().vc_of(id);
}

void CutHandling::head_waited(BreakUnit& unit, Router& router, Cycle t, unsigned id, bool no_route) {
  BreakUnit::count_wait(router, t, id, no_route);
  if (const auto message = BreakUnit::waiting_message(router, id, no_route)) unit.ask(router, t, *message);
  router.absorb(t, id);
}

BreakUnit::BreakUnit(unsigned head_wait) : BreakUnit(default_handling, head_wait) {}

void BreakUnit::hold_port(Router& router, unsigned port) {
  const unsigned vcs = router.state().vcs();
  for (unsigned vc = 0; vc < vcs; ++vc) router.hold(port * vcs + vc, true);
}

unsigned BreakUnit::network_ports(const Router& router) {
  return router.has_local_port() ? router.local_port() : router.port_count();
}

void BreakUnit::equip(HardwareParameters& hardware, const Topology& topology) {
  hardware.switches_ask = topology.router_count() > topology.node_count();
}

void BreakUnit::channel_status_changed(Router& router, Cycle t, unsigned port, bool input_side, bool faulty) {
  if (faulty && input_side)
    request_receiver_.input_failed(port);
  else if (faulty)
    request_sender_.output_failed(t, port);
  if (input_side && faulty)
    input_failed(router, t, port);
  else if (input_side)
    extras(router, port).resync_due = low_bits(router.state().vcs());
  else if (faulty)
    output_failed(router, t, port);
  router.set_recovery_active(true);
}

void BreakUnit::output_failed(Router& router, Cycle t, unsigned port) {
  const RouterState& state = router.state();
  for (unsigned vc = 0; vc < state.vcs(); ++vc) router.flush_output(t, port * state.vcs() + vc);
  for (unsigned id = 0; id < state.ids(); ++id) {
    if (state.input(id).output == kNoVc || state.output_port(id) != port) continue;
    if (state.input(id).flits_sent == 0)
      router.reroute(t, id);
    else
      handling_.cut(router, t, id);
  }
  hold_port(router, port);
}

void BreakUnit::count_cut(Router& router, Cycle t, unsigned id) {
  const RouterState& state = router.state();
  const Flit& flit = state.input(id).count > 0 ? state.front(id) : router.last_flit(id);
  router.context().broken.hit(flit.message, t);
}

void BreakUnit::input_failed(Router& router, Cycle t, unsigned port) {
  const unsigned vcs = router.state().vcs();
  PortExtras& registers = extras(router, port);
  registers.resync_due = 0;
  for (unsigned vc = 0; vc < vcs; ++vc) {
    const unsigned id = port * vcs + vc;
    if (router.awaits_tail(id) && !(registers.tail_due >> vc & 1)) handling_.cut_behind(router, t, id);
  }
}

void BreakUnit::append_tail(Router& router, Cycle t, unsigned id) {
  Flit tail = router.last_flit(id);
  tail.kind = FlitKind::broken_tail;
  ++tail.number;
  router.append(t, id, tail);
}

bool BreakUnit::append_tails_due(Router& router, Cycle t, unsigned port) {
  VcMask& due = extras(router, port).tail_due;
  for (VcMask rest = due; rest; rest &= rest - 1) {
    const unsigned id = port * router.state().vcs() + static_cast<unsigned>(std::countr_zero(rest));
    if (router.state().room(id) == 0) continue;
    append_tail(router, t, id);
    due &= ~(rest & -rest);
  }
  return due != 0;
}

// Looks for idle virtual channels before this cycle's flits move. So the credit of the last flit went out in
// an earlier cycle, and arrives before RESYNC, which restores all credits. RESYNC does not overtake the last
// control flit of a circuit either.
bool BreakUnit::resynchronise(Router& router, Cycle t, unsigned port) {
  const RouterState& state = router.state();
  PortExtras& registers = extras(router, port);
  VcMask idle = 0;
  for (VcMask rest = registers.resync_due & ~registers.tail_due; rest; rest &= rest - 1) {
    const unsigned id = port * state.vcs() + static_cast<unsigned>(std::countr_zero(rest));
    if (state.input(id).count == 0 && state.route_fsm(id) == RouteFsm::idle) idle |= rest & -rest;
  }
  if (idle) {
    const PortChannels& channels = state.channels(port);
    const unsigned flit = state.layout().holds_paths ? channels.out->latency() : 0;
    channels.in->raise_at(ControlLine::resynchronise, t + std::max(flit, channels.in->credit_latency()),
                          idle);
  }
  registers.resync_due &= ~idle;
  return registers.resync_due != 0;
}

void BreakUnit::control_arrived(Router& router, Cycle t, unsigned port, bool input_side) {
  if (port >= network_ports(router)) return;
  if (input_side) {
    if (!RequestReceiver::receives(router.state(), port)) return;
    const Word wires = router.state().channels(port).in->take(ControlLine::request, t);
    if (const auto request = request_receiver_.arrived(port, wires)) ask(router, t, *request);
    return;
  }
  for (VcMask rest = router.state().channels(port).out->take(ControlLine::resynchronise, t); rest;
       rest &= rest - 1)
    router.restore_output(port * router.state().vcs() + static_cast<unsigned>(std::countr_zero(rest)));
}

void BreakUnit::ask(Router& router, Cycle t, const CutMessage& message) {
  if (NetworkInterface* const interface = router.state().header().interface) {
    if (interface->recovery()) interface->recovery()->message_cut(t, message);
  } else if (RequestSender::has_takers(router)) {
    request_sender_.add(message);
    router.set_recovery_active(true);
  }
}

std::optional<CutMessage> BreakUnit::waiting_message(Router& router, unsigned id, bool no_route) {
  const MessageIndex index = router.state().front(id).message;
  const Message& packet = router.context().messages[index];
  if (packet.kind == MessageKind::control) return std::nullopt;
  return CutMessage{.source = packet.source,
                    .destination = packet.destination,
                    .id = packet.id,
                    .length = packet.length,
                    .first = packet.sub_message > 0 ? router.context().messages.fields(index).first : 0,
                    .sub_message = packet.sub_message,
                    .no_route = no_route};
}

void BreakUnit::count_wait(Router& router, Cycle t, unsigned id, bool no_route) {
  const MessageIndex message = router.state().front(id).message;
  if (no_route)
    router.context().broken.give_up(message);
  else
    router.context().broken.hit_waiting(message, t, router.id());
}

bool BreakUnit::timer_ends_wait(const Router& router, unsigned id) const {
  const NetworkContext& context = router.context();
  const FaultWait wait =
      wait_at_fault(router.state(), std::max(context.next_cycle, router.state().route(id).ready + 1), id,
                    context.routing.has_escape_channels());
  return wait == FaultWait::no_route || wait == FaultWait::no_escape;
}

bool BreakUnit::time_heads(Router& router, Cycle t) {
  RouterState state = router.state();
  if (state.layout().heads_go_back) return false;  // none waits
  const bool escapes = router.context().routing.has_escape_channels();
  bool any = false;
  for (unsigned id = 0; id < state.ids(); ++id) {
    std::uint16_t& waited = state.route(id).waited;
    const FaultWait wait = wait_at_fault(state, t, id, escapes);
    if (wait == FaultWait::not_yet) {
      // With circuits the head may find its escape channel tried already, and nothing else wakes the unit
      // then.
      any |= waited > 0 || state.layout().holds_paths;
      continue;
    }
    if (wait == FaultWait::begins) {
      any = true;
      continue;
    }
    if (wait == FaultWait::none) {
      waited = 0;
      continue;
    }
    const bool no_route = wait == FaultWait::no_route;
    if (waited >= (no_route ? no_route_wait_ : head_wait_)) {
      waited = 0;
      handling_.head_waited(*this, router, t, id, no_route);
      continue;
    }
    ++waited;
    any = true;
  }
  return any;
}

void BreakUnit::evaluate(Router& router, Cycle t) {
  bool active = time_heads(router, t) || router.state().header().any_faulty;
  for (unsigned port = 0; port < network_ports(router); ++port) {
    const PortExtras& registers = extras(router, port);
    if (registers.tail_due) active |= append_tails_due(router, t, port);
    if (registers.resync_due) active |= resynchronise(router, t, port);
  }
  active |= request_sender_.evaluate(router, t);
  router.set_recovery_active(active);
}

void BreakUnit::forget_requests() {
  request_sender_.clear();
  request_receiver_.clear();
}

void BreakUnit::router_reset(Router& router) {
  forget_requests();
  bool any = false;
  for (unsigned port = 0; port < network_ports(router); ++port)
    if (router.state().arbiter(port).faulty) {
      hold_port(router, port);
      any = true;
    }
  router.set_recovery_active(any);
}

void BreakUnit::router_failed(Router& router) {
  for (const RequestWords& words : request_sender_.queue())
    router.context().shared<LostRequests>().add(from_words(words));
  forget_requests();
  router.set_recovery_active(false);
}

void BreakUnit::router_repaired(Router& router) {
  for (unsigned port = 0; port < network_ports(router); ++port) {
    if (!router.state().channels(port).out) continue;  // leads nowhere
    hold_port(router, port);
    if (!router.state().arbiter(port).input_faulty)
      extras(router, port).resync_due = low_bits(router.state().vcs());
  }
  router.set_recovery_active(true);
}

}  // namespace flitmend
