// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>

#include "rtl_tlm/registers/router_state.h"
#include "rtl_tlm/signals/channel.h"

namespace flitmend {

/// Links that are narrower than a flit (Topology::link_width). A flit that leaves in cycle t occupies such a
/// link for k = Channel::flit_cycles() cycles: the next one leaves in t + k or later, and the first one
/// arrives k − 1 cycles later than over a link that is wide enough. A counter by port, NarrowPort, says for
/// how long the link is still busy. Without output buffers the virtual channels routed to a busy link make no
/// request to the switch allocator; with them the arbiter of the link waits. Static functions on a router's
/// registers; they exist only if HardwareParameters::flit_cycles exceeds 1.
class NarrowLinks {
 public:
  /// Whether routers have the counters: some link of the network is narrower than a flit.
  static bool built(const RouterLayout& layout) { return layout.has<rows::NarrowPorts>(); }
  static NarrowPort& link(RouterState& state, unsigned port) { return state.row<rows::NarrowPorts>()[port]; }
  static const NarrowPort& link(const RouterState& state, unsigned port) {
    return state.row<rows::NarrowPorts>()[port];
  }
  /// The channel of an output takes a flit every several cycles. Before the first cycle. A router without the
  /// counters, or whose cycle does not read them, is SC_REPORT_FATAL "flitmend/channel".
  static void connect(RouterState&, unsigned port, const Channel&);

  static bool busy(const RouterState& state, Cycle t, unsigned port) {
    return link(state, port).free_from > t;
  }
  /// A flit goes onto the link of that port.
  static void sent(RouterState& state, Cycle t, unsigned port) {
    NarrowPort& narrow = link(state, port);
    narrow.free_from = t + narrow.flit_cycles;
  }
  /// The input virtual channels among `ready` (a word of them) that may cross: without output buffers, not
  /// to a busy link.
  static Word admit(RouterState& state, Cycle t, unsigned word, Word ready) {
    if (state.layout().output_buffer > 0) return ready;
    for (Word rest = ready; rest; rest &= rest - 1) {
      const unsigned id = word * kWordBits + static_cast<unsigned>(std::countr_zero(rest));
      if (busy(state, t, state.output_port(id))) ready &= ~(rest & -rest);
    }
    return ready;
  }
  /// Whether a counter of the router runs on in the next cycle.
  static bool any_busy(const RouterState& state, Cycle t) {
    for (unsigned port = 0; port < state.ports(); ++port)
      if (busy(state, t + 1, port)) return true;
    return false;
  }
};

}  // namespace flitmend
