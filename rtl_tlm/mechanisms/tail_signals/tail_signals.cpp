// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/mechanisms/tail_signals/tail_signals.h"

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
    TailGates& gates = state.tail_gates(first / kWordBits);
    for (Word rest = received; rest; rest &= rest - 1) {
      ++gates.received;
      const unsigned output_id = first + static_cast<unsigned>(std::countr_zero(rest));
      if (!state.lingering(output_id)) continue;
      const unsigned came_from = std::exchange(state.tail_shadow(output_id).came_from, kNoVc);
      if (came_from != kNoVc) answer(state, t, came_from);
    }
    for (Word rest = gone; rest; rest &= rest - 1) {
      ++gates.gone;
      release(state, t, first + static_cast<unsigned>(std::countr_zero(rest)));
    }
  };
  for (unsigned w = 0; w < state.layout().arrival_words; ++w)
    take(std::exchange(state.arriving(Arrival::tail_received, w)[slot], 0),
         std::exchange(state.arriving(Arrival::tail_gone, w)[slot], 0), state.first_arrival(w));
}

void TailSignals::release(RouterState& state, Cycle t, unsigned output_id) {
  if (!state.lingering(output_id)) return;
  state.tail_port(state.port_of(output_id)).lingering &= ~(VcMask{1} << state.vc_of(output_id));
  const unsigned came_from = std::exchange(state.tail_shadow(output_id).came_from, kNoVc);
  if (came_from != kNoVc) answer(state, t, came_from);
  const unsigned owner = state.output(output_id).owner;
  if (owner == kNoVc) return;
  TailGates& gates = state.tail_gates(owner / kWordBits);
  gates.closed &= ~RouterState::bit_of(owner);
  gates.waiting &= ~RouterState::bit_of(owner);
}

void TailSignals::forget_upstream(RouterState& state, unsigned port) {
  state.tail_port(port).owed = 0;
  for (unsigned output_id = 0; output_id < state.ids(); ++output_id) {
    std::uint16_t& came_from = state.tail_shadow(output_id).came_from;
    if (came_from != kNoVc && state.port_of(came_from) == port) came_from = kNoVc;
  }
}

void TailSignals::granted(RouterState& state, unsigned id, unsigned output_id) {
  TailGates& gates = state.tail_gates(id / kWordBits);
  const Word bit = RouterState::bit_of(id);
  gates.closed = state.lingering(output_id) ? gates.closed | bit : gates.closed & ~bit;
  gates.waiting &= ~bit;
}

Word TailSignals::hold_tails(RouterState& state, unsigned word, Word gated) {
  TailGates& gates = state.tail_gates(word);
  Word tails = 0;
  for (Word rest = gated; rest; rest &= rest - 1)
    if (is_tail(state.front(word * kWordBits + static_cast<unsigned>(std::countr_zero(rest))).kind))
      tails |= rest & -rest;
  gates.waits += static_cast<unsigned>(std::popcount(tails & ~gates.waiting));
  gates.cycles += static_cast<unsigned>(std::popcount(tails));
  gates.waiting |= tails;
  return tails;
}

}  // namespace flitmend
