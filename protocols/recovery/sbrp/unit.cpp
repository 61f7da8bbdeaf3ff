// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/sbrp/unit.h"

#include "base/errors.h"
#include "rtl_tlm/mechanisms/tail_signals/tail_signals.h"
#include "rtl_tlm/node/network_interface.h"
#include "rtl_tlm/registers/unit_registers.h"

namespace flitmend::sbrp {
namespace {

/// What a router knows of a message that was cut: without a flit counter, not how many flits have left.
CutMessage known(const RouterState& state, CutMessage message) {
  if (!state.layout().flit_counters) message.count = 0;
  return message;
}

/// Whether a switch hands requests to this router at that port.
bool receives_requests(const RouterState& state, unsigned port) {
  const Channel* const in = state.channels(port).in;
  return in && in->has(ControlLine::request);
}

constexpr Condition<UnitView> kInSwitches{.when = "a switch", .holds = [](const UnitView& v) {
                                            return v.layout().context.hardware.switches_ask &&
                                                   v.layout().local_port == RouterLayout::kNoPort;
                                          }};
constexpr Condition<UnitView> kInNodes{
    .when = "a node of a network with switches", .holds = [](const UnitView& v) {
      return v.layout().context.hardware.switches_ask && v.layout().local_port != RouterLayout::kNoPort;
    }};

}  // namespace

UnitRegisters Unit::registers() {
  static constexpr RegisterEntry<UnitView> kRegisters[] = {
      {.name = "requests",
       .storage = Storage::object,
       .greatest = [](const UnitView& v) -> std::uint64_t { return v.layout().ids; },
       .read = [](const UnitView& v) { return RegisterValue(v.unit<Unit>().handing_over_.waiting()); },
       .purpose = "Requests that the switch has not handed over.",
       .present = kInSwitches},
      {.name = "request.taker",
       .form = RegisterForm::port,
       .storage = Storage::object,
       .read =
           [](const UnitView& v) {
             const std::optional<unsigned> port = v.unit<Unit>().handing_over_.taker();
             return port ? RegisterValue(*port) : RegisterValue();
           },
       .purpose = "Port over which the first of them is being sent.",
       .present = kInSwitches},
      {.name = "request.last_taker",
       .form = RegisterForm::port,
       .storage = Storage::object,
       .read = [](const UnitView& v) { return RegisterValue(v.unit<Unit>().handing_over_.last_taker()); },
       .purpose = "Port that took the last one: the next one goes to the next port in turn.",
       .present = kInSwitches},
      {.name = "request.words",
       .storage = Storage::object,
       .greatest = [](const UnitView&) -> std::uint64_t { return kRequestWords; },
       .read = [](const UnitView& v) { return RegisterValue(v.unit<Unit>().handing_over_.words_sent()); },
       .purpose = "Words of it that have been sent.",
       .present = kInSwitches},
      {.name = "requests_arriving",
       .storage = Storage::object,
       .greatest = [](const UnitView& v) -> std::uint64_t {
         return low_bits(static_cast<unsigned>(v.layout().ports));
       },
       .read = [](const UnitView& v) { return RegisterValue(v.unit<Unit>().taking_over_.arriving()); },
       .purpose = "Ports at which a switch is handing over a request, one bit each.",
       .present = kInNodes},
  };
  return kRegisters;
}

void Unit::require_interfaces(const Topology& topology) {
  for (RouterId r = topology.node_count(); r < topology.router_count(); ++r) {
    bool node = false;
    for (PortId port = 0; port < topology.port_count(r); ++port)
      if (const auto far = topology.neighbour(r, port); far && !topology.is_switch(far->router)) node = true;
    if (node) continue;
    throw KeyError("recovery.protocol",
                   "sbrp-0 and sbrp-1 ask for cut messages through the network interface of the router "
                   "before the fault, or of a node next to a switch, and " +
                       topology.router_name(r) + " has no node next to it; use sbrp-2 or end-to-end",
                   {"network.topology"});
  }
}

void Unit::equip(HardwareParameters& hardware, const Topology& topology) {
  hardware.switches_ask = topology.router_count() > topology.node_count();
}

Unit::Unit(unsigned head_wait, Router& router)
    : break_(*this, head_wait),
      taking_over_(router.context().hardware.switches_ask && router.has_local_port()
                       ? BreakUnit::network_ports(router)
                       : 0) {}

void Unit::channel_status_changed(Router& router, Cycle t, unsigned port, bool input_side, bool faulty) {
  if (faulty && input_side) {
    RouterState state = router.state();
    TailSignals::forget_upstream(state, port);
    if (receives_requests(state, port)) taking_over_.input_failed(port);
  } else if (faulty) {
    handing_over_.output_failed(t, port);
    ask_for_lingering(router, t, port);
  }
  break_.channel_status_changed(router, t, port, input_side, faulty);
}

void Unit::ask_for_lingering(Router& router, Cycle t, unsigned port) {
  RouterState state = router.state();
  for (VcMask rest = state.tail_port(port).lingering; rest; rest &= rest - 1) {
    const unsigned output_id = port * state.vcs() + static_cast<unsigned>(std::countr_zero(rest));
    const TailShadow& shadow = state.tail_shadow(output_id);
    if (!shadow.control) ask(router, t, known(state, shadow.packet));
    TailSignals::release(state, t, output_id);
  }
}

void Unit::ask(Router& router, Cycle t, const CutMessage& message) {
  if (router.has_local_port()) {
    BreakUnit::ask(router, t, message);
    return;
  }
  handing_over_.add(message);
  router.set_recovery_active(true);
}

void Unit::control_arrived(Router& router, Cycle t, unsigned port, bool input_side) {
  break_.control_arrived(router, t, port, input_side);
  if (!input_side || !receives_requests(router.state(), port)) return;
  const Word wires = router.state().channels(port).in->take(ControlLine::request, t);
  if (const auto request = taking_over_.arrived(port, wires)) ask(router, t, *request);
}

void Unit::evaluate(Router& router, Cycle t) {
  break_.evaluate(router, t);
  if (handing_over_.evaluate(router, t)) router.set_recovery_active(true);
}

void Unit::forget_requests() {
  handing_over_.clear();
  taking_over_.clear();
}

void Unit::router_reset(Router& router) {
  forget_requests();
  break_.router_reset(router);
}

void Unit::router_failed(Router& router) {
  forget_requests();
  break_.router_failed(router);
}

void Unit::cut(Router& router, Cycle t, unsigned id) {
  BreakUnit::count_cut(router, t, id);
  const RouterState& state = router.state();
  const MessagePool& messages = router.context().messages;
  const MessageIndex packet = state.head_copy(id).message;
  if (messages[packet].kind != MessageKind::control)  // nobody asks for a control message
    ask(router, t, known(state, cut_message(messages, packet, state.input(id).flits_sent)));
  router.absorb(t, id);
}

void Unit::head_waited(Router& router, Cycle t, unsigned id, bool no_way) {
  BreakUnit::count_wait(router, t, id, no_way);
  if (const auto message = BreakUnit::waiting_message(router, id, no_way)) ask(router, t, *message);
  router.absorb(t, id);
}

}  // namespace flitmend::sbrp
