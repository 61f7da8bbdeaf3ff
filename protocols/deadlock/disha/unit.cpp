// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/disha/unit.h"

#include <bit>
#include <utility>

#include "protocols/deadlock/disha/disha.h"
#include "rtl_tlm/mechanisms/deadlock_lane/deadlock_lane.h"
#include "rtl_tlm/mechanisms/deadlock_lane/lane_counters.h"
#include "rtl_tlm/mechanisms/deadlock_lane/token_observer.h"
#include "rtl_tlm/node/network_interface.h"

namespace flitmend {

DishaUnit::DishaUnit(const Disha& disha, Router& router)
    : disha_(disha),
      context_(router.context()),
      network_ids_(static_cast<unsigned>(context_.topology.port_count(router.id()) * router.state().vcs())) {
  power_up(router);
}

void DishaUnit::power_up(Router& router) {
  const bool first = router.id() == 0;
  RouterState state = router.state();
  DeadlockLane::registers(state).token = first;
  router.set_recovery_active(first);
}

void DishaUnit::router_reset(Router& router) {
  power_up(router);
}

bool DishaUnit::flit_arrived(Router& router, Cycle, unsigned, const Flit&) {
  router.set_recovery_active(true);
  return true;
}

void DishaUnit::control_arrived(Router& router, Cycle t, unsigned port, bool input_side) {
  if (!input_side) return;
  RouterState state = router.state();
  Channel& in = *state.channels(port).in;
  if (in.take(ControlLine::lane, t)) DeadlockLane::receive(state, t, port);
  if (in.take(ControlLine::token, t)) {
    DeadlockLane::registers(state).token = true;
    DeadlockLane::registers(state).token_from = static_cast<std::uint16_t>(port);
  }
  router.set_recovery_active(true);
}

void DishaUnit::evaluate(Router& router, Cycle t) {
  RouterState state = router.state();
  DeadlockLane::give_back_port(state);
  if (DeadlockLane::registers(state).full) empty_deadlock_buffer(state, t);
  if (DeadlockLane::registers(state).recovering != kNoVc) fill_deadlock_buffer(state, t);
  time_heads(state);
  if (DeadlockLane::registers(state).token) pass_token(state, t);
  router.set_recovery_active(busy(state));
}

void DishaUnit::empty_deadlock_buffer(RouterState& state, Cycle t) {
  LaneState& lane = DeadlockLane::registers(state);
  const Flit flit = lane.flit;
  if (is_head(flit.kind)) {
    const NodeId destination = context_.messages[flit.message].destination;
    const RouterId here = state.header().id;
    lane.output = static_cast<std::uint16_t>(destination == here ? state.layout().local_port
                                                                 : disha_.lane_port(here, destination));
  }
  const unsigned port = lane.output;
  if (is_tail(flit.kind)) lane.output = kNoVc;
  if (port != state.layout().local_port) {
    DeadlockLane::send(state, t, port);
    return;
  }
  lane.full = false;
  if (is_tail(flit.kind)) {
    lane.token = true;
    lane.token_from = kNoVc;
  }
  state.header().interface->eject(t, t + state.layout().ejection_cycles, flit);
}

void DishaUnit::fill_deadlock_buffer(RouterState& state, Cycle t) {
  LaneState& lane = DeadlockLane::registers(state);
  const unsigned id = lane.recovering;
  if (state.route_fsm(id) != RouteFsm::lane) {
    const bool waits =
        state.route_fsm(id) == RouteFsm::needs_route && state.route(id).stage == PipelineStage::vc_allocation;
    if (!waits) {  // it has got an output virtual channel since it captured the token
      lane.recovering = kNoVc;
      lane.token = true;
      return;
    }
    DeadlockLane::divert(state, id);
    ++context_.shared<LaneCounters>().messages;
  }
  if (state.input(id).count == 0) return;
  const bool tail = is_tail(state.front(id).kind);
  DeadlockLane::take(state, t, id);
  if (tail) lane.recovering = kNoVc;
}

Word DishaUnit::timed(const RouterState& state, unsigned word) const {
  const unsigned before = word * kWordBits;
  return network_ids_ > before ? state.masks(word).pending & low_bits(network_ids_ - before) : 0;
}

void DishaUnit::time_heads(RouterState& state) {
  const unsigned timeout = context_.hardware.deadlock_timeout;
  for (unsigned w = 0; w < state.layout().vc_words; ++w)
    for (Word rest = timed(state, w); rest; rest &= rest - 1) {
      HeadRoute& route = state.route(w * kWordBits + static_cast<unsigned>(std::countr_zero(rest)));
      if (route.stage != PipelineStage::vc_allocation)
        route.waited = 0;
      else if (route.waited < 0xffff && ++route.waited == timeout)
        ++context_.shared<LaneCounters>().timeouts;
    }
}

unsigned DishaUnit::longest_waiting(const RouterState& state) const {
  unsigned longest = kNoVc, cycles = context_.hardware.deadlock_timeout - 1;
  for (unsigned w = 0; w < state.layout().vc_words; ++w)
    for (Word rest = timed(state, w); rest; rest &= rest - 1) {
      const unsigned id = w * kWordBits + static_cast<unsigned>(std::countr_zero(rest));
      const HeadRoute& route = state.route(id);
      if (route.stage != PipelineStage::vc_allocation || route.waited <= cycles) continue;
      longest = id;
      cycles = route.waited;
    }
  return longest;
}

void DishaUnit::pass_token(RouterState& state, Cycle t) {
  LaneState& lane = DeadlockLane::registers(state);
  const RouterId here = state.header().id;
  if (const unsigned id = longest_waiting(state); id != kNoVc) {
    lane.token = false;
    lane.recovering = static_cast<std::uint16_t>(id);
    ++context_.shared<LaneCounters>().captures;
    for (TokenObserver* observer : context_.shared<TokenObservers>()) observer->token_captured(t, here, id);
    return;
  }
  const Word ports = disha_.tour_ports(here);
  if (ports == 0) return;  // the only router
  const Word after = lane.token_from == kNoVc ? ports : ports & ~low_bits(lane.token_from + 1u);
  const auto port = static_cast<unsigned>(std::countr_zero(after ? after : ports));
  Channel& out = *state.channels(port).out;
  out.raise_at(ControlLine::token, t + out.latency(), 1);
  lane.token = false;
}

bool DishaUnit::busy(const RouterState& state) const {
  const LaneState& lane = DeadlockLane::registers(state);
  Word work = lane.full || lane.recovering != kNoVc || lane.withheld != kNoVc;
  for (unsigned w = 0; w < state.layout().vc_words; ++w)
    work |= state.masks(w).occupied | state.masks(w).pending;
  return work != 0;
}

}  // namespace flitmend
