// What a recovery unit may do to a router's virtual channels.
#include <algorithm>

#include "rtl_tlm/network_interface.h"
#include "rtl_tlm/router.h"

namespace flitmend {

void Router::discard(Cycle t, unsigned id, const Flit& flit) {
  InputController::return_credit(state_, t, id);
  ++context_.flits_discarded;
  if (recovery_)
    recovery_->flit_absorbed(*this, t, id, flit);
  else if (interface_ && closes(flit.kind))
    interface_->undeliverable(flit.message, t);
}

void Router::absorb(Cycle t, unsigned id) {
  InputVcState& vc = state_.input[id];
  if (vc.output != kNoVc) OutputController::release(state_, vc.output);
  vc.output = kNoVc;
  vc.fsm = RouteFsm::absorb;
  vc.stage = PipelineStage::none;
  clear_bit(state_.pending.data(), id);
  clear_bit(state_.routed.data(), id);
  clear_bit(state_.space.data(), id);
  clear_bit(state_.direct.data(), id);
  set_bit(state_.absorbing.data(), id);
  any_absorbing_ = true;
  static_cast<void>(t);
}

void Router::absorb_arrived(Cycle t) {
  any_absorbing_ = false;
  for_each_bit(state_.absorbing.data(), state_.vc_words, [&](unsigned id) {
    InputVcState& vc = state_.input[id];
    bool done = vc.flushing && vc.count == 0;
    if (vc.count > 0) {  // one a cycle: the channel carries one credit a virtual channel
      const Flit flit = InputController::take(state_, id);
      discard(t, id, flit);
      done = vc.flushing ? vc.count == 0 : closes(flit.kind);
    }
    if (done) {
      clear_bit(state_.absorbing.data(), id);
      vc.flushing = false;
      InputController::to_idle(state_, t + 1, id);
    } else {
      any_absorbing_ = true;
    }
  });
}

void Router::append(Cycle t, unsigned id, const Flit& flit) {
  ++context_.flits_injected;
  InputController::accept(state_, t, id, flit);
}

void Router::flush_input(Cycle t, unsigned id) {
  rewind(id);
  absorb(t, id);
  state_.input[id].flushing = true;
}

void Router::flush_output(unsigned output_id) {
  OutputVcState& output = state_.output[output_id];
  const unsigned port = state_.port_of[output_id];
  context_.flits_discarded += output.queued;
  output.queued = 0;
  state_.port[port].output_queued &= ~(VcMask{1} << (output_id - port * state_.vcs));
  if (output.owner != kNoVc && OutputController::room(state_, output_id) > 0)
    set_bit(state_.space.data(), output.owner);
}

void Router::reroute(Cycle t, unsigned id) {
  InputVcState& vc = state_.input[id];
  if (vc.output != kNoVc) OutputController::release(state_, vc.output);
  InputController::to_idle(state_, t, id);
}

void Router::hold(unsigned output_id, bool held) {
  const unsigned port = state_.port_of[output_id];
  const VcMask bit = VcMask{1} << (output_id - port * state_.vcs);
  VcMask& mask = state_.port[port].held_vcs;
  mask = held ? mask | bit : mask & ~bit;
}

void Router::free_copy(Cycle t, unsigned id) {
  --state_.input[id].retained;
  InputController::return_credit(state_, t, id);
}

void Router::rewind(unsigned id) {
  InputVcState& vc = state_.input[id];
  const unsigned back = vc.retained;
  context_.flits_injected += back;
  vc.first = static_cast<std::uint16_t>((vc.first + state_.depth - back) % state_.depth);
  vc.count = static_cast<std::uint16_t>(vc.count + back);
  vc.flits_sent -= back;
  vc.retained = 0;
  if (vc.count > 0) set_bit(state_.occupied.data(), id);
}

void Router::forget_interface_arrivals() {
  for (ArrivalSlot& slot : state_.arrivals)
    slot[Arrival::interface_flits] = slot[Arrival::interface_credits] = 0;
}

void Router::clear() {
  std::uint64_t lost = 0;
  for (const InputVcState& vc : state_.input) lost += vc.count;
  for (const OutputVcState& vc : state_.output) lost += vc.queued;
  context_.flits_discarded += lost;
  state_.reset(context_.hardware);
  vc_allocator_->reset();
  crossbar_allocator_->reset();
  any_absorbing_ = false;
  if (recovery_) recovery_->router_reset(*this);
}

}  // namespace flitmend
