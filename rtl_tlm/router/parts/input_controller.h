// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rtl_tlm/registers/virtual_channel.h"
#include "rtl_tlm/signals/channel.h"

namespace flitmend {

/// The input controller of a port [SBRP Fig. 42]: moves flits from its channel to the input buffer of their
/// virtual channel, starts route computation for heads, and returns credits. Functions that handle a flit use
/// only the router's registers, so they are static.
class InputController {
 public:
  InputController(const RouterState& state, unsigned port) : state_(state), port_(port) {}

  unsigned port() const { return port_; }
  unsigned vc_count() const { return state_.vcs(); }
  VirtualChannel vc(unsigned i) const { return {state_, port_ * state_.vcs() + i}; }

  // kOneWord: the router's masks take one word each. kPlainBuffers: no mechanism changes its buffers, so the
  // input buffer holds what has arrived and nothing else, and no mechanism has a hook for heads.

  /// Puts a flit into the buffer of a virtual channel. A full buffer or a body flit without a head is a model
  /// error (sc_report "flitmend/protocol").
  template <bool kOneWord = false, bool kPlainBuffers = false>
  static void accept(RouterState& state, Cycle t, unsigned id, const Flit& flit) {
    state.masks_of<kOneWord>(id).occupied |= RouterState::bit_of(id);
    store<kOneWord, kPlainBuffers>(state, t, id, flit);
  }
  /// The same, but the caller marks the buffer as occupied.
  template <bool kOneWord, bool kPlainBuffers>
  [[gnu::always_inline]] static void store(RouterState& state, Cycle t, unsigned id, const Flit& flit) {
    const auto slots = static_cast<unsigned>(state.layout().input_slots);
    InputVcState& vc = state.input(id);
    if (state.room<kPlainBuffers>(id) == 0) [[unlikely]]
      overflow(state, t, state.port_of(id), flit);
    // An emptied buffer restarts at its first slot, so that a lightly loaded buffer touches little memory.
    const unsigned held = kPlainBuffers ? vc.count : vc.count | state.sent_slots(id);
    const unsigned first = held != 0 ? vc.first : 0u;
    vc.first = static_cast<std::uint16_t>(first);
    unsigned place = first + vc.count;
    if (place >= slots) place -= slots;
    state.input_buffer_at(id, place) = flit;
    ++vc.count;
    const VcMasks& masks = state.masks_of<kOneWord>(id);
    if (((masks.pending | masks.routed) & RouterState::bit_of(id)) == 0 && !state.absorbing(id))
      start_route_computation<kOneWord, kPlainBuffers>(state, t, id);
  }

  /// Takes the front flit out of a buffer. Its slot keeps the value until it is reused. The caller returns
  /// the credit.
  template <bool kOneWord = false>
  [[gnu::always_inline]] static const Flit& pop(RouterState& state, unsigned id) {
    InputVcState& vc = state.input(id);
    const Flit& flit = state.input_buffer_at(id, vc.first);
    const unsigned left = vc.count - 1u;
    vc.count = static_cast<std::uint16_t>(left);
    state.masks_of<kOneWord>(id).occupied &= ~(Word{left == 0} << (id % kWordBits));
    const bool wraps = vc.first + 1u == state.layout().input_slots;
    vc.first = static_cast<std::uint16_t>(wraps ? 0 : vc.first + 1u);
    return flit;
  }

  /// A head at the front of an idle virtual channel requests a route from cycle t on;
  /// RouterCycle::compute_route computes it. Not inlined: in RouterCycle it would cost every flit CPU
  /// registers.
  template <bool kOneWord = false, bool kPlainBuffers = false>
  [[gnu::noinline]] static void start_route_computation(RouterState state, Cycle t, unsigned id) {
    const RouterLayout& layout = state.layout();
    InputVcState& vc = state.input(id);
    HeadRoute& route = state.route(id);
    const Flit& head = state.input_buffer_at(id, vc.first);
    if (!is_head(head.kind)) [[unlikely]]
      orphan(state, t, state.port_of(id), head);
    if (layout.switching == Switching::store_and_forward && !whole(state, id)) return;
    route.stage = PipelineStage::routing;
    route.ready = t + layout.routing_cycles;
    route.waited = 0;
    vc.flits_sent = 0;
    if (layout.has_head_copies) {
      state.head_copy(id) = {head.message, layout.messages[head.message].head_state,
                             layout.messages[head.message].hops};
      if (!kPlainBuffers && layout.before_routing) layout.before_routing(state, id);
    }
    state.masks_of<kOneWord>(id).pending |= RouterState::bit_of(id);
  }

  /// Returns the route FSM of a virtual channel to IDLE. The next head, if any, requests a route from cycle t
  /// on.
  template <bool kOneWord = false, bool kPlainBuffers = false>
  static void to_idle(RouterState& state, Cycle t, unsigned id) {
    InputVcState& vc = state.input(id);
    drop_route<kOneWord>(state, id);
    if (vc.count > 0) start_route_computation<kOneWord, kPlainBuffers>(state, t, id);
  }
  /// Withdraws its requests; it no longer holds an output.
  template <bool kOneWord = false>
  static void drop_route(RouterState& state, unsigned id) {
    VcMasks& masks = state.masks_of<kOneWord>(id);
    std::uint16_t& output = state.input(id).output;
    const Word others = ~RouterState::bit_of(id);
    if (output != kNoVc && (kOneWord || state.layout().vc_words == 1))
      state.wanted()[state.port_of(output)] &= others;
    output = kNoVc;
    masks.pending &= others;
    masks.routed &= others;
    masks.has_credit &= others;
    masks.bypasses_allocation &= others;
  }

  [[gnu::always_inline]] static void return_credit(RouterState& state, Cycle t, unsigned id) {
    const PortState& port = state.port(state.port_of(id));
    if (port.in_vcs)
      port.announce_credit(static_cast<unsigned>(t + port.in_delay) & (state.layout().ring - 1), id);
  }

 private:
  /// Store and forward: whether the message at the front is in the buffer up to its tail, real or broken.
  static bool whole(const RouterState& state, unsigned id) {
    const InputVcState& vc = state.input(id);
    const Message& message = state.layout().messages[state.front(id).message];
    return vc.count >= message.length || (message.incomplete && has_tail(state, id));
  }
  [[gnu::noinline, gnu::cold]] static bool has_tail(const RouterState&, unsigned id);
  [[gnu::noinline, gnu::cold]] static void overflow(RouterState, Cycle, unsigned port, const Flit&);
  [[gnu::noinline, gnu::cold]] static void orphan(RouterState, Cycle, unsigned port, const Flit&);

  const RouterState& state_;
  unsigned port_;
};

}  // namespace flitmend
