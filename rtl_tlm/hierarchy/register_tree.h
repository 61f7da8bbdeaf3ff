// SPDX-License-Identifier: Apache-2.0
// Where the registers of the register maps are in the hierarchy: the same for waves and SystemC objects. A
// Visitor has
//   Scope                                      a scope in its hierarchy
//   below(scope, name)                         the scope of that name below another
//   below(scope, module)                       the scope of a module of the hardware
//   below_vc(scope, vc)                        the scope of a virtual channel
//   add<kEntries>(scope, router, owner)        adds the registers of an owner, at that router
#pragma once
#include <string>

#include "rtl_tlm/hierarchy/register_maps.h"
#include "rtl_tlm/node/interface_registers.h"
#include "rtl_tlm/router/router.h"

namespace flitmend {

inline std::string vc_name(unsigned vc) {
  return "vc" + std::to_string(vc);
}

/// A router as a whole, at `scope`.
template <class Visitor>
void visit_router(Visitor& visitor, typename Visitor::Scope scope, const Router& router) {
  visitor.template add<kRouterRegisters>(scope, router, RouterView(router.state()));
  visit_router_mechanisms(visitor, scope, router);
}

/// A port of a router, at `scope`: virtual channels, output, arbiters, fault status.
template <class Visitor>
void visit_port(Visitor& visitor, typename Visitor::Scope scope, const Router& router, unsigned port) {
  const RouterState& state = router.state();
  const unsigned first = port * state.vcs();
  for (unsigned vc = 0; vc < state.vcs(); ++vc) {
    const auto input = visitor.below_vc(scope, vc);
    visitor.template add<kInputVcRegisters>(input, router, VirtualChannel(state, first + vc));
    visit_input_vc_mechanisms(visitor, input, router, VirtualChannel(state, first + vc));
  }
  const auto output = visitor.below(scope, "output");
  if (state.layout().allocates_outputs(port))
    for (unsigned vc = 0; vc < state.vcs(); ++vc)
      visitor.template add<kOutputVcRegisters>(visitor.below_vc(output, vc), router,
                                               OutputVirtualChannel(state, first + vc));
  visitor.template add<kOutputRegisters>(output, router, PortView(state, port));
  visitor.template add<kPortRegisters>(scope, router, PortView(state, port));
  visit_port_mechanisms(visitor, scope, router, port);
}

/// The flit that a channel holds for its reader, and the channel's control lines: forward lines (with the
/// flits) at the reader, backward lines at the writer.
template <class Visitor>
auto visit_flit(Visitor& visitor, typename Visitor::Scope scope, const Channel& channel,
                const Router& router) {
  return visitor.template add<kFlitRegisters>(scope, router, ChannelEnd(&channel, router.state().layout()));
}
template <class Visitor>
void visit_forward_lines(Visitor& visitor, typename Visitor::Scope scope, const Channel& channel,
                         const Router& reader) {
  visitor.template add<kForwardLines>(scope, reader, ChannelEnd(&channel, reader.state().layout()));
}
template <class Visitor>
void visit_backward_lines(Visitor& visitor, typename Visitor::Scope scope, const Channel& channel,
                          const Router& writer) {
  visitor.template add<kBackwardLines>(scope, writer, ChannelEnd(&channel, writer.state().layout()));
}

/// The network interface of a router.
template <class Visitor>
void visit_interface(Visitor& visitor, typename Visitor::Scope scope, const NetworkInterface& interface,
                     const Router& router) {
  const RouterLayout& layout = router.state().layout();
  const auto injector = visitor.below(scope, "injector");
  visitor.template add<kInjectorRegisters>(injector, router, InterfacePart(&interface, layout));
  visit_injector_mechanisms(visitor, injector, interface.injector, router);
  for (unsigned vc = 0; vc < layout.vcs; ++vc)
    visitor.template add<kInjectorVcRegisters>(visitor.below_vc(injector, vc), router,
                                               InterfacePart(&interface, layout, vc));
  visitor.template add<kReceiverRegisters>(visitor.below(scope, "receiver"), router,
                                           InterfacePart(&interface, layout));
}

}  // namespace flitmend
