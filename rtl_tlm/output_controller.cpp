#include "rtl_tlm/output_controller.h"

namespace flitmend {

OutputController::OutputController(sc_core::sc_module_name name, const RouterState& state, unsigned port)
    : sc_module(name), state_(state), port_(port) {}

void OutputController::arbitrate_link(RouterState& state, Cycle t, unsigned port_number) {
  PortState& port = state.port[port_number];
  VcMask ready = 0;
  for (VcMask rest = port.output_queued; rest; rest &= rest - 1) {
    const unsigned vc = static_cast<unsigned>(std::countr_zero(rest));
    const unsigned output_id = port_number * state.vcs + vc;
    const OutputVcState& out = state.output[output_id];
    const unsigned front = output_id * state.output_depth + out.first;
    if (state.output_ready[front] > t || out.credits == 0) continue;
    const Flit& flit = state.output_fifo[front];
    if (state.whole_messages() && opens(flit.kind) && out.credits < (*state.messages)[flit.message].length)
      continue;
    ready |= rest & -rest;
  }
  if (!ready) return;
  const unsigned vc = round_robin(ready, state.status[port_number].link_pointer);
  state.status[port_number].link_pointer = static_cast<std::uint16_t>(vc + 1 == state.vcs ? 0 : vc + 1);
  const unsigned output_id = port_number * state.vcs + vc;
  OutputVcState& out = state.output[output_id];
  port.out.next(t + port.out.latency, vc) = state.output_fifo[output_id * state.output_depth + out.first];
  ++port.flits_sent;
  --out.credits;
  out.first = static_cast<std::uint16_t>((out.first + 1) % state.output_depth);
  if (--out.queued == 0) port.output_queued &= ~(VcMask{1} << vc);
  if (out.owner != kNoVc) set_bit(state.space.data(), out.owner);
}

}  // namespace flitmend
