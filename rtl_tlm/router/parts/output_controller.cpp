// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/router/parts/output_controller.h"

namespace flitmend {

unsigned OutputController::arbitrate_link(RouterState& state, Cycle t, unsigned port_number) {
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
  const unsigned vc = round_robin(ready, static_cast<unsigned>(arbiter.pointer));
  arbiter.pointer = vc + 1 == layout.vcs ? 0 : vc + 1;
  const unsigned output_id = port_number * layout.vcs + vc;
  OutputVcState& out = state.output(output_id);
  OutputBufferState& buffer = state.output_buffer(output_id);
  const unsigned slot = static_cast<unsigned>(t + port.out_delay - layout.switch_cycles) & (layout.ring - 1);
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

}  // namespace flitmend
