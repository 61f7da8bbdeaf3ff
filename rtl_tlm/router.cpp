// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/router.h"

#include <string>

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

void Router::clear() {
  for (unsigned id = 0; id < state_.ids(); ++id)
    context_.flits_discarded += state_.input(id).count + state_.output_flits(id);
  state_.reset();
  // What a channel announced of its status went with the reset; its status is that of the next cycle.
  update_fault_status(context_.next_cycle + 1);
  if (recovery_) recovery_->router_reset(*this);
}

}  // namespace flitmend
