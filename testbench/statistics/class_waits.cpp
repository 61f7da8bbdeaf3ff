// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/class_waits.h"

#include <algorithm>

#include "rtl_tlm/mechanisms/precedence/precedence.h"

namespace flitmend {

void fill_class_waits(const Fabric& fabric, const MessageClasses& classes, FlowSection& section) {
  const ClassRules& rules = fabric.context().hardware.classes;
  if (!rules.ordered()) return;
  for (FlowResults& one : section.classes) {
    const std::optional<unsigned> number = classes.number(one.name);
    if (!number) continue;
    ClassWaits& waits = one.waits.emplace();
    waits.bound = rules.wait_bound(*number);
    const auto add = [&](const ClassArbiter& arbiter) {
      const ClassArbiter::Class& c = arbiter[*number];
      waits.longest = std::max<std::uint64_t>(waits.longest, c.longest_wait);
      waits.starvations += c.starvations;
    };
    for (RouterId r = 0; r < fabric.topology().router_count(); ++r) {
      const RouterState& state = fabric.router(r).state();
      for (unsigned port = 0; port < state.ports(); ++port) {
        add(Precedence::switch_arbiter(state, port));
        add(Precedence::vc_arbiter(state, port));
        if (state.layout().output_buffer > 0) add(Precedence::link_arbiter(state, port));
      }
    }
    for (NodeId node = 0; node < fabric.node_count(); ++node)
      add(fabric.network_interface(node).injector.class_arbiter());
  }
}

}  // namespace flitmend
