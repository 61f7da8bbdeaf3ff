#pragma once
#include <systemc>

#include "rtl_tlm/channel.h"
#include "rtl_tlm/router_state.h"

namespace flitmend {

/// The output controller of a port: owner and flow-control counter of each output virtual channel, the output
/// buffers where there are any, and the arbiter of the link (round robin over virtual channels).
class OutputController : public sc_core::sc_module {
 public:
  OutputController(sc_core::sc_module_name, RouterState&, const HardwareParameters&, const MessagePool&,
                   unsigned port, bool unlimited);

  unsigned port() const { return port_; }
  /// A local port whose flits are all consumed at once: nothing is allocated, nothing counted.
  bool unlimited() const { return unlimited_; }
  const OutputVcState& vc(unsigned i) const { return state_.output[port_ * state_.vcs + i]; }
  unsigned queued(unsigned i) const { return vc(i).queued; }
  std::uint64_t flits_sent() const { return state_.port[port_].flits_sent; }
  /// The flit that crossed to this output last, and when: what waves show as granted.
  unsigned granted_input() const { return state_.port[port_].granted_input; }
  Cycle granted_at() const { return state_.port[port_].granted_at; }

  /// Credits for the virtual channels of a mask have come back.
  void credit(VcMask vcs) {
    for (VcMask rest = vcs; rest; rest &= rest - 1) {
      const unsigned output_id = port_ * state_.vcs + static_cast<unsigned>(std::countr_zero(rest));
      OutputVcState& out = state_.output[output_id];
      ++out.credits;
      if (out.owner != kNoVc) {
        if (state_.output_depth == 0) set_bit(state_.space.data(), out.owner);
      } else if (atomic_ && !reserved(output_id)) {
        state_.port[port_].free_vcs |= rest & -rest;
      }
    }
  }

  /// Output virtual channels that a head of this length could be given now.
  VcMask available(VcMask vcs, std::uint32_t length) const {
    VcMask free = vcs & state_.port[port_].free_vcs & ~state_.port[port_].held_vcs;
    if (!whole_messages_ || unlimited_) return free;
    for (VcMask rest = free; rest; rest &= rest - 1) {
      const unsigned vc = static_cast<unsigned>(std::countr_zero(rest));
      if (room(port_ * state_.vcs + vc) < length) free &= ~(VcMask{1} << vc);
    }
    return free;
  }

  /// Gives an output virtual channel to an input virtual channel.
  void reserve(unsigned output_id, unsigned input_id) {
    if (unlimited_) {
      set_bit(state_.space.data(), input_id);
      return;
    }
    state_.output[output_id].owner = static_cast<std::uint16_t>(input_id);
    state_.port[port_].free_vcs &= ~(VcMask{1} << (output_id - port_ * state_.vcs));
    if (room(output_id) > 0) set_bit(state_.space.data(), input_id);
  }
  /// Takes it back; the virtual channel is free at once, or once everything has left it (atomic
  /// reallocation).
  void release(unsigned output_id) {
    if (unlimited_) return;
    state_.output[output_id].owner = kNoVc;
    if (!atomic_ || !reserved(output_id))
      state_.port[port_].free_vcs |= VcMask{1} << (output_id - port_ * state_.vcs);
  }

  /// Sends a flit that has been granted the crossbar: onto the link, or into the output buffer.
  void send(Cycle t, unsigned output_id, unsigned input_id, const Flit& flit) {
    OutputVcState& out = state_.output[output_id];
    state_.port[port_].granted_input = static_cast<std::uint16_t>(input_id);
    state_.port[port_].granted_at = t;
    if (state_.output_depth == 0) {
      if (--out.credits == 0) clear_bit(state_.space.data(), input_id);
      PortState& port = state_.port[port_];
      port.out->write(t + switch_cycles_ + port.out->latency(), flit);
      ++port.flits_sent;
      return;
    }
    const unsigned place = (out.first + out.queued) % state_.output_depth;
    state_.output_fifo[output_id * state_.output_depth + place] = flit;
    state_.output_ready[output_id * state_.output_depth + place] = t + switch_cycles_;
    state_.port[port_].output_queued |= VcMask{1} << flit.vc;
    if (++out.queued == state_.output_depth) clear_bit(state_.space.data(), input_id);
  }

  /// Link arbitration of a port with output buffers: at most one flit onto the link.
  void arbitrate_link(Cycle t);

  /// Flits that the next buffer, or the output buffer, can still take.
  unsigned room(unsigned output_id) const {
    const OutputVcState& out = state_.output[output_id];
    return state_.output_depth ? state_.output_depth - out.queued : out.credits;
  }

 private:
  /// Whether anything of the last message is still in the virtual channel.
  bool reserved(unsigned output_id) const {
    const OutputVcState& out = state_.output[output_id];
    return out.queued > 0 || out.credits < state_.depth;
  }

  RouterState& state_;
  const MessagePool& messages_;
  unsigned port_;
  bool unlimited_;
  bool atomic_;
  bool whole_messages_;
  unsigned switch_cycles_;
};

}  // namespace flitmend
