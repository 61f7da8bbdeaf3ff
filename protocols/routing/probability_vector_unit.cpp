// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/probability_vector_unit.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "rtl_tlm/mechanisms/vectors/vector_counters.h"
#include "rtl_tlm/mechanisms/vectors/vectors.h"

namespace flitmend {

ProbabilityVectorUnit::ProbabilityVectorUnit(const ProbabilityVectorRule& rule,
                                             std::unique_ptr<RouterRecovery> recovery, Router& router)
    : rule_(rule), recovery_(std::move(recovery)), neighbours_(rule.ports()) {
  arrived_.reserve(rule.ports());
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
  compute_first(state);
  router.set_recovery_active(true);
}

void ProbabilityVectorUnit::router_reset(Router& router) {
  recovery_->router_reset(router);
  power_up(router);
}

void ProbabilityVectorUnit::router_failed(Router& router) {
  arrived_.clear();
  recovery_->router_failed(router);
}

void ProbabilityVectorUnit::router_repaired(Router& router) {
  recovery_->router_repaired(router);
  power_up(router);
}

void ProbabilityVectorUnit::compute_first(RouterState& state) {
  VectorState& v = Vectors::exchange(state);
  Vectors::own(state)[0] =
      rule_.first_element(rule_.ports() - static_cast<unsigned>(std::popcount(v.healthy)));
  v.next = 1;
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
  for (const unsigned element : arrived_) compute(state, element + 1);
  arrived_.clear();
  if (t >= v.ends) {
    v.round = 0;
    if (v.next <= rule_.elements()) begin_round(state, t);
  }
  if (v.left > 0) send_bits(state, t);
  if (v.round > 0) router.set_recovery_active(true);
}

}  // namespace flitmend
