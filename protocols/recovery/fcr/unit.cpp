// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/fcr/unit.h"

#include "rtl_tlm/node/network_interface.h"

namespace flitmend::fcr {

void Unit::control_arrived(Router& router, Cycle t, unsigned port, bool input_side) {
  break_.control_arrived(router, t, port, input_side);
  const RouterState& state = router.state();
  const PortChannels& channels = state.channels(port);
  const unsigned first = port * state.vcs();
  if (input_side && channels.in) {
    for (VcMask rest = channels.in->take(ControlLine::forward_kill, t); rest; rest &= rest - 1)
      kill_forward(router, t, first + static_cast<unsigned>(std::countr_zero(rest)));
  } else if (!input_side && channels.out) {
    const VcMask no_route = channels.out->take(ControlLine::no_route, t);
    for (VcMask rest = channels.out->take(ControlLine::backward_kill, t); rest; rest &= rest - 1) {
      const auto vc = static_cast<unsigned>(std::countr_zero(rest));
      backward_kill_arrived(router, t, first + vc, no_route >> vc & 1);
    }
  }
}

void Unit::cut(Router& router, Cycle t, unsigned id) {
  router.context().broken.hit(router.last_flit(id).message, t);
  kill_backward(router, t, id, false);
}

void Unit::cut_behind(Router& router, Cycle t, unsigned id) {
  router.context().broken.hit(router.last_flit(id).message, t);
  kill_forward(router, t, id);
}

void Unit::backward_kill_arrived(Router& router, Cycle t, unsigned output_id, bool no_route) {
  const RouterState& state = router.state();
  if (t < state.heeds_kill_from(output_id)) return;
  const unsigned owner = state.output(output_id).owner;
  if (owner == kNoVc)
    router.discard_output(output_id);  // the tail has crossed: nothing is left upstream
  else
    kill_backward(router, t, owner, no_route);
}

void Unit::kill_backward(Router& router, Cycle t, unsigned id, bool no_route) {
  const RouterState& state = router.state();
  if (state.absorbing(id)) return;
  if (router.awaits_tail(id)) send_backward_kill(router, t, id, no_route);
  const unsigned output_id = state.input(id).output;
  router.flush_input(t, id);
  if (output_id != kNoVc) router.discard_output(output_id);
}

void Unit::kill_forward(Router& router, Cycle t, unsigned id) {
  const RouterState& state = router.state();
  if (state.absorbing(id) || !router.awaits_tail(id)) return;
  const unsigned output_id = state.input(id).output;
  if (output_id != kNoVc && state.input(id).flits_sent > 0)
    send_forward_kill(router, t, output_id, router.last_flit(id).message);
  router.flush_input(t, id);
  if (output_id != kNoVc) router.discard_output(output_id);
}

void Unit::send_backward_kill(Router& router, Cycle t, unsigned id, bool no_route) {
  const RouterState& state = router.state();
  const unsigned port = state.port_of(id), vc = state.vc_of(id);
  Channel* const in = state.channels(port).in;
  if (!in) {
    state.header().interface->injector.killed(t, vc, no_route);
  } else if (!in->faulty(t)) {
    in->raise(ControlLine::backward_kill, t, VcMask{1} << vc);
    if (no_route) in->raise(ControlLine::no_route, t, VcMask{1} << vc);
  }
}

void Unit::send_forward_kill(Router& router, Cycle t, unsigned output_id, MessageIndex packet) {
  RouterState state = router.state();
  const RouterLayout& layout = state.layout();
  const unsigned port = state.port_of(output_id);
  Channel* const out = state.channels(port).out;
  if (state.arbiter(port).unlimited) {
    state.header().interface->kill(t, t + layout.ejection_cycles, packet);
  } else if (!out->faulty(t)) {
    // It follows the flits that have crossed and are on their way to the channel.
    const Cycle behind = layout.output_buffer > 0 ? 0 : layout.switch_cycles;
    out->raise(ControlLine::forward_kill, t + behind, VcMask{1} << state.vc_of(output_id));
    state.heeds_kill_from(output_id) = t + layout.kill_round_trip;
  }
}

}  // namespace flitmend::fcr
