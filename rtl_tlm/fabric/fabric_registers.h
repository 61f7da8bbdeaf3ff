// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/fabric/fabric.h"
#include "rtl_tlm/hierarchy/register_tree.h"
#include "rtl_tlm/registers/register_text.h"
#include "rtl_tlm/registers/unit_registers.h"

namespace flitmend {

/// Visits the registers of a fabric, router by router: those of the ports, of the channels that end there,
/// and of the network interface. `top`: the scope of the fabric. Besides the members listed in
/// register_tree.h, a visitor has
///   add_unit(scope, router, record)            adds the registers of a recovery unit (UnitRegisterRecord)
///   begin(router)                              what follows belongs to that router
///   add_again<kEntries>(scope, first, router, owner)
///                                              adds the same registers in another scope; `first`: what add()
///                                              returned
template <class Visitor>
void visit_fabric(Visitor& visitor, typename Visitor::Scope top, Fabric& fabric) {
  const Topology& topology = fabric.topology();
  const auto port_scope = [&](Router& router, unsigned port) {
    return visitor.below(visitor.below(top, router), port_name(router.state(), port));
  };
  for (RouterId r = 0; r < topology.router_count(); ++r) {
    Router& router = fabric.router(r);
    visitor.begin(router);
    visit_router(visitor, visitor.below(top, router), router);
    if (RecoveryModule* const recovery = fabric.recovery_module(r))
      visitor.add_unit(visitor.below(visitor.below(top, router), *recovery), router,
                       {fabric.unit_registers(), UnitView(&recovery->unit(), router.state().layout())});
    for (PortId port = 0; port < topology.port_count(r); ++port) {
      const auto far = topology.neighbour(r, port);
      if (!far) continue;
      const auto scope = port_scope(router, port);
      const Channel& in = *fabric.channel(far->router, far->port);
      const auto flit = visit_flit(visitor, visitor.below(scope, "input_flit"), in, router);
      visit_forward_lines(visitor, scope, in, router);
      visit_port(visitor, scope, router, port);
      visit_backward_lines(visitor, visitor.below(scope, "output"), *fabric.channel(r, port), router);
      visitor.template add_again<kFlitRegisters>(
          visitor.below(port_scope(fabric.router(far->router), far->port), "output_flit"), flit, router,
          ChannelEnd(&in, router.state().layout()));
    }
    if (!router.has_local_port()) continue;
    const auto scope = port_scope(router, router.local_port());
    NetworkInterface& interface = fabric.network_interface(r);
    const auto interface_scope = visitor.below(visitor.below(top, router), interface);
    if (const Channel* injection = interface.injection_channel()) {
      visit_flit(visitor, visitor.below(scope, "input_flit"), *injection, router);
      if (injection->has_lines()) {
        visit_forward_lines(visitor, scope, *injection, router);
        visit_backward_lines(visitor, visitor.below(interface_scope, "injector"), *injection, router);
      }
    }
    visit_port(visitor, scope, router, router.local_port());
    if (const Channel* ejection = interface.ejection_channel()) {
      visit_flit(visitor, visitor.below(scope, "output_flit"), *ejection, router);
      if (ejection->has_lines())
        visit_forward_lines(visitor, visitor.below(interface_scope, "receiver"), *ejection, router);
    }
    visit_interface(visitor, interface_scope, interface, router);
  }
}

}  // namespace flitmend
