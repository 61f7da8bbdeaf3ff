// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/break_unit.h"

#include <algorithm>

namespace flitmend {
namespace {

/// Holds every output virtual channel of a port until RESYNC.
void hold_port(Router& router, unsigned port) {
  const unsigned vcs = router.state().vcs();
  for (unsigned vc = 0; vc < vcs; ++vc) router.hold(port * vcs + vc, true);
}

unsigned network_ports(const Router& router) {
  return router.has_local_port() ? router.local_port() : router.port_count();
}

PortExtras& extras(Router& router, unsigned port) {
  RouterState state = router.state();
  return state.extras(port);
}

/// Whether a head that needs a virtual channel has candidates at faulty ports only, or none.
bool waits_at_fault(const RouterState& state, unsigned id) {
  const HeadRoute& route = state.route(id);
  if (!(state.masks(id / kWordBits).pending & RouterState::bit_of(id)) ||
      route.stage != PipelineStage::vc_allocation)
    return false;
  const RouteCandidate* const candidates = state.candidates_of(id);
  return std::all_of(candidates, candidates + route.candidates,
                     [&](const RouteCandidate& c) { return state.arbiter(c.port).faulty; });
}

}  // namespace

void BreakUnit::channel_status_changed(Router& router, Cycle t, unsigned port, bool input_side, bool faulty) {
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
    if (state.input(id).flits_sent == 0) {
      router.reroute(t, id);
    } else {
      const Flit& flit = state.input(id).count > 0 ? state.front(id) : router.last_flit(id);
      router.context().broken.hit(flit.message, t);
      router.absorb(t, id);
    }
  }
  hold_port(router, port);
}

void BreakUnit::input_failed(Router& router, Cycle t, unsigned port) {
  const unsigned vcs = router.state().vcs();
  PortExtras& registers = extras(router, port);
  registers.resync_due = 0;
  for (unsigned vc = 0; vc < vcs; ++vc) {
    const unsigned id = port * vcs + vc;
    if (!router.awaits_tail(id) || registers.tail_due >> vc & 1) continue;
    router.context().broken.append(router.last_flit(id).message, t);
    if (router.state().room(id) > 0)
      append_tail(router, t, id);
    else
      registers.tail_due |= VcMask{1} << vc;
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
// an earlier cycle, and arrives before RESYNC, which restores all credits.
bool BreakUnit::resynchronise(Router& router, Cycle t, unsigned port) {
  const RouterState& state = router.state();
  PortExtras& registers = extras(router, port);
  VcMask idle = 0;
  for (VcMask rest = registers.resync_due & ~registers.tail_due; rest; rest &= rest - 1) {
    const unsigned id = port * state.vcs() + static_cast<unsigned>(std::countr_zero(rest));
    if (state.input(id).count == 0 && state.route_fsm(id) == RouteFsm::idle) idle |= rest & -rest;
  }
  if (idle) state.channels(port).in->raise(ControlLine::resynchronise, t, idle);
  registers.resync_due &= ~idle;
  return registers.resync_due != 0;
}

void BreakUnit::control_arrived(Router& router, Cycle t, unsigned port, bool input_side) {
  if (input_side || port >= network_ports(router)) return;
  for (VcMask rest = router.state().channels(port).out->take(ControlLine::resynchronise, t); rest;
       rest &= rest - 1)
    router.restore_output(port * router.state().vcs() + static_cast<unsigned>(std::countr_zero(rest)));
}

bool BreakUnit::time_heads(Router& router, Cycle t) {
  RouterState state = router.state();
  bool any = false;
  for (unsigned id = 0; id < state.ids(); ++id) {
    std::uint16_t& waited = state.route(id).waited;
    if (!waits_at_fault(state, id)) {
      waited = 0;
      continue;
    }
    if (waited >= head_wait_) {
      waited = 0;
      router.context().broken.give_up(state.front(id).message);
      router.absorb(t, id);
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
  router.set_recovery_active(active);
}

void BreakUnit::router_reset(Router& router) {
  bool any = false;
  for (unsigned port = 0; port < network_ports(router); ++port)
    if (router.state().arbiter(port).faulty) {
      hold_port(router, port);
      any = true;
    }
  router.set_recovery_active(any);
}

void BreakUnit::router_failed(Router& router) {
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
