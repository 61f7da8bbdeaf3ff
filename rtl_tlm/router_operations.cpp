// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/router_operations.h"

#include <algorithm>
#include <string>
#include <utility>

#include "rtl_tlm/copies.h"
#include "rtl_tlm/network_interface.h"
#include "rtl_tlm/router.h"
#include "rtl_tlm/tail_signals.h"

namespace flitmend {

RouterOperations::RouterOperations(sc_core::sc_module_name name, NetworkContext& context, RouterId id)
    : RouterWiring(name, context, id) {}

Router& RouterOperations::router() {
  return static_cast<Router&>(*this);
}

void RouterOperations::attach(RouterRecovery& recovery) {
  const auto refuse = [&](const char* why) {
    SC_REPORT_FATAL("flitmend/recovery", (std::string(name()) + ": " + why).c_str());
  };
  if (context_.next_cycle > 0) refuse("a recovery unit comes after the first cycle; attach it before");
  if (!state_.layout().recovery_units && !state_.layout().deadlock_buffer())
    refuse("its hardware has no recovery units; set HardwareParameters::recovery_units");
  recovery_ = &recovery;
  set_hooks(recovery.hooks());
}

void RouterOperations::discard(Cycle t, unsigned id, const Flit& flit) {
  if (state_.layout().keeps_copies)
    Copies::discarded(state_, t, id, flit);
  else if (!state_.layout().circuits || !Circuits::leaves_again(state_, id))
    InputController::return_credit(state_, t, id);
  ++context_.flits_discarded;
  context_.broken.discard(flit.message);
  if (state_.layout().tail_shadows && is_tail(flit.kind)) TailSignals::discarded(state_, t, id);
  if (recovery_) recovery_->flit_absorbed(router(), t, id, flit);
}

bool RouterOperations::refused(Cycle t, unsigned id, const Flit& flit) {
  if (recovery_->flit_arrived(router(), t, id, flit)) return false;
  discard(t, id, flit);
  return true;
}

void RouterOperations::injection_killed(Cycle t, unsigned id) {
  if (recovery_) recovery_->injection_killed(router(), t, id);
}

void RouterOperations::absorb(Cycle, unsigned id) {
  InputVcState& vc = state_.input(id);
  if (vc.output != kNoVc) OutputController::release(state_, vc.output);
  InputController::drop_route(state_, id);
  set_bit(state_.absorbing(), id);
  state_.header().any_absorbing = true;
}

void RouterOperations::absorb_arrived(Cycle t) {
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

void RouterOperations::append(Cycle t, unsigned id, const Flit& flit) {
  ++context_.flits_injected;
  InputController::accept(state_, t, id, flit);
}

bool RouterOperations::awaits_tail(unsigned id) const {
  if (state_.input(id).count == 0 && state_.route_fsm(id) == RouteFsm::idle) return false;
  return !is_tail(last_flit(id).kind);
}

void RouterOperations::flush_input(Cycle t, unsigned id) {
  absorb(t, id);
  if (state_.input(id).count > 0) {
    state_.route(id).flushing = true;
    return;
  }
  clear_bit(state_.absorbing(), id);  // any_absorbing is updated in absorb_arrived
  InputController::to_idle(state_, t, id);
}

template <class F>
void RouterOperations::empty_output(unsigned output_id, F&& f) {
  const unsigned depth = static_cast<unsigned>(state_.layout().output_buffer);
  if (depth == 0) return;
  OutputBufferState& buffer = state_.output_buffer(output_id);
  context_.flits_discarded += buffer.count;
  for (unsigned i = 0; i < buffer.count; ++i)
    f(state_.output_slot(output_id, (buffer.first + i) % depth).flit.message);
  buffer.count = 0;
  state_.mark_unbuffered(output_id);
  const unsigned owner = state_.output(output_id).owner;
  if (owner != kNoVc && OutputController::room(state_, output_id) > 0)
    state_.masks_of(owner).has_credit |= RouterState::bit_of(owner);
}

void RouterOperations::flush_output(Cycle t, unsigned output_id) {
  empty_output(output_id, [&](MessageIndex message) { context_.broken.lose(message, t); });
}

void RouterOperations::discard_output(unsigned output_id) {
  empty_output(output_id, [&](MessageIndex message) { context_.broken.discard(message); });
  if (state_.layout().atomic) OutputController::free_again(state_, output_id);
}

// The cycle of a router without a unit ignores held virtual channels, and may update a head's routing state
// as soon as the head gets its virtual channel.
void RouterOperations::require_unit(const char* operation) const {
  if (!recovery_)
    SC_REPORT_FATAL("flitmend/recovery",
                    (std::string(name()) + ": " + operation + " needs a recovery unit: attach one").c_str());
}

void RouterOperations::reroute(Cycle t, unsigned id) {
  require_unit("reroute");
  InputVcState& vc = state_.input(id);
  if (vc.output != kNoVc) OutputController::release(state_, vc.output);
  InputController::to_idle(state_, t, id);
}

void RouterOperations::drop_head(Cycle t, unsigned id) {
  const Flit head = InputController::pop(state_, id);
  discard(t, id, head);
  InputController::to_idle(state_, t, id);
}

void RouterOperations::take_back(Cycle t, unsigned id) {
  require_unit("take_back");
  InputVcState& vc = state_.input(id);
  const HeadCopy& copy = state_.head_copy(id);
  Message& message = context_.messages[copy.message];
  message.head_state = copy.word;
  message.hops = copy.hops;
  state_.circuit(id).tried |= std::uint64_t{1} << state_.output_port(id);
  OutputController::release(state_, vc.output);
  InputController::drop_route(state_, id);
  const auto slots = static_cast<unsigned>(state_.layout().input_slots);
  vc.first = static_cast<std::uint16_t>((vc.first + slots - 1) % slots);
  ++vc.count;
  Flit& head = state_.input_buffer_at(id, vc.first);
  head = {.message = copy.message,
          .number = 0,
          .kind = message.length == 1 ? FlitKind::head_tail : FlitKind::head};
  head.vc = static_cast<std::uint8_t>(state_.vc_of(id));
  state_.masks_of(id).occupied |= RouterState::bit_of(id);
  state_.circuit_masks(id / kWordBits).returned |= RouterState::bit_of(id);
  ++context_.flits_injected;
  context_.broken.put_back(copy.message);
  InputController::start_route_computation(state_, t, id);
}

void RouterOperations::end_circuits(Cycle t) {
  const unsigned local = static_cast<unsigned>(state_.layout().local_port);
  if (local == RouterShape::kNoPort) return;
  CircuitPort& port = state_.circuit_port(local);
  if (port.backward() == 0) return;
  const VcMask acknowledged = std::exchange(port.acknowledgements, 0);
  for (VcMask rest = acknowledged | std::exchange(port.kills, 0); rest; rest &= rest - 1)
    state_.header().interface->circuit_ended(t, static_cast<unsigned>(std::countr_zero(rest)),
                                             acknowledged & rest & -rest);
}

void RouterOperations::restore_output(unsigned output_id) {
  OutputVcState& out = state_.output(output_id);
  out.credits = static_cast<std::uint16_t>(state_.layout().input_buffer);
  out.owner = kNoVc;
  state_.free_vcs(state_.port_of(output_id)) |= VcMask{1} << state_.vc_of(output_id);
  if (state_.layout().keeps_copies) Copies::forget(state_, output_id);
  hold(output_id, false);
}

void RouterOperations::hold(unsigned output_id, bool held) {
  require_unit("hold");
  const VcMask bit = VcMask{1} << state_.vc_of(output_id);
  VcMask& mask = state_.extras(state_.port_of(output_id)).held_vcs;
  mask = held ? mask | bit : mask & ~bit;
}

// Without a recovery unit, a message is given up at its source router; elsewhere the head waits forever. With
// a unit, the unit decides.
bool RouterOperations::no_way(Cycle t, unsigned id, bool injected) {
  if (recovery_) {
    set_recovery_active(true);
    return false;
  }
  if (!injected) return false;
  context_.broken.give_up(state_.front(id).message);
  absorb(t, id);
  return true;
}

void RouterOperations::control_arrived(Cycle t, unsigned slot) {
  const RouterLayout& layout = state_.layout();
  for (const bool input_side : {true, false}) {
    const Arrival side = input_side ? Arrival::control_in : Arrival::control_out;
    const auto take = [&](unsigned port) {
      fault_status_arrived(t, port, input_side);
      if (recovery_) recovery_->control_arrived(router(), t, port, input_side);
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

void RouterOperations::fault_status_arrived(Cycle t, unsigned port, bool input_side) {
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
    // Heads that wait for a virtual channel route again: their candidates depend on the fault status.
    for (unsigned id = 0; id < state_.ids(); ++id)
      if ((state_.masks_of(id).pending & RouterState::bit_of(id)) != 0 &&
          state_.route(id).stage == PipelineStage::vc_allocation)
        state_.route(id).stage = PipelineStage::routing;
  }
  if (recovery_) recovery_->channel_status_changed(router(), t, port, input_side, faulty);
}

}  // namespace flitmend
