// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/mechanisms/circuits/probes.h"

#include <algorithm>
#include <bit>

#include "base/backoff.h"
#include "rtl_tlm/mechanisms/circuits/circuits.h"
#include "rtl_tlm/mechanisms/circuits/probe_counters.h"
#include "rtl_tlm/router/parts/input_controller.h"
#include "rtl_tlm/router/parts/output_controller.h"

namespace flitmend {
namespace {

/// How often the longest wait of a source has doubled. Searches that end nowhere can take longer than waits
/// that suit busy channels, and would then always meet each other.
unsigned doublings(unsigned retries) {
  constexpr unsigned kFirst = 6, kMost = 15;
  return std::min(backoff_doublings(retries, kFirst), kMost);
}

ProbeCounters& counters(const RouterState& state) {
  return state.layout().context.shared<ProbeCounters>();
}

bool at_source(const RouterState& state, unsigned id) {
  return state.port_of(id) == state.layout().local_port;
}

/// The head at the front leaves this router backwards.
void go_back(RouterState& state, Cycle t, unsigned id) {
  InputController::pop(state, id);
  if (!Circuits::leaves_again(state, id)) InputController::return_credit(state, t, id);
  ++state.layout().context.flits_discarded;  // take_back counts it again
  InputController::to_idle(state, t, id);
  CircuitPort& port = Circuits::port(state, state.port_of(id));
  if (!Circuits::circuit(state, id).met_busy) port.dead_ends |= VcMask{1} << state.vc_of(id);
  Circuits::go_back(state, &CircuitPort::backtracks, id);
  ++counters(state).turned_back;
}

/// The source waits, and then begins a new search.
void wait(RouterState& state, Cycle t, unsigned id, RandomStream& random) {
  const RouterLayout& layout = state.layout();
  Circuit& circuit = Circuits::circuit(state, id);
  const auto longest = static_cast<std::uint32_t>(layout.retry_backoff) << doublings(circuit.attempt);
  circuit.tried = 0;
  circuit.met_busy = false;
  if (circuit.attempt < 0xffff) ++circuit.attempt;
  HeadRoute& route = state.route(id);
  route.stage = PipelineStage::routing;
  route.ready = t + std::max<Cycle>(1, layout.routing_cycles) + random.below(longest);
  ++counters(state).retries;
}

/// With retry: the head that has come back over an output virtual channel does not stop before its source.
void pass_back(RouterState& state, Cycle t, unsigned id) {
  Circuits::masks(state, id / kWordBits).gated &= ~RouterState::bit_of(id);
  Circuits::release(state, t, id);
  Circuits::go_back(state, &CircuitPort::backtracks, id);
}

/// What the head finds at a virtual channel that it cannot have now.
Probes::Found look_at_vc(const RouterState& state, unsigned id, unsigned output_id) {
  using Found = Probes::Found;
  const OutputVcState& out = state.output(output_id);
  if (out.owner == kNoVc)
    return state.extras(state.port_of(output_id)).held_vcs >> state.vc_of(output_id) & 1 ? Found::busy
                                                                                         : Found::draining;
  const Circuit& its = Circuits::circuit(state, out.owner);
  const Circuit& own = Circuits::circuit(state, id);
  return its.source == own.source && its.id == own.id ? Found::own_path : Found::busy;
}

/// What the head finds at one candidate.
Probes::Found look_at(RouterState& state, unsigned id, const RouteCandidate& c) {
  using Found = Probes::Found;
  if (state.arbiter(c.port).faulty) return Found::dead_end;
  const VcMask vcs = state.class_vcs(c.port, c.vc_class);
  if (state.arbiter(c.port).unlimited ||
      OutputController::available(state, c.port, vcs, state.route(id).length))
    return Found::free;
  Found found = Found::dead_end;
  for (VcMask rest = vcs; rest; rest &= rest - 1)
    found = std::min(
        found, look_at_vc(state, id, c.port * state.vcs() + static_cast<unsigned>(std::countr_zero(rest))));
  return found;
}

}  // namespace

Probes::Found Probes::look(RouterState state, unsigned id) {
  Found found = Found::dead_end;
  for (unsigned i = 0; i < state.route(id).candidates && found != Found::free; ++i)
    found = std::min(found, look_at(state, id, state.candidates_of(id)[i]));
  return found;
}

void Probes::routed(RouterState state, unsigned id) {
  for (unsigned output_id = 0; output_id < state.ids(); ++output_id)
    if (state.output(output_id).owner != kNoVc && look_at_vc(state, id, output_id) == Found::busy)
      Circuits::circuit(state, id).met_busy = true;
}

void Probes::granted(RouterState state, unsigned id) {
  const HeadRoute& route = state.route(id);
  const RouteCandidate* const candidates = state.candidates_of(id);
  for (unsigned i = 0; i < route.candidates; ++i) {
    if (i == route.chosen || candidates[i].port != candidates[route.chosen].port) continue;
    const Found found = look_at(state, id, candidates[i]);
    if (found == Found::draining || found == Found::busy) Circuits::circuit(state, id).met_busy = true;
  }
}

bool Probes::turn_back(RouterState& state, Cycle t, unsigned id, RandomStream& random) {
  const HeadRoute& route = state.route(id);
  if (route.stage != PipelineStage::vc_allocation || t <= route.ready) return false;
  const Found found = look(state, id);
  if (found == Found::free || (found == Found::draining && t <= route.ready + state.layout().ring))
    return false;
  Circuit& circuit = Circuits::circuit(state, id);
  // Without head_history a head meets its own path only after a busy channel made it misroute.
  circuit.met_busy |= found <= Found::busy || (found == Found::own_path && !state.layout().head_history);
  if (!at_source(state, id)) {
    go_back(state, t, id);
  } else if (circuit.met_busy) {
    wait(state, t, id, random);
  } else {
    ++counters(state).dead_ends;
    return true;
  }
  return false;
}

void Probes::arrived(RouterState& state, Cycle t, unsigned number) {
  if (number >= state.layout().network_ports()) return;
  Channel& out = *state.channels(number).out;
  const VcMask dead_ends = out.take(ControlLine::no_route, t);
  for (VcMask rest = out.take(ControlLine::backtrack, t); rest; rest &= rest - 1) {
    const auto vc = static_cast<unsigned>(std::countr_zero(rest));
    const unsigned id = state.output(number * state.vcs() + vc).owner;
    Circuit& circuit = Circuits::circuit(state, id);
    circuit.met_busy |= !(dead_ends >> vc & 1);
    ++counters(state).hops_back;
    if (!state.layout().head_history && !at_source(state, id)) {
      pass_back(state, t, id);
      continue;
    }
    Circuits::take_back(state, t, id);
    HeadRoute& route = state.route(id);
    // It waits for its own credit, and never meets it as that of another message.
    if (!(state.free_vcs(number) >> vc & 1))
      route.ready = std::max<Cycle>(route.ready, t + state.layout().ring);
    if (state.layout().head_history) continue;
    // Nothing to try: turn_back makes the source wait.
    route.stage = PipelineStage::vc_allocation;
    route.candidates = 0;
    route.ready = t - 1;
  }
}

}  // namespace flitmend
