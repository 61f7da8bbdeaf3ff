// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/apcs/unit.h"

#include <algorithm>

#include "base/errors.h"
#include "base/text.h"
#include "rtl_tlm/mechanisms/circuits/circuits.h"
#include "rtl_tlm/mechanisms/circuits/probes.h"

namespace flitmend::apcs {
namespace {

constexpr unsigned kMostPorts = 64;

bool in_use(const RouterState& state, unsigned id) {
  const RouteFsm fsm = state.route_fsm(id);
  return fsm != RouteFsm::absorb && (fsm != RouteFsm::idle || state.input(id).count > 0);
}

/// Whether circuits of this port have been cut, and none can have started since.
bool refuses(const RouterState& state, Cycle t, unsigned port) {
  return state.port_dead(port) || t < Circuits::port(state, port).old_until;
}

template <class F>
void for_each_vc(VcMask mask, unsigned first, F&& f) {
  for (VcMask rest = mask; rest; rest &= rest - 1) f(first + static_cast<unsigned>(std::countr_zero(rest)));
}

}  // namespace

void Unit::require_few_ports(const Topology& topology) {
  for (RouterId r = 0; r < topology.router_count(); ++r)
    if (topology.port_count(r) > kMostPorts)
      throw KeyError("recovery.protocol",
                     formatted("apcs: %1% has %2% ports, and a head can remember %3%; use another protocol, "
                               "or a topology with fewer ports per router",
                               topology.router_name(r), topology.port_count(r), kMostPorts),
                     {"network.topology"});
}

// A circuit needs both channels of a link: its flits take one, its control flits the other.
void Unit::channel_status_changed(Router& router, Cycle t, unsigned port, bool, bool faulty) {
  RouterState state = router.state();
  if (faulty)
    cut_port(router, t, port);
  else
    Circuits::port(state, port).resync_waits = !state.port_dead(port);
  expect_old_heads(router, t);
  router.set_recovery_active(true);
}

bool Unit::expect_old_heads(Router& router, Cycle t) const {
  bool any = false;
  for (unsigned port = 0; port < BreakUnit::network_ports(router); ++port)
    any |= refuses(router.state(), t, port);
  router.set_hooks(any ? kStrayHook | kHeadHook : hooks());
  return any;
}

bool Unit::flit_arrived(Router& router, Cycle t, unsigned id, const Flit& flit) {
  const RouterState& state = router.state();
  if (!is_head(flit.kind) || refuses(state, t, state.port_of(id))) return false;
  if (!waits()) router.set_recovery_active(true);
  return true;
}

void Unit::cut_port(Router& router, Cycle t, unsigned port) {
  RouterState state = router.state();
  const unsigned vcs = state.vcs();
  state.extras(port).resync_due = 0;
  CircuitPort& registers = Circuits::port(state, port);
  registers.resync_waits = false;
  // What was on a dead channel is lost.
  const PortArbiter& arbiter = state.arbiter(port);
  registers.old_until = arbiter.faulty && arbiter.input_faulty
                            ? 0
                            : t + std::max(state.port(port).out_delay, state.port(port).in_delay);
  for (unsigned id = 0; id < state.ids(); ++id) {
    if (state.input(id).output == kNoVc || state.output_port(id) != port) continue;
    if (state.input(id).flits_sent == 0)
      router.reroute(t, id);
    else
      cut(router, t, id);
  }
  BreakUnit::hold_port(router, port);
  for (unsigned id = port * vcs; id < (port + 1) * vcs; ++id)
    if (in_use(state, id)) tear_down(router, t, id, Tell::after);
  for (unsigned vc = 0; vc < vcs; ++vc) {
    router.flush_output(t, port * vcs + vc);
    Circuits::forget(state, port * vcs + vc);
  }
  registers.forward_kills = 0;
}

void Unit::cut(Router& router, Cycle t, unsigned id) {
  const RouterState& state = router.state();
  const MessageIndex packet =
      state.input(id).count > 0 ? state.front(id).message : Circuits::packet(state, id);
  if (packet != kNoMessage) router.context().broken.hit(packet, t);
  tear_down(router, t, id, Tell::before);
}

void Unit::tear_down(Router& router, Cycle t, unsigned id, Tell whom) {
  RouterState state = router.state();
  const unsigned output_id = state.input(id).output;
  if (output_id != kNoVc && state.input(id).flits_sent > 0 &&
      !state.arbiter(state.port_of(output_id)).unlimited) {
    router.discard_output(output_id);
    const unsigned port = state.port_of(output_id);
    if (whom == Tell::after && port < BreakUnit::network_ports(router) && !state.port_dead(port)) {
      Circuits::kill_onward(state, t, output_id);
      router.hold(output_id, true);
    }
  }
  if (whom == Tell::before) Circuits::go_back(state, &CircuitPort::kills, id);
  router.flush_input(t, id);
}

void Unit::killed_from_source(Router& router, Cycle t, unsigned id) {
  RouterState state = router.state();
  Circuits::forget(state, id);
  if (in_use(state, id)) tear_down(router, t, id, Tell::after);
  const unsigned port = state.port_of(id);
  if (refuses(state, t, port)) return;  // RESYNC follows when both channels of the link are back
  state.extras(port).resync_due |= VcMask{1} << state.vc_of(id);
  router.set_recovery_active(true);
}

// Once data has followed the head, the head cannot come back.
void Unit::head_came_back(Router& router, Cycle t, unsigned id) {
  const RouterState& state = router.state();
  if (state.input(id).flits_sent > 1) {
    // In a network without faults all channels were busy.
    if (waits() || router.context().faults.count() > 0)
      cut(router, t, id);
    else
      tear_down(router, t, id, Tell::before);
  } else if (Circuits::packet(state, id) != kNoMessage) {  // else a kill from the source is on its way here
    Circuits::take_back(router.state(), t, id);
    router.set_recovery_active(true);
  }
}

void Unit::control_arrived(Router& router, Cycle t, unsigned port, bool input_side) {
  if (port >= BreakUnit::network_ports(router)) return;
  RouterState state = router.state();
  const unsigned first = port * state.vcs();
  if (input_side) {
    for_each_vc(state.channels(port).in->take(ControlLine::forward_kill, t), first,
                [&](unsigned id) { killed_from_source(router, t, id); });
    return;
  }
  Channel& out = *state.channels(port).out;
  const auto for_each_owner = [&](ControlLine line, auto&& f) {
    for_each_vc(out.take(line, t), first, [&](unsigned output_id) {
      const unsigned owner = state.output(output_id).owner;
      if (owner != kNoVc) f(owner);
    });
  };
  for_each_owner(ControlLine::backward_kill, [&](unsigned id) { tear_down(router, t, id, Tell::before); });
  for_each_owner(ControlLine::backtrack, [&](unsigned id) { head_came_back(router, t, id); });
  if (state.layout().scouting > 0) {
    for_each_vc(out.take(ControlLine::advance, t), first,
                [&](unsigned output_id) { Circuits::advanced(state, output_id, false); });
    for_each_vc(out.take(ControlLine::reached, t), first,
                [&](unsigned output_id) { Circuits::advanced(state, output_id, true); });
  }
  if (refuses(state, t, port))
    out.take(ControlLine::resynchronise, t);  // raised before the fault
  else
    break_.control_arrived(router, t, port, input_side);
}

// A head alone in its virtual channel goes back to the previous router, unless this is its source.
void Unit::head_waited(BreakUnit&, Router& router, Cycle t, unsigned id, bool no_route) {
  RouterState state = router.state();
  if (!no_route || state.input(id).count > 1 || state.port_of(id) == state.layout().local_port) {
    // Where no port is dead, all were busy: no fault has hit the message.
    if (waits() || !no_route || state.header().any_faulty)
      cut(router, t, id);
    else
      tear_down(router, t, id, Tell::before);
    return;
  }
  router.drop_head(t, id);
  Circuits::go_back(state, &CircuitPort::backtracks, id);
}

bool Unit::turn_back_heads(Router& router, Cycle t) {
  RouterState state = router.state();
  bool any = false;
  for (unsigned id = 0; id < state.ids(); ++id) {
    // A head that waits for its tail (store-and-forward) is not pending yet.
    if (state.input(id).count == 0 || state.input(id).output != kNoVc) continue;
    any = true;
    if (!(state.masks(id / kWordBits).pending & RouterState::bit_of(id))) continue;
    const HeadRoute& route = state.route(id);
    if (route.stage != PipelineStage::vc_allocation || t <= route.ready) continue;
    const Probes::Found found = Probes::look(state, id);
    if (found == Probes::Found::free || found == Probes::Found::dead_end) continue;
    const bool alone = state.input(id).count == 1 && state.port_of(id) != state.layout().local_port;
    if (busy_ == AtBusy::backtrack && alone) {
      router.drop_head(t, id);
      Circuits::go_back(state, &CircuitPort::backtracks, id);
    } else {
      tear_down(router, t, id, Tell::before);
    }
  }
  return any;
}

void Unit::hold_dead_ports(Router& router) const {
  RouterState state = router.state();
  for (unsigned port = 0; port < BreakUnit::network_ports(router); ++port) {
    if (!state.port_dead(port)) continue;
    state.extras(port).resync_due = 0;
    BreakUnit::hold_port(router, port);
    router.set_hooks(kStrayHook | kHeadHook);
    router.set_recovery_active(true);
  }
}

void Unit::router_reset(Router& router) {
  break_.router_reset(router);
  hold_dead_ports(router);
}

void Unit::router_repaired(Router& router) {
  break_.router_repaired(router);
  hold_dead_ports(router);
}

void Unit::evaluate(Router& router, Cycle t) {
  RouterState state = router.state();
  for (unsigned port = 0; port < BreakUnit::network_ports(router); ++port) {
    CircuitPort& registers = Circuits::port(state, port);
    if (!registers.resync_waits || t < registers.old_until) continue;
    registers.resync_waits = false;
    state.extras(port).resync_due = low_bits(state.vcs());
  }
  break_.evaluate(router, t);
  const bool refusing = expect_old_heads(router, t);
  const bool turning = !waits() && turn_back_heads(router, t);
  if (refusing || turning) router.set_recovery_active(true);
}

}  // namespace flitmend::apcs
