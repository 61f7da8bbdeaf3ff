// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/probability_vector_exchange.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>
#include <vector>

#include "protocols/routing/learnt_loops.h"
#include "protocols/routing/probability_vector_table.h"
#include "protocols/routing/probability_vectors.h"
#include "protocols/routing/up_down_table.h"
#include "rtl_tlm/interfaces/router_recovery.h"
#include "rtl_tlm/mechanisms/vectors/vector_counters.h"
#include "rtl_tlm/mechanisms/vectors/vectors.h"
#include "rtl_tlm/router/router.h"

namespace flitmend {
namespace {

/// The part of the exchange of probability vectors in one router, around the router's recovery unit. Its
/// registers are in the router's block: VectorState, VectorPort, and the vectors; and in LearntLoops.
class ProbabilityVectorUnit final : public LoopLearner {
 public:
  ProbabilityVectorUnit(const KaryCube&, const ProbabilityVectorRule&, std::unique_ptr<RouterRecovery>,
                        Router&, bool learns);

  FlitHooks hooks() const override { return recovery_->hooks(); }
  void channel_status_changed(Router&, Cycle, unsigned port, bool input_side, bool faulty) override;
  void control_arrived(Router&, Cycle, unsigned port, bool input_side) override;
  bool flit_arrived(Router& router, Cycle t, unsigned id, const Flit& flit) override {
    return recovery_->flit_arrived(router, t, id, flit);
  }
  void flit_crossed(Router& router, Cycle t, unsigned input_id, unsigned output_id,
                    const Flit& flit) override {
    recovery_->flit_crossed(router, t, input_id, output_id, flit);
  }
  void injection_torn_down(Router& router, Cycle t, unsigned id) override {
    recovery_->injection_torn_down(router, t, id);
  }
  void flit_absorbed(Router& router, Cycle t, unsigned id, const Flit& flit) override {
    recovery_->flit_absorbed(router, t, id, flit);
  }
  void no_route(Router&, unsigned input_id) override;
  unsigned learnt() const override;
  void router_reset(Router&) override;
  void router_failed(Router&) override;
  void router_repaired(Router&) override;
  bool has_requests(const Router& router) const override { return recovery_->has_requests(router); }
  bool timer_ends_wait(const Router& router, unsigned id) const override {
    return recovery_->timer_ends_wait(router, id);
  }
  void evaluate(Router&, Cycle) override;

 private:
  /// Forgets the neighbours' vectors; all elements are due.
  void power_up(Router&);
  /// Those ports whose link is healthy in both directions.
  Word healthy_ports(const RouterState&) const;
  /// What all routers have learnt from loops.
  static LearntLoops& loops(const RouterState& state) { return state.layout().context.shared<LearntLoops>(); }
  /// Neighbours out of reach, and what has been learnt from loops.
  unsigned faulty_set_size(const RouterState&) const;
  /// Element 1 follows from the faulty set.
  void compute_first(RouterState&);
  /// Computes an element from those of the neighbours. If it changes, it is due.
  void compute(RouterState&, unsigned element);
  void begin_round(RouterState&, Cycle);
  void send_bits(RouterState&, Cycle);

  const KaryCube& cube_;
  const ProbabilityVectorRule& rule_;
  std::unique_ptr<RouterRecovery> recovery_;
  const LearntLoops* loops_;  ///< null: it does not learn
  RouterId id_;
  std::vector<const double*> neighbours_;  ///< by port: scratch
  std::vector<unsigned> arrived_;          ///< numbers of the elements that are complete in this cycle
};

ProbabilityVectorUnit::ProbabilityVectorUnit(const KaryCube& cube, const ProbabilityVectorRule& rule,
                                             std::unique_ptr<RouterRecovery> recovery, Router& router,
                                             bool learns)
    : cube_(cube),
      rule_(rule),
      recovery_(std::move(recovery)),
      loops_(learns ? &loops(router.state()) : nullptr),
      id_(router.id()),
      neighbours_(rule.ports()) {
  arrived_.reserve(rule.ports());
  if (loops_ && loops_->destinations.empty()) loops(router.state()).start(cube.node_count());
  power_up(router);
}

Word ProbabilityVectorUnit::healthy_ports(const RouterState& state) const {
  Word healthy = 0;
  for (unsigned port = 0; port < rule_.ports(); ++port) {
    const PortArbiter& arbiter = state.arbiter(port);
    if (!arbiter.faulty && !arbiter.input_faulty) healthy |= Word{1} << port;
  }
  return healthy;
}

void ProbabilityVectorUnit::power_up(Router& router) {
  RouterState state = router.state();
  Vectors::exchange(state).healthy = healthy_ports(state);
  loops(state).forget(id_);
  compute_first(state);
  router.set_recovery_active(true);
}

void ProbabilityVectorUnit::router_reset(Router& router) {
  recovery_->router_reset(router);
  power_up(router);
}

void ProbabilityVectorUnit::router_failed(Router& router) {
  arrived_.clear();
  loops(router.state()).forget(id_);
  if (loops_) loops(router.state()).changed[id_] = 0;  // it computes nothing until it is back
  recovery_->router_failed(router);
}

void ProbabilityVectorUnit::router_repaired(Router& router) {
  recovery_->router_repaired(router);
  power_up(router);
}

void ProbabilityVectorUnit::compute_first(RouterState& state) {
  VectorState& v = Vectors::exchange(state);
  Vectors::own(state)[0] = rule_.first_element(faulty_set_size(state));
  v.next = 1;
  if (loops_) loops(state).changed[id_] = 0;
}

// A neighbour out of reach counts once, whatever has been learnt of it.
unsigned ProbabilityVectorUnit::faulty_set_size(const RouterState& state) const {
  unsigned size = rule_.ports() - static_cast<unsigned>(std::popcount(Vectors::exchange(state).healthy));
  if (loops_) loops_->for_each(id_, [&](NodeId node) { size += cube_.lee_distance(id_, node) > 1; });
  return size;
}

unsigned ProbabilityVectorUnit::learnt() const {
  unsigned count = 0;
  if (loops_) loops_->for_each(id_, [&](NodeId) { ++count; });
  return count;
}

void ProbabilityVectorUnit::no_route(Router& router, unsigned id) {
  recovery_->no_route(router, id);
  if (!loops_) return;
  const RouterState& state = router.state();
  const Message& message = router.context().messages[state.front(id).message];
  const NodeId to = message.destination;
  if (FaultNetwork::contains(message.head_state) ||
      message.head_state < loops_->detour + cube_.lee_distance(id_, to))
    return;
  // A neighbour that it can reach is not out of reach, however the message came.
  for (Word rest = Vectors::exchange(state).healthy; rest; rest &= rest - 1)
    if (cube_.neighbour(id_, static_cast<unsigned>(std::countr_zero(rest))) == to) return;
  if (!loops_->knows(id_, to)) loops(state).add(id_, to);
}

void ProbabilityVectorUnit::compute(RouterState& state, unsigned element) {
  if (element > rule_.elements()) return;
  VectorState& v = Vectors::exchange(state);
  for (unsigned port = 0; port < rule_.ports(); ++port)
    neighbours_[port] = v.healthy >> port & 1 ? Vectors::received(state, port) : nullptr;
  const double value = rule_.element(element, neighbours_.data());
  double& own = Vectors::own(state)[element - 1];
  if (value == own) return;
  own = value;
  v.next = std::min(v.next, static_cast<std::uint16_t>(element));
}

void ProbabilityVectorUnit::channel_status_changed(Router& router, Cycle t, unsigned port, bool input_side,
                                                   bool faulty) {
  recovery_->channel_status_changed(router, t, port, input_side, faulty);
  if (port >= rule_.ports()) return;
  RouterState state = router.state();
  VectorState& v = Vectors::exchange(state);
  const Word healthy = healthy_ports(state);
  if (healthy == v.healthy) return;
  v.healthy = healthy;
  Vectors::port(state, port) = {};
  std::fill_n(Vectors::received(state, port), rule_.elements(), 1.0);
  compute_first(state);
  for (unsigned l = 2; l <= rule_.elements(); ++l) compute(state, l);
  router.routes_changed();  // an incoming channel too decides which ports are healthy
  router.set_recovery_active(true);
}

void ProbabilityVectorUnit::control_arrived(Router& router, Cycle t, unsigned port, bool input_side) {
  recovery_->control_arrived(router, t, port, input_side);
  if (!input_side || port >= rule_.ports()) return;
  RouterState state = router.state();
  Channel& in = *state.channels(port).in;
  const auto element = static_cast<std::uint16_t>(in.take(ControlLine::vector_round, t));
  const Word bits = in.take(ControlLine::vector_bits, t);
  VectorPort& arriving = Vectors::port(state, port);
  if (!(Vectors::exchange(state).healthy >> port & 1)) return;
  if (element > 0) arriving = {.element = element};
  if (arriving.element == 0) return;
  arriving.bits |= bits << arriving.received;
  arriving.received = static_cast<std::uint16_t>(arriving.received + Vectors::wires(state.layout()));
  if (arriving.received < kVectorElementBits) return;
  Vectors::received(state, port)[arriving.element - 1] = std::bit_cast<double>(arriving.bits);
  if (std::find(arrived_.begin(), arrived_.end(), arriving.element) == arrived_.end())
    arrived_.push_back(arriving.element);
  arriving = {};
  router.set_recovery_active(true);
}

void ProbabilityVectorUnit::begin_round(RouterState& state, Cycle t) {
  VectorState& v = Vectors::exchange(state);
  v.round = v.next++;
  v.bits = std::bit_cast<std::uint64_t>(Vectors::own(state)[v.round - 1]);
  v.left = kVectorElementBits;
  v.ends = t + Vectors::round_cycles(state.layout());
  state.layout().context.shared<VectorCounters>().round(t, v.ends);
}

void ProbabilityVectorUnit::send_bits(RouterState& state, Cycle t) {
  VectorState& v = Vectors::exchange(state);
  const auto wires = Vectors::wires(state.layout());
  const Word bits = v.bits & low_bits(wires);
  const unsigned sent = std::min<unsigned>(wires, v.left);
  const bool first = v.left == kVectorElementBits;
  VectorCounters& counters = state.layout().context.shared<VectorCounters>();
  for (Word rest = v.healthy; rest; rest &= rest - 1) {
    Channel& out = *state.channels(static_cast<unsigned>(std::countr_zero(rest))).out;
    if (first) out.raise_at(ControlLine::vector_round, t + out.latency(), v.round);
    out.raise_at(ControlLine::vector_bits, t + out.latency(), bits);
    counters.elements += first;
    counters.bits += sent;
  }
  v.bits = wires < kVectorElementBits ? v.bits >> wires : 0;
  v.left = static_cast<std::uint16_t>(v.left - sent);
}

void ProbabilityVectorUnit::evaluate(Router& router, Cycle t) {
  recovery_->evaluate(router, t);
  RouterState state = router.state();
  VectorState& v = Vectors::exchange(state);
  if (loops_ && loops_->changed[id_]) compute_first(state);
  for (const unsigned element : arrived_) compute(state, element + 1);
  arrived_.clear();
  if (t >= v.ends) {
    v.round = 0;
    if (v.next <= rule_.elements()) begin_round(state, t);
  }
  if (v.left > 0) send_bits(state, t);
  if (v.round > 0) router.set_recovery_active(true);
}

RecoveryNeeds with_vector_lines(RecoveryNeeds needs) {
  needs.control_lines = static_cast<ControlLineSet>(
      needs.control_lines | line_bit(ControlLine::vector_round) | line_bit(ControlLine::vector_bits));
  return needs;
}

}  // namespace

ProbabilityVectorExchange::ProbabilityVectorExchange(const Topology& topology, unsigned wires,
                                                     std::unique_ptr<RecoveryProtocol> recovery, bool learns)
    : RecoveryProtocol(with_vector_lines(recovery->needs())),
      cube_(kary_cube_of(topology)),
      rule_(cube_.k(), cube_.n(), PvArithmetic::plain),
      wires_(wires),
      recovery_(std::move(recovery)),
      learns_(learns) {}

UnitRegisters ProbabilityVectorExchange::unit_registers() const {
  return learns_ ? UnitRegisters(kLoopRegisters) : UnitRegisters();
}

void ProbabilityVectorExchange::equip(HardwareParameters& hardware, const Topology& topology) const {
  hardware = recovery_->equipped(hardware, topology);
  hardware.vector_elements = rule_.elements();
  hardware.vector_wires = wires_;
}

std::unique_ptr<RouterRecovery> ProbabilityVectorExchange::make_unit(Router& router) const {
  return std::make_unique<ProbabilityVectorUnit>(cube_, rule_, recovery_->make_unit(router), router, learns_);
}

std::unique_ptr<InterfaceRecovery> ProbabilityVectorExchange::make_ends(NetworkInterface& interface) const {
  return recovery_->make_ends(interface);
}

}  // namespace flitmend
