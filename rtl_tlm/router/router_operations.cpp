// SPDX-License-Identifier: Apache-2.0
// What a recovery unit may do to its router.
#include <algorithm>
#include <string>
#include <utility>

#include "rtl_tlm/router/router.h"

namespace flitmend {

void Router::absorb(Cycle, unsigned id) {
  InputVcState& vc = state_.input(id);
  if (vc.output != kNoVc) OutputController::release(state_, vc.output);
  InputController::drop_route(state_, id);
  set_bit(state_.absorbing(), id);
  state_.header().any_absorbing = true;
}

void Router::append(Cycle t, unsigned id, const Flit& flit) {
  ++context_.flits_injected;
  InputController::accept(state_, t, id, flit);
}

bool Router::awaits_tail(unsigned id) const {
  if (state_.input(id).count == 0 && state_.route_fsm(id) == RouteFsm::idle) return false;
  return !is_tail(last_flit(id).kind);
}

void Router::flush_input(Cycle t, unsigned id) {
  absorb(t, id);
  if (state_.input(id).count > 0) {
    state_.route(id).flushing = true;
    return;
  }
  clear_bit(state_.absorbing(), id);  // any_absorbing is updated in absorb_arrived
  InputController::to_idle(state_, t, id);
}

template <class F>
void Router::empty_output(unsigned output_id, F&& f) {
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

void Router::flush_output(Cycle t, unsigned output_id) {
  empty_output(output_id, [&](MessageIndex message) { context_.broken.lose(message, t); });
}

void Router::discard_output(unsigned output_id) {
  empty_output(output_id, [&](MessageIndex message) { context_.broken.discard(message); });
  if (state_.layout().atomic) OutputController::free_again(state_, output_id);
}

// The cycle of a router without a unit ignores held virtual channels, and may update a head's routing state
// as soon as the head gets its virtual channel.
void Router::require_unit(const char* operation) const {
  if (!recovery_)
    SC_REPORT_FATAL("flitmend/recovery",
                    (std::string(name()) + ": " + operation + " needs a recovery unit: attach one").c_str());
}

void Router::reroute(Cycle t, unsigned id) {
  require_unit("reroute");
  InputVcState& vc = state_.input(id);
  if (vc.output != kNoVc) OutputController::release(state_, vc.output);
  InputController::to_idle(state_, t, id);
}

void Router::drop_head(Cycle t, unsigned id) {
  const Flit head = InputController::pop(state_, id);
  discard(t, id, head);
  InputController::to_idle(state_, t, id);
}

void Router::restore_output(unsigned output_id) {
  OutputVcState& out = state_.output(output_id);
  out.credits = static_cast<std::uint16_t>(state_.layout().input_buffer);
  out.owner = kNoVc;
  state_.free_vcs(state_.port_of(output_id)) |= VcMask{1} << state_.vc_of(output_id);
  for (const MechanismHooks* mechanism : state_.layout().mechanisms)
    if (mechanism->restored) mechanism->restored(state_, output_id);
  hold(output_id, false);
}

void Router::hold(unsigned output_id, bool held) {
  require_unit("hold");
  const VcMask bit = VcMask{1} << state_.vc_of(output_id);
  VcMask& mask = state_.extras(state_.port_of(output_id)).held_vcs;
  mask = held ? mask | bit : mask & ~bit;
}

}  // namespace flitmend
