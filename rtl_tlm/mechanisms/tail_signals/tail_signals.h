// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/registers/router_state.h"

namespace flitmend {

/// The hardware that remembers a message after its tail has left (LINGER): shadow registers of output virtual
/// channels, the signals tail_received and tail_gone, and what waits while a shadow register is in use: the
/// next head with output buffers, the next tail (at its gate) without. Let C, B and A be consecutive routers
/// on a message's path:
///
///   the tail leaves C      C's shadow register takes the head copy and the flit counter
///   it reaches B           B sends tail_received to C; C sends tail_gone upstream, if it owes one
///   it reaches A           A sends tail_received to B; B sends tail_gone to C, whose shadow register is free
///
/// A tail that a router discards is answered with tail_gone at once. For the last router A is its network
/// interface, which answers with tail_gone. Static functions on a router's registers; they exist only with
/// Mechanism::tail_signals.
class TailSignals {
 public:
  /// Whether routers have these registers.
  static bool built(const RouterLayout& layout) { return layout.has<rows::TailPorts>(); }
  static TailPort& at_port(RouterState& state, unsigned port) { return state.row<rows::TailPorts>()[port]; }
  static const TailPort& at_port(const RouterState& state, unsigned port) {
    return state.row<rows::TailPorts>()[port];
  }
  /// Of 64 input virtual channels.
  static TailGates& gates_of(RouterState& state, unsigned word) { return state.row<rows::TailWords>()[word]; }
  static const TailGates& gates_of(const RouterState& state, unsigned word) {
    return state.row<rows::TailWords>()[word];
  }
  static TailShadow& shadow(RouterState& state, unsigned output_id) {
    return state.row<rows::TailShadows>()[output_id];
  }
  static const TailShadow& shadow(const RouterState& state, unsigned output_id) {
    return state.row<rows::TailShadows>()[output_id];
  }
  /// Whether the shadow register of an output virtual channel is in use.
  static bool lingering(const RouterState& state, unsigned output_id) {
    return at_port(state, state.port_of(output_id)).lingering >> state.vc_of(output_id) & 1;
  }
  /// Whether a tail has arrived at an input virtual channel, and tail_gone has not been sent for it.
  static bool owed(const RouterState& state, unsigned input_id) {
    return at_port(state, state.port_of(input_id)).owed >> state.vc_of(input_id) & 1;
  }

  /// Shadow registers in use, and input virtual channels for which tail_gone has not been sent.
  static unsigned in_use(const RouterState&);

  /// A tail has arrived from the previous router or from the injector.
  static void arrived(RouterState&, Cycle t, unsigned input_id);
  /// A tail has crossed the crossbar.
  static void crossed(RouterState&, Cycle t, unsigned input_id, unsigned output_id, const Flit& tail);
  /// A tail has been discarded.
  static void discarded(RouterState& state, Cycle t, unsigned input_id) { answer(state, t, input_id); }

  /// The signals of this cycle, by output virtual channel.
  static void receive(RouterState& state, Cycle t, unsigned slot) {
    const Word any = state.arriving<rows::TailArrivals>(ControlLine::tail_received)[slot] |
                     state.arriving<rows::TailArrivals>(ControlLine::tail_gone)[slot];
    if (any != 0 || state.layout().vc_words > 1) take_signals(state, t, slot);
  }

  /// The free output virtual channels of a port that a head may take. With output buffers, only those whose
  /// shadow register is free: an output buffer ahead may hold that register indefinitely, and a tail that
  /// waits for it would keep virtual channels that the other message may need.
  static VcMask grantable(const RouterState& state, unsigned port, VcMask free) {
    return state.layout().output_buffer > 0 ? free & ~at_port(state, port).lingering : free;
  }
  /// The free output virtual channels whose shadow register is free too; all of them if there is none.
  static VcMask prefer(const RouterState& state, unsigned port, VcMask free) {
    const VcMask ready = free & ~at_port(state, port).lingering;
    return ready ? ready : free;
  }

  /// An input virtual channel has been granted an output virtual channel: closes its gate if the shadow
  /// register is in use.
  static void granted(RouterState&, unsigned input_id, unsigned output_id);
  /// The input virtual channels among `ready` (a word of them) that may request the switch: all but those
  /// with a tail at the front whose gate is closed. Counts the tails that wait.
  static Word admit(RouterState& state, unsigned word, Word ready) {
    const Word gated = ready & gates_of(state, word).closed;
    return gated == 0 ? ready : ready & ~hold_tails(state, word, gated);
  }

  /// Whether the flit at the front is a tail that waits at its gate.
  static bool holds_back(const RouterState& state, unsigned id) {
    return built(state.layout()) && (gates_of(state, id / kWordBits).closed & RouterState::bit_of(id)) != 0 &&
           is_tail(state.front(id).kind);
  }

  /// Frees a shadow register whose message can no longer be lost here, or has been requested again.
  /// Sends tail_gone upstream if it is owed.
  static void release(RouterState&, Cycle t, unsigned output_id);
  /// The channel that arrives at a port has failed: nobody waits for tail_gone there.
  static void forget_upstream(RouterState&, unsigned port);

 private:
  [[gnu::noinline]] static void take_signals(RouterState&, Cycle t, unsigned slot);
  /// Sends tail_gone upstream if it is owed, in cycle t.
  static void answer(RouterState&, Cycle t, unsigned input_id);
  [[gnu::noinline]] static Word hold_tails(RouterState&, unsigned word, Word gated);
};

}  // namespace flitmend
