// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/mechanisms/deadlock_lane/deadlock_lane.h"

#include <utility>

#include "base/text.h"
#include "rtl_tlm/mechanisms/deadlock_lane/lane_counters.h"
#include "rtl_tlm/router/parts/input_controller.h"
#include "rtl_tlm/router/parts/output_controller.h"

namespace flitmend {
namespace {

/// Calls f(id) for every input virtual channel that holds an output virtual channel of that port.
template <class F>
void for_each_routed_to(RouterState& state, unsigned port, F&& f) {
  for (unsigned id = 0; id < state.ids(); ++id)
    if (state.input(id).output != kNoVc && state.output_port(id) == port) f(id);
}

}  // namespace

void DeadlockLane::receive(RouterState& state, Cycle t, unsigned port) {
  LaneState& lane = registers(state);
  if (lane.full) overflow(state, t, port);
  lane.flit = state.arrived_flits(port)[t & (state.layout().ring - 1)];
  lane.full = true;
}

void DeadlockLane::take(RouterState& state, Cycle t, unsigned id) {
  LaneState& lane = registers(state);
  ++state.input(id).flits_sent;
  InputController::return_credit(state, t, id);
  lane.flit = InputController::pop(state, id);
  lane.full = true;
  ++state.layout().context.shared<LaneCounters>().flits;
  if (is_tail(lane.flit.kind)) InputController::to_idle(state, t + 1, id);
}

// With output buffers the flit takes the slot of the link's arbiter; without them it takes that of the switch
// allocator, and crosses the crossbar.
void DeadlockLane::send(RouterState& state, Cycle t, unsigned number) {
  const RouterLayout& layout = state.layout();
  LaneState& lane = registers(state);
  withhold_port(state, number);
  PortState& port = state.port(number);
  const Cycle arrival = t + port.out_delay - (layout.output_buffer > 0 ? layout.switch_cycles : 0);
  if (is_head(lane.flit.kind)) ++layout.messages[lane.flit.message].hops;
  lane.flit.vc = 0;
  port.out_registers[arrival & (layout.ring - 1)] = lane.flit;
  ++port.flits_sent;
  state.channels(number).out->raise_at(ControlLine::lane, arrival, 1);
  lane.full = false;
}

/// No virtual channel of the port may be allocated, and those that are have no credit to use.
void DeadlockLane::withhold_port(RouterState& state, unsigned port) {
  registers(state).withheld = static_cast<std::uint16_t>(port);
  state.extras(port).held_vcs = low_bits(state.vcs());
  if (state.layout().output_buffer > 0)
    for (unsigned vc = 0; vc < state.vcs(); ++vc) state.mark_unbuffered(port * state.vcs() + vc);
  for_each_routed_to(state, port,
                     [&](unsigned id) { state.masks_of(id).has_credit &= ~RouterState::bit_of(id); });
}

void DeadlockLane::give_back_port(RouterState& state) {
  const unsigned port = std::exchange(registers(state).withheld, kNoVc);
  if (port == kNoVc) return;
  state.extras(port).held_vcs = 0;
  for (unsigned vc = 0; vc < state.vcs(); ++vc)
    if (state.output_flits(port * state.vcs() + vc) > 0) state.mark_buffered(port * state.vcs() + vc);
  for_each_routed_to(state, port, [&](unsigned id) {
    if (OutputController::room(state, state.input(id).output) > 0)
      state.masks_of(id).has_credit |= RouterState::bit_of(id);
  });
}

void DeadlockLane::overflow(const RouterState& state, Cycle t, unsigned port) {
  SC_REPORT_FATAL("flitmend/protocol",
                  formatted("%1%: input port %2%: cycle %3%: a flit has arrived for the deadlock buffer, "
                            "which is full: there are two messages on the lane",
                            state.name(), port, t)
                      .c_str());
}

}  // namespace flitmend
