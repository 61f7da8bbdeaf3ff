// SPDX-License-Identifier: Apache-2.0
// The register maps to which mechanisms add, and what else of their registers is in the hierarchy.
#pragma once
#include "rtl_tlm/mechanisms/deadlock_lane/lane_registers.h"
#include "rtl_tlm/mechanisms/narrow_links/narrow_link_registers.h"
#include "rtl_tlm/mechanisms/vectors/vector_registers.h"
#include "rtl_tlm/registers/channel_registers.h"
#include "rtl_tlm/registers/register_map.h"

namespace flitmend {

/// Registers of a router: router_3_4.
inline constexpr auto kRouterRegisters = hardware::joined(
    hardware::kRouterRegisters, hardware::kLaneRouterRegisters, hardware::kVectorRouterRegisters);

/// Registers of the output of a port: router_3_4.east.output.
inline constexpr auto kOutputRegisters =
    hardware::joined(hardware::kOutputRegisters, hardware::kNarrowOutputRegisters);

/// Control lines in the direction of the flits, where they arrive: router_3_4.east.
inline constexpr auto kForwardLines = hardware::joined(hardware::kMessageLines, hardware::kLaneLines,
                                                       hardware::kVectorLines, hardware::kRequestLines);
static_assert(std::size(kForwardLines) + std::size(kBackwardLines) == kControlLines);

/// Adds the registers in scopes of their own, below those of a router and of a port of it, to a Visitor
/// (register_tree.h).
template <class Visitor, class Router>
void visit_router_mechanisms(Visitor& visitor, typename Visitor::Scope scope, const Router& router) {
  visit_router_vectors(visitor, scope, router);
}
template <class Visitor, class Router>
void visit_port_mechanisms(Visitor& visitor, typename Visitor::Scope scope, const Router& router,
                           unsigned port) {
  visit_port_vectors(visitor, scope, router, port);
}

}  // namespace flitmend
