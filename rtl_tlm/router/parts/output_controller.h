// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>

#include "rtl_tlm/registers/router_state.h"
#include "rtl_tlm/signals/channel.h"

namespace flitmend {

/// The output controller of a port: owner and credits of each output virtual channel, output buffers if the
/// hardware has them, and the arbiter of the link (round robin over virtual channels, or Precedence).
/// Functions that handle flits and credits use only the router's registers, so they are static.
class OutputController {
 public:
  OutputController(const RouterState& state, unsigned port) : state_(state), port_(port) {}

  unsigned port() const { return port_; }
  /// Whether this is a local port that consumes every flit at once, without virtual channel allocation and
  /// credits.
  bool unlimited() const { return state_.arbiter(port_).unlimited; }
  const OutputVcState& vc(unsigned i) const { return state_.output(port_ * state_.vcs() + i); }
  unsigned output_buffer(unsigned i) const { return state_.output_flits(port_ * state_.vcs() + i); }
  std::uint64_t flits_sent() const { return state_.port(port_).flits_sent; }
  /// Input virtual channel of the flit that last crossed to this output, and the cycle: granted_input in
  /// waves.
  unsigned granted_input() const { return state_.port(port_).granted_input(); }
  Cycle granted_at() const { return state_.port(port_).granted_at(); }

  // kOneWord: the router's masks take one word each. kUnbuffered: it has no output buffers.

  /// A credit for an output virtual channel has arrived.
  template <bool kOneWord, bool kUnbuffered>
  [[gnu::always_inline]] static void credit(RouterState& state, unsigned output_id) {
    count_credit<kOneWord, kUnbuffered>(state, output_id);
    if (state.layout().atomic) [[unlikely]]
      free_again(state, output_id);
  }
  template <bool kOneWord, bool kUnbuffered>
  [[gnu::always_inline]] static void count_credit(RouterState& state, unsigned output_id) {
    OutputVcState& out = state.output(output_id);
    if (++out.credits > 1) [[likely]]
      return;
    // The owner, if any, may send again.
    if (out.owner != kNoVc && (kUnbuffered || state.layout().output_buffer == 0))
      state.masks_of<kOneWord>(out.owner).has_credit |= RouterState::bit_of(out.owner);
  }
  /// Atomic reallocation: an output virtual channel becomes free when it has no owner and all flits have left
  /// it.
  [[gnu::noinline]] static void free_again(RouterState state, unsigned output_id) {
    if (state.output(output_id).owner == kNoVc && !reserved(state, output_id))
      state.free_vcs(state.port_of(output_id)) |= VcMask{1} << state.vc_of(output_id);
  }

  /// Output virtual channels that can be allocated to a message of this length now. kPlain: no recovery unit
  /// holds any.
  template <bool kPlain = false>
  static VcMask available(const RouterState& state, unsigned port, VcMask vcs, std::uint32_t length) {
    VcMask free = vcs & state.free_vcs(port);
    if (!kPlain) free &= ~state.extras(port).held_vcs;
    if (!state.layout().whole_messages() || state.arbiter(port).unlimited) return free;
    for (VcMask rest = free; rest; rest &= rest - 1) {
      const unsigned vc = static_cast<unsigned>(std::countr_zero(rest));
      if (room(state, port * state.vcs() + vc) < length) free &= ~(VcMask{1} << vc);
    }
    return free;
  }

  /// Allocates an output virtual channel to an input virtual channel, until the tail has crossed.
  template <bool kOneWord>
  [[gnu::always_inline]] static void reserve(RouterState& state, unsigned output_id, unsigned input_id) {
    const unsigned port = state.port_of(output_id);
    VcMasks& masks = state.masks_of<kOneWord>(input_id);
    if (state.arbiter(port).unlimited) {
      masks.has_credit |= RouterState::bit_of(input_id);
      masks.bypasses_allocation |= RouterState::bit_of(input_id);
      return;
    }
    state.output(output_id).owner = static_cast<std::uint16_t>(input_id);
    state.free_vcs(port) &= ~(VcMask{1} << state.vc_of(output_id));
    if (room(state, output_id) > 0) masks.has_credit |= RouterState::bit_of(input_id);
  }
  /// Releases it. The virtual channel is free at once or, with atomic reallocation, when all flits have left
  /// it.
  static void release(RouterState& state, unsigned output_id) {
    const unsigned port = state.port_of(output_id);
    if (state.arbiter(port).unlimited) return;
    state.output(output_id).owner = kNoVc;
    if (!state.layout().atomic || !reserved(state, output_id))
      state.free_vcs(port) |= VcMask{1} << state.vc_of(output_id);
  }

  /// A flit that has won the switch goes onto the link, or into the output buffer. Returns its register
  /// there, which the caller fills in.
  template <bool kOneWord>
  [[gnu::always_inline]] static Flit& send_to_link(RouterState& state, Cycle t, unsigned port_number,
                                                   unsigned output_id, unsigned input_id) {
    PortState& port = state.port(port_number);
    port.grant(t, input_id);
    const unsigned credits = state.output(output_id).credits - 1u;
    state.output(output_id).credits = static_cast<std::uint16_t>(credits);
    state.masks_of<kOneWord>(input_id).has_credit &= ~(Word{credits == 0} << (input_id % kWordBits));
    ++port.flits_sent;
    const unsigned slot = static_cast<unsigned>((t + port.out_delay) & (state.layout().ring - 1));
    port.announce_flit(slot, output_id);
    return port.out_registers[slot];
  }
  static Flit& send_to_buffer(RouterState& state, Cycle t, unsigned port, unsigned output_id,
                              unsigned input_id) {
    const RouterLayout& layout = state.layout();
    state.port(port).grant(t, input_id);
    OutputBufferState& buffer = state.output_buffer(output_id);
    unsigned place = buffer.first + buffer.count;
    if (place >= layout.output_buffer) place -= layout.output_buffer;
    OutputSlot& slot = state.output_slot(output_id, place);
    slot.ready = t + layout.switch_cycles;
    state.mark_buffered(output_id);
    if (++buffer.count == layout.output_buffer)
      state.masks_of(input_id).has_credit &= ~RouterState::bit_of(input_id);
    return slot.flit;
  }

  /// Link arbitration of a port with output buffers: sends at most one flit onto the link. Returns its output
  /// virtual channel, kNoVc if it has sent none.
  static unsigned arbitrate_link(RouterState&, Cycle t, unsigned port);
  /// The same. choose(mask of the virtual channels whose front flits may leave, the one whose turn is next):
  /// the one that sends.
  template <class Choose>
  [[gnu::always_inline]] static unsigned arbitrate_link(RouterState& state, Cycle t, unsigned port_number,
                                                        const Choose& choose) {
    const RouterLayout& layout = state.layout();
    PortState& port = state.port(port_number);
    LinkArbiter& arbiter = state.link_arbiter(port_number);
    VcMask ready = 0;
    for (VcMask rest = arbiter.buffered_vcs; rest; rest &= rest - 1) {
      const unsigned output_id = port_number * layout.vcs + static_cast<unsigned>(std::countr_zero(rest));
      if (state.output(output_id).credits == 0) continue;
      if (state.output_slot(output_id, state.output_buffer(output_id).first).ready > t) continue;
      if (next_buffer_takes_front(state, output_id)) ready |= rest & -rest;
    }
    if (!ready) return kNoVc;
    const unsigned vc = choose(ready, static_cast<unsigned>(arbiter.pointer));
    arbiter.pointer = vc + 1 == layout.vcs ? 0 : vc + 1;
    const unsigned output_id = port_number * layout.vcs + vc;
    OutputVcState& out = state.output(output_id);
    OutputBufferState& buffer = state.output_buffer(output_id);
    const unsigned slot =
        static_cast<unsigned>(t + port.out_delay - layout.switch_cycles) & (layout.ring - 1);
    port.announce_flit(slot, output_id);
    port.out_registers[slot] = state.output_slot(output_id, buffer.first).flit;
    ++port.flits_sent;
    --out.credits;
    const bool wraps = buffer.first + 1u == layout.output_buffer;
    buffer.first = static_cast<std::uint16_t>(wraps ? 0 : buffer.first + 1u);
    if (--buffer.count == 0) state.mark_unbuffered(output_id);
    if (out.owner != kNoVc) state.masks_of(out.owner).has_credit |= RouterState::bit_of(out.owner);
    return output_id;
  }

  /// Whether the next buffer has the room that the front flit of an output buffer needs: if messages move as
  /// a whole, a head needs room for all of its message.
  static bool next_buffer_takes_front(const RouterState& state, unsigned output_id) {
    const RouterLayout& layout = state.layout();
    const unsigned credits = state.output(output_id).credits;
    // Every message fits in an empty buffer, so its length need not be looked up.
    if (credits == 0 || !layout.whole_messages() || credits >= layout.input_buffer) return credits > 0;
    const Flit& front = state.output_slot(output_id, state.output_buffer(output_id).first).flit;
    return !is_head(front.kind) || credits >= layout.messages[front.message].length;
  }

  /// Free slots of the next buffer, or of the output buffer if there is one.
  static unsigned room(const RouterState& state, unsigned output_id) {
    return state.layout().output_buffer
               ? static_cast<unsigned>(state.layout().output_buffer) - state.output_flits(output_id)
               : state.output(output_id).credits;
  }

 private:
  /// Whether any flit of the last message is still in the virtual channel.
  static bool reserved(const RouterState& state, unsigned output_id) {
    return state.output_flits(output_id) > 0 || state.output(output_id).credits < state.layout().input_buffer;
  }

  const RouterState& state_;
  unsigned port_;
};

}  // namespace flitmend
