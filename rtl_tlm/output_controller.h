#pragma once
#include <systemc>

#include "rtl_tlm/channel.h"
#include "rtl_tlm/router_state.h"

namespace flitmend {

/// The output controller of a port: owner and flow-control counter of each output virtual channel, the output
/// buffers where there are any, and the arbiter of the link (round robin over virtual channels). What it does
/// to a flit or a credit works on the router's registers alone: those functions are static.
class OutputController : public sc_core::sc_module {
 public:
  OutputController(sc_core::sc_module_name, const RouterState&, unsigned port);

  unsigned port() const { return port_; }
  /// A local port whose flits are all consumed at once: nothing is allocated, nothing counted.
  bool unlimited() const { return state_.status[port_].unlimited; }
  const OutputVcState& vc(unsigned i) const { return state_.output[port_ * state_.vcs + i]; }
  unsigned queued(unsigned i) const { return vc(i).queued; }
  std::uint64_t flits_sent() const { return state_.port[port_].flits_sent; }
  /// The flit that crossed to this output last, and when: what waves show as granted.
  unsigned granted_input() const { return state_.port[port_].granted_input(); }
  Cycle granted_at() const { return state_.port[port_].granted_at(); }

  /// A credit for an output virtual channel has come back; `unbuffered`: the router has no output buffers.
  [[gnu::always_inline]] static void credit(RouterState& state, unsigned output_id, bool unbuffered) {
    OutputVcState& out = state.output[output_id];
    ++out.credits;
    if (out.owner != kNoVc) {
      if (unbuffered) set_bit(state.space.data(), out.owner);
    } else if (state.atomic && !reserved(state, output_id)) {
      const unsigned port = state.port_of[output_id];
      state.port[port].free_vcs |= VcMask{1} << (output_id - port * state.vcs);
    }
  }

  /// Output virtual channels that a head of this length could be given now.
  static VcMask available(const RouterState& state, unsigned port, VcMask vcs, std::uint32_t length) {
    const PortState& p = state.port[port];
    VcMask free = vcs & p.free_vcs & ~p.held_vcs;
    if (!state.whole_messages() || state.status[port].unlimited) return free;
    for (VcMask rest = free; rest; rest &= rest - 1) {
      const unsigned vc = static_cast<unsigned>(std::countr_zero(rest));
      if (room(state, port * state.vcs + vc) < length) free &= ~(VcMask{1} << vc);
    }
    return free;
  }

  /// Gives an output virtual channel to an input virtual channel.
  static void reserve(RouterState& state, unsigned output_id, unsigned input_id) {
    const unsigned port = state.port_of[output_id];
    PortState& p = state.port[port];
    if (state.status[port].unlimited) {
      set_bit(state.space.data(), input_id);
      set_bit(state.direct.data(), input_id);
      return;
    }
    state.output[output_id].owner = static_cast<std::uint16_t>(input_id);
    p.free_vcs &= ~(VcMask{1} << (output_id - port * state.vcs));
    if (room(state, output_id) > 0) set_bit(state.space.data(), input_id);
  }
  /// Takes it back; the virtual channel is free at once, or once everything has left it (atomic
  /// reallocation).
  static void release(RouterState& state, unsigned output_id) {
    const unsigned port = state.port_of[output_id];
    PortState& p = state.port[port];
    if (state.status[port].unlimited) return;
    state.output[output_id].owner = kNoVc;
    if (!state.atomic || !reserved(state, output_id))
      p.free_vcs |= VcMask{1} << (output_id - port * state.vcs);
  }

  /// A flit that has been granted the crossbar leaves: onto the link, or into the output buffer. Returns the
  /// register that takes it, for the caller to fill in.
  [[gnu::always_inline]] static Flit& send_to_link(RouterState& state, Cycle t, unsigned port,
                                                   unsigned output_id, unsigned input_id) {
    PortState& p = state.port[port];
    p.grant(t, input_id);
    if (--state.output[output_id].credits == 0) clear_bit(state.space.data(), input_id);
    ++p.flits_sent;
    return p.out.next(t + state.switch_cycles + p.out.latency, output_id - port * state.vcs);
  }
  static Flit& send_to_buffer(RouterState& state, Cycle t, unsigned port, unsigned output_id,
                              unsigned input_id) {
    state.port[port].grant(t, input_id);
    OutputVcState& out = state.output[output_id];
    unsigned place = out.first + out.queued;
    if (place >= state.output_depth) place -= state.output_depth;
    place += output_id * state.output_depth;
    state.output_ready[place] = t + state.switch_cycles;
    state.port[port].output_queued |= VcMask{1} << (output_id - port * state.vcs);
    if (++out.queued == state.output_depth) clear_bit(state.space.data(), input_id);
    return state.output_fifo[place];
  }

  /// Link arbitration of a port with output buffers: at most one flit onto the link.
  static void arbitrate_link(RouterState&, Cycle t, unsigned port);

  /// Flits that the next buffer, or the output buffer, can still take.
  static unsigned room(const RouterState& state, unsigned output_id) {
    const OutputVcState& out = state.output[output_id];
    return state.output_depth ? state.output_depth - out.queued : out.credits;
  }

 private:
  /// Whether anything of the last message is still in the virtual channel.
  static bool reserved(const RouterState& state, unsigned output_id) {
    const OutputVcState& out = state.output[output_id];
    return out.queued > 0 || out.credits < state.depth;
  }

  const RouterState& state_;
  unsigned port_;
};

}  // namespace flitmend
