// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/tail_signals.h"

#include <bit>
#include <utility>

namespace flitmend {
namespace {

/// Sends a signal upstream from an input virtual channel.
void announce(RouterState& state, Cycle t, unsigned id, Word* TailRings::*signal) {
  const TailWires& wires = state.tail_wires(state.port_of(id));
  wires.announce(wires.rings.*signal, static_cast<unsigned>(t + wires.delay) & (state.layout().ring - 1), id);
}

}  // namespace

void TailSignals::answer(RouterState& state, Cycle t, unsigned id) {
  VcMask& owed = state.tail_port(state.port_of(id)).owed;
  const VcMask bit = VcMask{1} << state.vc_of(id);
  if (!(owed & bit)) return;
  owed &= ~bit;
  announce(state, t, id, &TailRings::gone);
}

void TailSignals::arrived(RouterState& state, Cycle t, unsigned id) {
  state.tail_port(state.port_of(id)).owed |= VcMask{1} << state.vc_of(id);
  announce(state, t, id, &TailRings::received);
}

// With unlimited ejection the cycle in which the interface consumes the tail is known, and tail_gone leaves
// in that cycle. If the router dies before, the signal is lost with the channel, as the tail is.
void TailSignals::crossed(RouterState& state, Cycle t, unsigned id, unsigned output_id, const Flit& tail) {
  const RouterLayout& layout = state.layout();
  const unsigned port = state.port_of(output_id);
  if (state.arbiter(port).unlimited) {
    answer(state, t + layout.ejection_cycles, id);
    return;
  }
  const bool owed = state.tail_port(state.port_of(id)).owed >> state.vc_of(id) & 1;
  state.tail_shadow(output_id) = {shadow_register(layout.messages, tail.message, flits_before_end(tail)),
                                  owed ? static_cast<std::uint16_t>(id) : kNoVc};
  state.tail_port(port).lingering |= VcMask{1} << state.vc_of(output_id);
}

void TailSignals::take_signals(RouterState& state, Cycle t, unsigned slot) {
  const auto take = [&](Word received, Word gone, unsigned first) {
    for (Word rest = received; rest; rest &= rest - 1) {
      ++state.tail_pulses().received;
      const unsigned output_id = first + static_cast<unsigned>(std::countr_zero(rest));
      if (!state.lingering(output_id)) continue;
      const unsigned came_from = std::exchange(state.tail_shadow(output_id).came_from, kNoVc);
      if (came_from != kNoVc) answer(state, t, came_from);
    }
    for (Word rest = gone; rest; rest &= rest - 1) {
      ++state.tail_pulses().gone;
      release(state, t, first + static_cast<unsigned>(std::countr_zero(rest)));
    }
  };
  const RouterLayout& layout = state.layout();
  if (layout.vc_words == 1) {
    take(std::exchange(state.arriving(Arrival::tail_received)[slot], 0),
         std::exchange(state.arriving(Arrival::tail_gone)[slot], 0), 0);
    return;
  }
  for (unsigned port = 0; port < layout.ports; ++port)
    take(std::exchange(state.vc_place(Arrival::tail_received, port).ring[slot], 0),
         std::exchange(state.vc_place(Arrival::tail_gone, port).ring[slot], 0), port * state.vcs());
}

void TailSignals::release(RouterState& state, Cycle t, unsigned output_id) {
  if (!state.lingering(output_id)) return;
  state.tail_port(state.port_of(output_id)).lingering &= ~(VcMask{1} << state.vc_of(output_id));
  const unsigned came_from = std::exchange(state.tail_shadow(output_id).came_from, kNoVc);
  if (came_from != kNoVc) answer(state, t, came_from);
}

void TailSignals::forget_upstream(RouterState& state, unsigned port) {
  state.tail_port(port).owed = 0;
  for (unsigned output_id = 0; output_id < state.ids(); ++output_id) {
    std::uint16_t& came_from = state.tail_shadow(output_id).came_from;
    if (came_from != kNoVc && state.port_of(came_from) == port) came_from = kNoVc;
  }
}

}  // namespace flitmend
