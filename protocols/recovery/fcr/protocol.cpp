// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "protocols/recovery/break_unit.h"
#include "protocols/recovery/fcr/ends.h"
#include "protocols/recovery/fcr/parameters.h"
#include "protocols/recovery/finished_ids.h"
#include "protocols/recovery/registry.h"
#include "protocols/routing/registry.h"
#include "rtl_tlm/mechanisms/kills/kills.h"
#include "rtl_tlm/node/network_interface.h"

namespace flitmend::fcr {
namespace {

/// The router's part of FCR [SBRP section 4.2]: a kill unit per virtual channel. A message that a fault has
/// cut is torn down in both directions, one router after the other:
///
///   BKILL goes upstream, to its source, which sends it again
///   FKILL goes downstream, to its head or its receiver, which drops what has arrived
///
/// NO_ROUTE goes with BKILL if the head has found no route.
///
/// Each router that a kill passes discards the message's flits and releases its output virtual channel. A
/// flit that meets a virtual channel which has just been released is discarded, and its credit is returned.
///
/// FKILL and BKILL of one message can pass each other on a channel. So after FKILL, BKILL is ignored for as
/// long as one that was sent for the same message can be on its way. Until FKILL has arrived, no BKILL for
/// the next message can arrive.
///
/// With atomic reallocation, no virtual channel ever has flits of two messages; the unit relies on that.
class Unit final : public BreakingUnit {
 public:
  static constexpr ControlLineSet kControlLines =
      BreakUnit::kControlLines | line_bit(ControlLine::forward_kill) | line_bit(ControlLine::backward_kill) |
      line_bit(ControlLine::no_route) | line_bit(ControlLine::pad);

  using BreakingUnit::BreakingUnit;
  FlitHooks hooks() const override { return kStrayHook; }
  bool flit_arrived(Router&, Cycle, unsigned, const Flit&) override { return false; }
  void control_arrived(Router&, Cycle, unsigned port, bool input_side) override;
  void injection_torn_down(Router& router, Cycle t, unsigned input_id) override {
    kill_forward(router, t, input_id);
  }

 private:
  void cut(Router&, Cycle, unsigned input_id) override;
  void cut_behind(Router&, Cycle, unsigned input_id) override;
  void head_waited(BreakUnit&, Router& router, Cycle t, unsigned input_id, bool no_route) override {
    BreakUnit::count_wait(router, t, input_id, no_route);
    kill_backward(router, t, input_id, no_route);
  }
  /// Tears down the message in an input virtual channel, here and upstream. `no_route`: its head found none.
  static void kill_backward(Router&, Cycle, unsigned input_id, bool no_route);
  /// … here and downstream.
  static void kill_forward(Router&, Cycle, unsigned input_id);
  static void backward_kill_arrived(Router&, Cycle, unsigned output_id, bool no_route);
  static void send_backward_kill(Router&, Cycle, unsigned input_id, bool no_route);
  static void send_forward_kill(Router&, Cycle, unsigned output_id, MessageIndex packet);
};

void Unit::control_arrived(Router& router, Cycle t, unsigned port, bool input_side) {
  break_.control_arrived(router, t, port, input_side);
  const RouterState& state = router.state();
  const PortChannels& channels = state.channels(port);
  const unsigned first = port * state.vcs();
  if (input_side && channels.in) {
    for (VcMask rest = channels.in->take(ControlLine::forward_kill, t); rest; rest &= rest - 1)
      kill_forward(router, t, first + static_cast<unsigned>(std::countr_zero(rest)));
  } else if (!input_side && channels.out) {
    const VcMask no_route = channels.out->take(ControlLine::no_route, t);
    for (VcMask rest = channels.out->take(ControlLine::backward_kill, t); rest; rest &= rest - 1) {
      const auto vc = static_cast<unsigned>(std::countr_zero(rest));
      backward_kill_arrived(router, t, first + vc, no_route >> vc & 1);
    }
  }
}

void Unit::cut(Router& router, Cycle t, unsigned id) {
  router.context().broken.hit(router.last_flit(id).message, t);
  kill_backward(router, t, id, false);
}

void Unit::cut_behind(Router& router, Cycle t, unsigned id) {
  router.context().broken.hit(router.last_flit(id).message, t);
  kill_forward(router, t, id);
}

void Unit::backward_kill_arrived(Router& router, Cycle t, unsigned output_id, bool no_route) {
  const RouterState& state = router.state();
  if (t < Kills::heeded_from(state, output_id)) return;
  const unsigned owner = state.output(output_id).owner;
  if (owner == kNoVc)
    router.discard_output(output_id);  // the tail has crossed: nothing is left upstream
  else
    kill_backward(router, t, owner, no_route);
}

void Unit::kill_backward(Router& router, Cycle t, unsigned id, bool no_route) {
  const RouterState& state = router.state();
  if (state.absorbing(id)) return;
  if (router.awaits_tail(id)) send_backward_kill(router, t, id, no_route);
  const unsigned output_id = state.input(id).output;
  router.flush_input(t, id);
  if (output_id != kNoVc) router.discard_output(output_id);
}

void Unit::kill_forward(Router& router, Cycle t, unsigned id) {
  const RouterState& state = router.state();
  if (state.absorbing(id) || !router.awaits_tail(id)) return;
  const unsigned output_id = state.input(id).output;
  if (output_id != kNoVc && state.input(id).flits_sent > 0)
    send_forward_kill(router, t, output_id, router.last_flit(id).message);
  router.flush_input(t, id);
  if (output_id != kNoVc) router.discard_output(output_id);
}

void Unit::send_backward_kill(Router& router, Cycle t, unsigned id, bool no_route) {
  const RouterState& state = router.state();
  const unsigned port = state.port_of(id), vc = state.vc_of(id);
  Channel* const in = state.channels(port).in;
  if (!in) {
    state.header().interface->injector.torn_down(t, vc, no_route);
  } else if (!in->faulty(t)) {
    in->raise(ControlLine::backward_kill, t, VcMask{1} << vc);
    if (no_route) in->raise(ControlLine::no_route, t, VcMask{1} << vc);
  }
}

void Unit::send_forward_kill(Router& router, Cycle t, unsigned output_id, MessageIndex packet) {
  RouterState state = router.state();
  const RouterLayout& layout = state.layout();
  const unsigned port = state.port_of(output_id);
  Channel* const out = state.channels(port).out;
  if (state.arbiter(port).unlimited) {
    state.header().interface->tear_down(t, t + layout.ejection_cycles, packet);
  } else if (!out->faulty(t)) {
    // It follows the flits that have crossed and are on their way to the channel.
    const Cycle behind = layout.output_buffer > 0 ? 0 : layout.switch_cycles;
    out->raise(ControlLine::forward_kill, t + behind, VcMask{1} << state.vc_of(output_id));
    Kills::heeded_from(state, output_id) = t + Kills::round_trip(layout);
  }
}

constexpr RecoveryNeeds kNeeds{
    .flit_counter = false,
    .head_copy = false,
    .mechanisms = MechanismSet{},
    .control_lines = Unit::kControlLines,
    .control_messages = false,
    .padding = true,
    .software_handler = false,
    .sender_copy = true,
    .id_memory = FinishedIds::kWindow,
};

/// Fault-tolerant compressionless routing [SBRP section 4.2; Kim97].
class Protocol final : public RecoveryProtocol {
 public:
  Protocol(const RecoverySettings& s, const RoutingSettings& routing)
      : RecoveryProtocol(kNeeds), parameters_(s, routing), routing_(routing) {}

  std::unique_ptr<RouterRecovery> make_unit(Router&) const override {
    return std::make_unique<Unit>(static_cast<unsigned>(routing_.head_wait_cycles));
  }

  std::unique_ptr<InterfaceRecovery> make_ends(NetworkInterface& interface) const override {
    const NetworkContext& context = interface.context();
    return std::make_unique<Ends>(interface, interface.context(),
                                  parameters_on(context.topology, context.hardware));
  }

 private:
  void equip(HardwareParameters& hardware, const Topology& topology) const override {
    HardwareParameters fitted = hardware;
    fitted.fit(topology);
    parameters_.check(fitted);
    hardware.router.vc_reallocation = "atomic";
    hardware.extra_flits = parameters_on(topology, hardware).padding.padded(1, topology.diameter()) - 1;
  }

  /// `hardware` must outlive the result.
  Parameters parameters_on(const Topology& topology, const HardwareParameters& hardware) const {
    Parameters p = parameters_;
    p.padding.extra_hops = routing_properties(topology, routing_).extra_hops;
    p.padding.hardware = &hardware;
    return p;
  }

  Parameters parameters_;
  RoutingSettings routing_;
};

}  // namespace
}  // namespace flitmend::fcr

namespace flitmend {

RecoveryEntry fcr_recovery() {
  return {
      .name = "fcr",
      .description =
          "messages are padded until they span their path; kill signals tear down what a fault cuts",
      .needs = fcr::kNeeds,
      .traits = {.overhead_on_every_message = true,
                 .multiple_faults = true,
                 .head_loss = true,
                 .resends_whole = true,
                 .resends_part = false},
      .keys = {"timeout", "retry_limit", "backoff_limit", "guard_timeout", "guard_acknowledgement"},
      .options = {&kKillBackoff, &fcr::kTimeoutBackoff, &fcr::kCapacity},
      .wormhole_only = true,
      .atomic_reallocation = true,
      .bytes_per_source = sizeof(FinishedIds),
      .may_lose = [](const RecoverySettings& s, const HardwareParameters&) -> std::uint32_t {
        return s.options.number(fcr::kCapacity) > 0 && s.guard_acknowledgement == "off" ? kLongestMessage : 0;
      },
      .make = [](const RecoverySettings& s, const RoutingSettings& routing)
          -> std::unique_ptr<RecoveryProtocol> { return std::make_unique<fcr::Protocol>(s, routing); },
  };
}

}  // namespace flitmend
