// SPDX-License-Identifier: Apache-2.0
// The steps of a router's cycle for faults and recovery, which are rarely needed.
#include <algorithm>
#include <utility>

#include "rtl_tlm/node/network_interface.h"
#include "rtl_tlm/router/router.h"

namespace flitmend {

void Router::control_arrived(Cycle t, unsigned slot) {
  const RouterLayout& layout = state_.layout();
  for (const bool input_side : {true, false}) {
    const Arrival side = input_side ? Arrival::control_in : Arrival::control_out;
    const auto take = [&](unsigned port) {
      fault_status_arrived(t, port, input_side);
      if (recovery_) recovery_->control_arrived(*this, t, port, input_side);
      if (input_side) return;
      for (const MechanismHooks* mechanism : layout.mechanisms)
        if (mechanism->control_arrived) mechanism->control_arrived(state_, t, port);
    };
    for (unsigned w = 0; w < layout.port_words; ++w)
      for (Word rest = std::exchange(state_.arriving_control(side, w)[slot], 0); rest; rest &= rest - 1)
        take(w * kWordBits + static_cast<unsigned>(std::countr_zero(rest)));
  }
  // Announcements for later cycles, including those just made by the recovery unit.
  Word coming = 0;
  for (const Arrival side : {Arrival::control_in, Arrival::control_out}) {
    const Word* const words = state_.arriving_control(side);
    for (unsigned i = 0; i < layout.port_words * layout.ring; ++i) coming |= words[i];
  }
  state_.header().any_control = coming != 0;
}

void Router::routes_changed() {
  if (recovery_active()) wake();  // its unit too may go by what the routing function knows
  for (unsigned id = 0; id < state_.ids(); ++id)
    if ((state_.masks_of(id).pending & RouterState::bit_of(id)) != 0 &&
        state_.route(id).stage == PipelineStage::vc_allocation) {
      state_.route(id).stage = PipelineStage::routing;
      wake();
    }
}

void Router::fault_status_arrived(Cycle t, unsigned port, bool input_side) {
  PortArbiter& arbiter = state_.arbiter(port);
  const bool faulty = state_.channels(port).faulty(input_side, t);
  if (faulty == (input_side ? arbiter.input_faulty : arbiter.faulty)) return;
  if (input_side) {
    arbiter.input_faulty = faulty;
  } else {
    arbiter.faulty = faulty;
    const PortArbiter* const arbiters = state_.arbiters();
    state_.header().any_faulty =
        std::any_of(arbiters, arbiters + state_.ports(), [](const PortArbiter& a) { return a.faulty; });
    routes_changed();  // candidates depend on the fault status
  }
  if (recovery_) recovery_->channel_status_changed(*this, t, port, input_side, faulty);
}

void Router::alter(unsigned id, Flit& flit) {
  for (const MechanismHooks* mechanism : state_.layout().mechanisms)
    if (mechanism->alter) mechanism->alter(state_, id, flit);
}

bool Router::refused(Cycle t, unsigned id, const Flit& flit) {
  if (recovery_->flit_arrived(*this, t, id, flit)) return false;
  discard(t, id, flit);
  return true;
}

void Router::absorb_arrived(Cycle t) {
  const unsigned words = static_cast<unsigned>(state_.layout().vc_words);
  for_each_bit(state_.absorbing(), words, [&](unsigned id) {
    InputVcState& vc = state_.input(id);
    bool& flushing = state_.route(id).flushing;
    bool done = flushing && vc.count == 0;
    if (vc.count > 0) {  // one per cycle, as the channel carries one credit per virtual channel
      const Flit flit = InputController::pop(state_, id);
      discard(t, id, flit);
      done = flushing ? vc.count == 0 : is_tail(flit.kind);
    }
    if (!done) return;
    clear_bit(state_.absorbing(), id);
    flushing = false;
    InputController::to_idle(state_, t + 1, id);
  });
  // Only now: while it is false, RouterState::absorbing is false for every virtual channel.
  state_.header().any_absorbing =
      std::any_of(state_.absorbing(), state_.absorbing() + words, [](Word w) { return w != 0; });
}

void Router::discard(Cycle t, unsigned id, const Flit& flit) {
  bool credit_due = true;
  for (const MechanismHooks* mechanism : state_.layout().mechanisms)
    if (mechanism->discarded && mechanism->discarded(state_, t, id, flit)) credit_due = false;
  if (credit_due) InputController::return_credit(state_, t, id);
  ++context_.flits_discarded;
  context_.broken.discard(flit.message);
  if (recovery_) recovery_->flit_absorbed(*this, t, id, flit);
}

void Router::abandon(Cycle t, unsigned id) {
  context_.broken.give_up(state_.front(id).message);
  absorb(t, id);
}

// Without a recovery unit, a message is dropped at its source router; elsewhere the head waits forever. With
// a unit, the unit decides.
bool Router::no_route(Cycle t, unsigned id, bool injected, PostponedSteps* postponed) {
  if (recovery_) {
    set_recovery_active(true);
    recovery_->no_route(*this, id);
    return false;
  }
  if (!injected) return false;
  const MessageIndex message = state_.front(id).message;
  if (postponed)
    postponed->unreachable.push_back(message);
  else
    context_.broken.give_up(message);
  absorb(t, id);
  return true;
}

}  // namespace flitmend
