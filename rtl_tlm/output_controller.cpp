// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/output_controller.h"

#include "rtl_tlm/copies.h"

namespace flitmend {

OutputController::OutputController(sc_core::sc_module_name name, const RouterState& state, unsigned port)
    : sc_module(name), state_(state), port_(port) {}

bool OutputController::arbitrate_link(RouterState& state, Cycle t, unsigned port_number) {
  const RouterLayout& layout = state.layout();
  PortState& port = state.port(port_number);
  PortExtras& extras = state.extras(port_number);
  VcMask ready = 0;
  for (VcMask rest = extras.buffered_vcs; rest; rest &= rest - 1) {
    const unsigned output_id = port_number * layout.vcs + static_cast<unsigned>(std::countr_zero(rest));
    const unsigned credits = state.output(output_id).credits;
    const unsigned front = state.output_buffer(output_id).first;
    if (state.output_buffer_ready_at(output_id, front) > t || credits == 0) continue;
    const Flit& flit = state.output_buffer_at(output_id, front);
    if (layout.whole_messages() && is_head(flit.kind) && credits < layout.messages[flit.message].length)
      continue;
    ready |= rest & -rest;
  }
  if (!ready) return false;
  const unsigned vc = round_robin(ready, static_cast<unsigned>(extras.link_pointer));
  extras.link_pointer = vc + 1 == layout.vcs ? 0 : vc + 1;
  const unsigned output_id = port_number * layout.vcs + vc;
  OutputVcState& out = state.output(output_id);
  OutputBufferState& buffer = state.output_buffer(output_id);
  const unsigned slot = static_cast<unsigned>(t + port.out_delay - layout.switch_cycles) & (layout.ring - 1);
  port.announce_flit(slot, output_id);
  port.out_registers[slot] = state.output_buffer_at(output_id, buffer.first);
  ++port.flits_sent;
  --out.credits;
  buffer.first = static_cast<std::uint16_t>((buffer.first + 1) % layout.output_buffer);
  if (--buffer.count == 0) extras.buffered_vcs &= ~(VcMask{1} << vc);
  if (layout.keeps_copies)
    Copies::left_buffer(state, t, out.owner, port_number,
                        port.out_delay - static_cast<unsigned>(layout.switch_cycles));
  if (out.owner != kNoVc) state.masks_of(out.owner).has_credit |= RouterState::bit_of(out.owner);
  return true;
}

}  // namespace flitmend
