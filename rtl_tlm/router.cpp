// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/router.h"

#include <string>

#include "rtl_tlm/copies.h"
#include "rtl_tlm/hierarchy_scope.h"
#include "rtl_tlm/registers/register_text.h"

namespace flitmend {

Router::Router(sc_core::sc_module_name name, NetworkContext& context, RouterId id)
    : RouterOperations(name, context, id) {
  const RouterLayout& layout = state_.layout();
  for (unsigned port = 0; port < layout.ports; ++port) {
    inputs_.push_back(std::make_unique<InputController>(port_name(state_, port).c_str(), state_, port));
    const HierarchyScope scope(*inputs_.back());
    outputs_.push_back(std::make_unique<OutputController>("output", state_, port));
  }
  vc_allocator_ =
      std::make_unique<VcAllocator>("vc_allocator", layout.ids, layout.vcs, layout.allocator_iterations,
                                    state_.vc_pointers(), &layout.scratch.vc);
  switch_allocator_ =
      std::make_unique<SwitchAllocator>("switch_allocator", layout.ports, layout.vcs,
                                        layout.allocator_iterations, state_.arbiters(), layout.place.data());
  crossbar_ = std::make_unique<Crossbar>("crossbar", state_, context.hardware);
}

Router::~Router() = default;

void Router::lose_flits(Cycle t) {
  const RouterLayout& layout = state_.layout();
  for (unsigned id = 0; id < layout.ids; ++id) {
    const InputVcState& vc = state_.input(id);
    context_.flits_discarded += vc.count;
    for (unsigned i = 0; i < vc.count; ++i)
      context_.broken.lose(
          state_.input_buffer_at(id, static_cast<unsigned>((vc.first + i) % layout.input_slots)).message, t);
    const bool tail_due = state_.extras(state_.port_of(id)).tail_due >> state_.vc_of(id) & 1;
    if (tail_due) context_.broken.lose(last_flit(id).message, t);  // it will never be appended
    flush_output(t, id);
    if (layout.keeps_copies) Copies::end_renaming(state_, id);
  }
}

void Router::fail(Cycle t) {
  state_.header().down = true;
  lose_flits(t);
  state_.reset();
  // The reset has erased announcements of channel status, so read the status of the next cycle here.
  update_fault_status(t + 1);
  recovery_->router_failed(*this);
  wake();  // for waves, which show routers that are evaluated
}

void Router::repair(Cycle t) {
  state_.header().down = false;
  state_.reset();
  update_fault_status(t + 1);
  recovery_->router_repaired(*this);
  wake();
}

void Router::clear() {
  for (unsigned id = 0; id < state_.ids(); ++id)
    context_.flits_discarded += state_.input(id).count + state_.output_flits(id);
  state_.reset();
  update_fault_status(context_.next_cycle + 1);
  if (recovery_) recovery_->router_reset(*this);
}

}  // namespace flitmend
