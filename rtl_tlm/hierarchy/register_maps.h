// SPDX-License-Identifier: Apache-2.0
// The register maps to which mechanisms add, and what else of their registers is in the hierarchy.
#pragma once
#include <algorithm>
#include <array>

#include "rtl_tlm/mechanisms/circuits/circuit_registers.h"
#include "rtl_tlm/mechanisms/circuits/interface_circuit_registers.h"
#include "rtl_tlm/mechanisms/copies/copy_registers.h"
#include "rtl_tlm/mechanisms/deadlock_lane/lane_registers.h"
#include "rtl_tlm/mechanisms/kills/interface_kill_registers.h"
#include "rtl_tlm/mechanisms/kills/kill_registers.h"
#include "rtl_tlm/mechanisms/narrow_links/narrow_link_registers.h"
#include "rtl_tlm/mechanisms/precedence/interface_precedence_registers.h"
#include "rtl_tlm/mechanisms/precedence/precedence_registers.h"
#include "rtl_tlm/mechanisms/tail_signals/tail_signal_registers.h"
#include "rtl_tlm/mechanisms/vectors/vector_registers.h"
#include "rtl_tlm/node/interface_registers.h"
#include "rtl_tlm/registers/channel_registers.h"
#include "rtl_tlm/registers/register_map.h"

namespace flitmend {

/// Registers of a router: router_3_4.
inline constexpr auto kRouterRegisters = hardware::joined(
    hardware::kRouterRegisters, hardware::kLaneRouterRegisters, hardware::kVectorRouterRegisters);

/// Registers of an input virtual channel: router_3_4.east.vc1.
inline constexpr auto kInputVcRegisters = hardware::joined(
    hardware::kInputVcRegisters, hardware::kCopyInputRegisters, hardware::kInputRecoveryRegisters,
    hardware::kTailInputRegisters, hardware::kPrecedenceInputRegisters, hardware::kHeadRegisters);

/// Registers of an output virtual channel, if its port allocates them: router_3_4.east.output.vc1.
inline constexpr auto kOutputVcRegisters =
    hardware::joined(hardware::kOutputVcRegisters, hardware::kCircuitOutputVcRegisters,
                     hardware::kTailOutputRegisters, hardware::kKillOutputVcRegisters);

/// Registers of the output of a port: router_3_4.east.output.
inline constexpr auto kOutputRegisters =
    hardware::joined(hardware::kOutputRegisters, hardware::kNarrowOutputRegisters);

/// Registers of a virtual channel of an injector: router_3_4.interface.injector.vc1.
inline constexpr auto kInjectorVcRegisters =
    hardware::joined(hardware::kInjectorVcRegisters, hardware::kCopyInjectorRegisters<InterfacePart>,
                     hardware::kCircuitInjectorVcRegisters, hardware::kTailInjectorRegisters<InterfacePart>);

/// Registers of a receiver: router_3_4.interface.receiver.
inline constexpr auto kReceiverRegisters =
    hardware::joined(hardware::kKillReceiverRegisters, hardware::kReceiverRegisters);

namespace hardware {

/// By ControlLine, where each arrives.
inline constexpr auto kControlLineEntries = std::to_array<RegisterEntry<ChannelEnd>>({
#define FLITMEND_CONTROL_LINE(name, direction, wires, ends, purpose, greatest) \
  control_line<ControlLine::name>([](const ChannelEnd& c) -> std::uint64_t {   \
    [[maybe_unused]] const RouterLayout& layout = c.layout();                  \
    return greatest;                                                           \
  }),
#include "rtl_tlm/signals/control_lines.def"
#undef FLITMEND_CONTROL_LINE
});

/// The lines of one direction, in their order.
template <LineDirection kDirection>
constexpr auto lines_of() {
  constexpr auto kCount = static_cast<std::size_t>(
      std::ranges::count(kControlLineTraits, kDirection, &ControlLineTraits::direction));
  std::array<RegisterEntry<ChannelEnd>, kCount> lines{};
  std::size_t count = 0;
  for (unsigned line = 0; line < kControlLines; ++line)
    if (kControlLineTraits[line].direction == kDirection) lines[count++] = kControlLineEntries[line];
  return lines;
}

}  // namespace hardware

/// Control lines in the direction of the flits, where they arrive: router_3_4.east.
inline constexpr auto kForwardLines = hardware::lines_of<LineDirection::with_flits>();
/// Those against it: router_3_4.east.output.
inline constexpr auto kBackwardLines = hardware::lines_of<LineDirection::against_flits>();

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
  visit_port_precedence(visitor, scope, router, port);
}
/// Their registers of an injector.
template <class Visitor, class Router>
void visit_injector_mechanisms(Visitor& visitor, typename Visitor::Scope scope, const Injector& injector,
                               const Router& router) {
  visit_injector_precedence(visitor, scope, injector, router);
}
/// Their registers of an input virtual channel.
template <class Visitor, class Router>
void visit_input_vc_mechanisms(Visitor& visitor, typename Visitor::Scope scope, const Router& router,
                               const VirtualChannel& vc) {
  visitor.template add<kCircuitRegisters>(scope, router, vc);
}

}  // namespace flitmend
