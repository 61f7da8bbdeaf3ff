// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/mechanisms/tail_signals/tail_signals.h"

#include <bit>
#include <memory>
#include <utility>

#include "rtl_tlm/mechanisms/tail_signals/injector_shadows.h"

namespace flitmend {

constinit const MechanismHooks rows::TailPorts::kHooks{
    .discarded =
        [](RouterState state, Cycle t, unsigned id, const Flit& flit) {
          if (is_tail(flit.kind)) TailSignals::discarded(state, t, id);
          return false;
        },
    .busy_vcs = TailSignals::in_use,
    .recovering = [](const RouterState& state) { return TailSignals::in_use(state) > 0; },
    .add_pulses =
        [](const RouterState& state, ControlLinePulses& pulses) {
          for (unsigned w = 0; w < state.layout().vc_words; ++w) {
            pulses[static_cast<unsigned>(ControlLine::tail_received)] +=
                TailSignals::gates_of(state, w).received;
            pulses[static_cast<unsigned>(ControlLine::tail_gone)] += TailSignals::gates_of(state, w).gone;
          }
        },
    .for_injector = [](const RouterState& router, InjectorGates& gates)
        -> std::unique_ptr<InjectorMechanism> { return std::make_unique<InjectorShadows>(router, gates); }};

namespace {

/// Sends a signal upstream from an input virtual channel.
template <ControlLine kLine>
void announce(RouterState& state, Cycle t, unsigned id) {
  const MaskWires& wires = state.mask_wires(state.port_of(id));
  wires.announce(kLine, static_cast<unsigned>(t + wires.delay) & (state.layout().ring - 1), id);
}

}  // namespace

unsigned TailSignals::in_use(const RouterState& state) {
  int vcs = 0;
  for (unsigned p = 0; p < state.ports(); ++p)
    vcs += std::popcount(at_port(state, p).lingering) + std::popcount(at_port(state, p).owed);
  return static_cast<unsigned>(vcs);
}

void TailSignals::answer(RouterState& state, Cycle t, unsigned id) {
  VcMask& owed = at_port(state, state.port_of(id)).owed;
  const VcMask bit = VcMask{1} << state.vc_of(id);
  if (!(owed & bit)) return;
  owed &= ~bit;
  announce<ControlLine::tail_gone>(state, t, id);
}

void TailSignals::arrived(RouterState& state, Cycle t, unsigned id) {
  at_port(state, state.port_of(id)).owed |= VcMask{1} << state.vc_of(id);
  announce<ControlLine::tail_received>(state, t, id);
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
  const bool owed = at_port(state, state.port_of(id)).owed >> state.vc_of(id) & 1;
  shadow(state, output_id) = {sent_packet(layout.messages, tail.message, flits_before_end(tail)),
                              owed ? static_cast<std::uint16_t>(id) : kNoVc};
  at_port(state, port).lingering |= VcMask{1} << state.vc_of(output_id);
}

void TailSignals::take_signals(RouterState& state, Cycle t, unsigned slot) {
  const auto take = [&](Word received, Word gone, unsigned first) {
    TailGates& gates = gates_of(state, first / kWordBits);
    for (Word rest = received; rest; rest &= rest - 1) {
      ++gates.received;
      const unsigned output_id = first + static_cast<unsigned>(std::countr_zero(rest));
      if (!lingering(state, output_id)) continue;
      const unsigned came_from = std::exchange(shadow(state, output_id).came_from, kNoVc);
      if (came_from != kNoVc) answer(state, t, came_from);
    }
    for (Word rest = gone; rest; rest &= rest - 1) {
      ++gates.gone;
      release(state, t, first + static_cast<unsigned>(std::countr_zero(rest)));
    }
  };
  for (unsigned w = 0; w < state.layout().arrival_words; ++w)
    take(std::exchange(state.arriving<rows::TailArrivals>(ControlLine::tail_received, w)[slot], 0),
         std::exchange(state.arriving<rows::TailArrivals>(ControlLine::tail_gone, w)[slot], 0),
         state.first_arrival(w));
}

void TailSignals::release(RouterState& state, Cycle t, unsigned output_id) {
  if (!lingering(state, output_id)) return;
  at_port(state, state.port_of(output_id)).lingering &= ~(VcMask{1} << state.vc_of(output_id));
  const unsigned came_from = std::exchange(shadow(state, output_id).came_from, kNoVc);
  if (came_from != kNoVc) answer(state, t, came_from);
  const unsigned owner = state.output(output_id).owner;
  if (owner == kNoVc) return;
  TailGates& gates = gates_of(state, owner / kWordBits);
  gates.closed &= ~RouterState::bit_of(owner);
  gates.waiting &= ~RouterState::bit_of(owner);
}

void TailSignals::forget_upstream(RouterState& state, unsigned port) {
  at_port(state, port).owed = 0;
  for (unsigned output_id = 0; output_id < state.ids(); ++output_id) {
    std::uint16_t& came_from = shadow(state, output_id).came_from;
    if (came_from != kNoVc && state.port_of(came_from) == port) came_from = kNoVc;
  }
}

void TailSignals::granted(RouterState& state, unsigned id, unsigned output_id) {
  TailGates& gates = gates_of(state, id / kWordBits);
  const Word bit = RouterState::bit_of(id);
  gates.closed = lingering(state, output_id) ? gates.closed | bit : gates.closed & ~bit;
  gates.waiting &= ~bit;
}

Word TailSignals::hold_tails(RouterState& state, unsigned word, Word gated) {
  TailGates& gates = gates_of(state, word);
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
