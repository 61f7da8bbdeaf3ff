// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/disha/disha.h"

#include <bit>
#include <utility>

#include "rtl_tlm/interfaces/router_recovery.h"
#include "rtl_tlm/mechanisms/deadlock_lane/deadlock_lane.h"
#include "rtl_tlm/mechanisms/deadlock_lane/lane_counters.h"
#include "rtl_tlm/mechanisms/deadlock_lane/token_observer.h"
#include "rtl_tlm/node/network_interface.h"
#include "rtl_tlm/router/router.h"
#include "topologies/topology.h"

namespace flitmend {
namespace {

/// The part of Disha in one router: it times the heads that wait, passes the token on, and moves the flits of
/// the lane. Its registers are in the router's block: LaneState, HeadRoute::waited.
class DishaUnit final : public RouterRecovery {
 public:
  DishaUnit(const Disha&, Router&);

  /// Heads, which start a timer; a router without any may rest.
  FlitHooks hooks() const override { return kHeadHook; }
  bool flit_arrived(Router&, Cycle, unsigned input_id, const Flit&) override;
  void control_arrived(Router&, Cycle, unsigned port, bool input_side) override;
  void evaluate(Router&, Cycle) override;
  void router_reset(Router&) override;

  // Faults, which cannot be in a network with Disha.
  void channel_status_changed(Router&, Cycle, unsigned, bool, bool) override {}
  void router_failed(Router&) override {}
  void router_repaired(Router&) override {}

 private:
  /// The token starts in router 0.
  void power_up(Router&);
  /// Input virtual channels whose heads are timed: of those of the network ports, as a message that is still
  /// at its source holds nothing that others wait for.
  Word timed(const RouterState&, unsigned word) const;
  void empty_deadlock_buffer(RouterState&, Cycle);
  void fill_deadlock_buffer(RouterState&, Cycle);
  void time_heads(RouterState&);
  /// The head that has waited longest of those whose time-out has passed; kNoVc: there is none.
  unsigned longest_waiting(const RouterState&) const;
  void pass_token(RouterState&, Cycle);
  bool busy(const RouterState&) const;

  const Disha& disha_;
  NetworkContext& context_;
  unsigned network_ids_;  ///< input virtual channels of the network ports: the lowest ones
};

DishaUnit::DishaUnit(const Disha& disha, Router& router)
    : disha_(disha),
      context_(router.context()),
      network_ids_(static_cast<unsigned>(context_.topology.port_count(router.id()) * router.state().vcs())) {
  power_up(router);
}

void DishaUnit::power_up(Router& router) {
  const bool first = router.id() == 0;
  RouterState state = router.state();
  DeadlockLane::registers(state).token = first;
  router.set_recovery_active(first);
}

void DishaUnit::router_reset(Router& router) {
  power_up(router);
}

bool DishaUnit::flit_arrived(Router& router, Cycle, unsigned, const Flit&) {
  router.set_recovery_active(true);
  return true;
}

void DishaUnit::control_arrived(Router& router, Cycle t, unsigned port, bool input_side) {
  if (!input_side) return;
  RouterState state = router.state();
  Channel& in = *state.channels(port).in;
  if (in.take(ControlLine::lane, t)) DeadlockLane::receive(state, t, port);
  if (in.take(ControlLine::token, t)) {
    DeadlockLane::registers(state).token = true;
    DeadlockLane::registers(state).token_from = static_cast<std::uint16_t>(port);
  }
  router.set_recovery_active(true);
}

void DishaUnit::evaluate(Router& router, Cycle t) {
  RouterState state = router.state();
  DeadlockLane::give_back_port(state);
  if (DeadlockLane::registers(state).full) empty_deadlock_buffer(state, t);
  if (DeadlockLane::registers(state).recovering != kNoVc) fill_deadlock_buffer(state, t);
  time_heads(state);
  if (DeadlockLane::registers(state).token) pass_token(state, t);
  router.set_recovery_active(busy(state));
}

void DishaUnit::empty_deadlock_buffer(RouterState& state, Cycle t) {
  LaneState& lane = DeadlockLane::registers(state);
  const Flit flit = lane.flit;
  if (is_head(flit.kind)) {
    const NodeId destination = context_.messages[flit.message].destination;
    const RouterId here = state.header().id;
    lane.output = static_cast<std::uint16_t>(destination == here ? state.layout().local_port
                                                                 : disha_.lane_port(here, destination));
  }
  const unsigned port = lane.output;
  if (is_tail(flit.kind)) lane.output = kNoVc;
  if (port != state.layout().local_port) {
    DeadlockLane::send(state, t, port);
    return;
  }
  lane.full = false;
  if (is_tail(flit.kind)) {
    lane.token = true;
    lane.token_from = kNoVc;
  }
  state.header().interface->eject(t, t + state.layout().ejection_cycles, flit);
}

void DishaUnit::fill_deadlock_buffer(RouterState& state, Cycle t) {
  LaneState& lane = DeadlockLane::registers(state);
  const unsigned id = lane.recovering;
  if (state.route_fsm(id) != RouteFsm::lane) {
    const bool waits =
        state.route_fsm(id) == RouteFsm::needs_route && state.route(id).stage == PipelineStage::vc_allocation;
    if (!waits) {  // it has got an output virtual channel since it captured the token
      lane.recovering = kNoVc;
      lane.token = true;
      return;
    }
    DeadlockLane::divert(state, id);
    ++context_.shared<LaneCounters>().messages;
  }
  if (state.input(id).count == 0) return;
  const bool tail = is_tail(state.front(id).kind);
  DeadlockLane::take(state, t, id);
  if (tail) lane.recovering = kNoVc;
}

Word DishaUnit::timed(const RouterState& state, unsigned word) const {
  const unsigned before = word * kWordBits;
  return network_ids_ > before ? state.masks(word).pending & low_bits(network_ids_ - before) : 0;
}

void DishaUnit::time_heads(RouterState& state) {
  const unsigned timeout = context_.hardware.deadlock_timeout;
  for (unsigned w = 0; w < state.layout().vc_words; ++w)
    for (Word rest = timed(state, w); rest; rest &= rest - 1) {
      HeadRoute& route = state.route(w * kWordBits + static_cast<unsigned>(std::countr_zero(rest)));
      if (route.stage != PipelineStage::vc_allocation)
        route.waited = 0;
      else if (route.waited < 0xffff && ++route.waited == timeout)
        ++context_.shared<LaneCounters>().timeouts;
    }
}

unsigned DishaUnit::longest_waiting(const RouterState& state) const {
  unsigned longest = kNoVc, cycles = context_.hardware.deadlock_timeout - 1;
  for (unsigned w = 0; w < state.layout().vc_words; ++w)
    for (Word rest = timed(state, w); rest; rest &= rest - 1) {
      const unsigned id = w * kWordBits + static_cast<unsigned>(std::countr_zero(rest));
      const HeadRoute& route = state.route(id);
      if (route.stage != PipelineStage::vc_allocation || route.waited <= cycles) continue;
      longest = id;
      cycles = route.waited;
    }
  return longest;
}

void DishaUnit::pass_token(RouterState& state, Cycle t) {
  LaneState& lane = DeadlockLane::registers(state);
  const RouterId here = state.header().id;
  if (const unsigned id = longest_waiting(state); id != kNoVc) {
    lane.token = false;
    lane.recovering = static_cast<std::uint16_t>(id);
    ++context_.shared<LaneCounters>().captures;
    for (TokenObserver* observer : context_.shared<TokenObservers>()) observer->token_captured(t, here, id);
    return;
  }
  const Word ports = disha_.tour_ports(here);
  if (ports == 0) return;  // the only router
  const Word after = lane.token_from == kNoVc ? ports : ports & ~low_bits(lane.token_from + 1u);
  const auto port = static_cast<unsigned>(std::countr_zero(after ? after : ports));
  Channel& out = *state.channels(port).out;
  out.raise_at(ControlLine::token, t + out.latency(), 1);
  lane.token = false;
}

bool DishaUnit::busy(const RouterState& state) const {
  const LaneState& lane = DeadlockLane::registers(state);
  Word work = lane.full || lane.recovering != kNoVc || lane.withheld != kNoVc;
  for (unsigned w = 0; w < state.layout().vc_words; ++w)
    work |= state.masks(w).occupied | state.masks(w).pending;
  return work != 0;
}

constexpr RecoveryNeeds kDishaNeeds{
    .flit_counter = false,
    .head_copy = false,
    .mechanisms = MechanismSet{},
    .control_lines = line_bit(ControlLine::token) | line_bit(ControlLine::lane),
    .control_messages = false,
    .padding = false,
    .software_handler = false,
    .sender_copy = false,
    .id_memory = 0,
};

/// By router: its ports in a tree that spans the network, searched breadth first from router 0.
std::vector<Word> spanning_tree(const Topology& topology) {
  std::vector<Word> ports(topology.router_count());
  std::vector<bool> found(topology.router_count());
  std::vector<RouterId> reached{0};
  found[0] = true;
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (PortId port = 0; port < topology.port_count(reached[i]); ++port) {
      const auto far = topology.neighbour(reached[i], port);
      if (!far || found[far->router]) continue;
      found[far->router] = true;
      ports[reached[i]] |= Word{1} << port;
      ports[far->router] |= Word{1} << far->port;
      reached.push_back(far->router);
    }
  return ports;
}

}  // namespace

Disha::Disha(const Topology& topology, unsigned timeout)
    : RecoveryProtocol(kDishaNeeds),
      grid_(*structure_of<Grid>(topology)),
      timeout_(timeout),
      tour_(spanning_tree(topology)) {}

void Disha::equip(HardwareParameters& hardware, const Topology&) const {
  hardware.recovery_units = false;  // what they do about faults
  hardware.deadlock_timeout = timeout_;
}

std::unique_ptr<RouterRecovery> Disha::make_unit(Router& router) const {
  return std::make_unique<DishaUnit>(*this, router);
}

PortId Disha::lane_port(RouterId here, NodeId destination) const {
  unsigned dimension = 0;
  while (grid_.offset(here, destination, dimension) == 0) ++dimension;
  return grid_.port(dimension, grid_.offset(here, destination, dimension) > 0);
}

}  // namespace flitmend
