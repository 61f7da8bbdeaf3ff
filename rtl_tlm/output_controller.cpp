#include "rtl_tlm/output_controller.h"

namespace flitmend {

OutputController::OutputController(sc_core::sc_module_name name, RouterState& state,
                                   const HardwareParameters& p, const MessagePool& messages, unsigned port,
                                   bool unlimited)
    : sc_module(name),
      state_(state),
      messages_(messages),
      port_(port),
      unlimited_(unlimited),
      atomic_(p.atomic_reallocation),
      whole_messages_(p.switching != Switching::wormhole),
      switch_cycles_(p.switch_to_output) {}

void OutputController::arbitrate_link(Cycle t) {
  VcMask ready = 0;
  for (VcMask rest = state_.port[port_].output_queued; rest; rest &= rest - 1) {
    const unsigned vc = static_cast<unsigned>(std::countr_zero(rest));
    const unsigned output_id = port_ * state_.vcs + vc;
    const OutputVcState& out = state_.output[output_id];
    const unsigned front = output_id * state_.output_depth + out.first;
    if (state_.output_ready[front] > t || out.credits == 0) continue;
    const Flit& flit = state_.output_fifo[front];
    if (whole_messages_ && opens(flit.kind) && out.credits < messages_[flit.message].length) continue;
    ready |= rest & -rest;
  }
  if (!ready) return;
  const unsigned vc = round_robin(ready, state_.port[port_].link_pointer);
  state_.port[port_].link_pointer = static_cast<std::uint16_t>(vc + 1 == state_.vcs ? 0 : vc + 1);
  const unsigned output_id = port_ * state_.vcs + vc;
  OutputVcState& out = state_.output[output_id];
  PortState& port = state_.port[port_];
  port.out->write(t + port.out->latency(), state_.output_fifo[output_id * state_.output_depth + out.first]);
  ++port.flits_sent;
  --out.credits;
  out.first = static_cast<std::uint16_t>((out.first + 1) % state_.output_depth);
  if (--out.queued == 0) state_.port[port_].output_queued &= ~(VcMask{1} << vc);
  if (out.owner != kNoVc) set_bit(state_.space.data(), out.owner);
}

}  // namespace flitmend
