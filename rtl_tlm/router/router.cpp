// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/router/router.h"

#include <string>

#include "base/text.h"
#include "rtl_tlm/registers/register_text.h"
#include "rtl_tlm/registers/router_memory.h"
#include "rtl_tlm/signals/hierarchy_scope.h"

namespace flitmend {
namespace {

const RouterLayout& layout_of(NetworkContext& context, RouterId id) {
  const bool local = id < context.topology.node_count();
  return context.shared<RouterMemory>().layout(context, context.topology.port_count(id) + local, local);
}

}  // namespace

// Here because registers know only that there is a router.
const char* RouterState::name() const {
  return header().router->name();
}

Router::Router(sc_core::sc_module_name name, NetworkContext& context, RouterId id)
    : sc_module(name),
      context_(context),
      state_(layout_of(context, id), context.shared<RouterMemory>().block(layout_of(context, id))),
      random_(context.seed, RandomPurpose::routing, id),
      wake_(context.shared<RouterMemory>().nobody(state_.layout())),
      active_(wake_) {
  const RouterLayout& layout = state_.layout();
  state_.construct(*this, id);
  for (unsigned port = 0; port < layout.ports; ++port) {
    // Ejection is for messages of any class, unless classes must not wait for each other.
    const bool any = port == layout.local_port && context.routing.message_classes() == 1;
    for (unsigned c = 0; c < layout.classes; ++c)
      state_.class_vcs(port, c) =
          any ? low_bits(layout.vcs) : context.routing.class_vcs(id, static_cast<PortId>(port), c);
    state_.arbiter(port).unlimited = !layout.allocates_outputs(port);
  }
  if (context.full_hierarchy()) show_parts();
}

Router::~Router() {
  while (!parts_.empty()) parts_.pop_back();  // children before their parents
}

void Router::show_parts() {
  const auto show = [&](const char* name, const char* kind) {
    parts_.push_back(std::make_unique<HierarchyPart>(name, kind));
  };
  for (unsigned port = 0; port < state_.ports(); ++port) {
    show(port_name(state_, port).c_str(), "flitmend_input_controller");
    const HierarchyScope scope(*parts_.back());
    show("output", "flitmend_output_controller");
  }
  show("vc_allocator", "flitmend_vc_allocator");
  show("switch_allocator", "flitmend_switch_allocator");
  show("crossbar", "flitmend_crossbar");
}

void Router::lose_flits(Cycle t) {
  const RouterLayout& layout = state_.layout();
  for (unsigned id = 0; id < layout.ids; ++id) {
    const InputVcState& vc = state_.input(id);
    context_.flits_discarded += vc.count;
    for (unsigned i = 0; i < vc.count; ++i)
      context_.broken.lose(
          state_.input_buffer_at(id, static_cast<unsigned>((vc.first + i) % layout.input_slots)).message, t);
    const bool tail_due = state_.extras(state_.port_of(id)).tail_due >> state_.vc_of(id) & 1;
    if (tail_due) context_.broken.lose(last_flit(id).message, t);  // it will never be appended
    flush_output(t, id);
    for (const MechanismHooks* mechanism : layout.mechanisms)
      if (mechanism->lost) mechanism->lost(state_, id);
  }
}

void Router::fail(Cycle t) {
  state_.header().down = true;
  lose_flits(t);
  state_.reset();
  // The reset has erased announcements of channel status, so read the status of the next cycle here.
  update_fault_status(t + 1);
  recovery_->router_failed(*this);
  wake();  // for waves, which show routers that are evaluated
}

void Router::repair(Cycle t) {
  state_.header().down = false;
  state_.reset();
  update_fault_status(t + 1);
  recovery_->router_repaired(*this);
  wake();
}

void Router::clear() {
  for (unsigned id = 0; id < state_.ids(); ++id)
    context_.flits_discarded += state_.input(id).count + state_.output_flits(id);
  state_.reset();
  update_fault_status(context_.next_cycle + 1);
  if (recovery_) recovery_->router_reset(*this);
}

void Router::update_fault_status(Cycle t) {
  bool any = false;
  for (unsigned port = 0; port < state_.ports(); ++port) {
    PortArbiter& arbiter = state_.arbiter(port);
    arbiter.input_faulty = state_.channels(port).faulty(true, t);
    any |= arbiter.faulty = state_.channels(port).faulty(false, t);
  }
  state_.header().any_faulty = any;
}

unsigned Router::credits(PortId port) const {
  unsigned sum = 0;
  for (unsigned vc = 0; vc < state_.vcs(); ++vc) sum += state_.output(port * state_.vcs() + vc).credits;
  return sum;
}

void Router::too_many_candidates(Cycle t) const {
  SC_REPORT_FATAL("flitmend/routing",
                  formatted("%1%: cycle %2%: the routing function gave more than its max_candidates() = %3%",
                            name(), t, state_.layout().max_candidates)
                      .c_str());
}

void Router::injection_torn_down(Cycle t, unsigned id) {
  if (recovery_) recovery_->injection_torn_down(*this, t, id);
}

void Router::acknowledge(Cycle t, unsigned id, MessageIndex packet) {
  for (const MechanismHooks* mechanism : state_.layout().mechanisms)
    if (mechanism->packet_received && mechanism->packet_received(state_, t, id, packet)) wake();
}

RouteRequest Router::injection_request(const Message& message, unsigned vc) {
  return {state_.header().id,
          message.source,
          message.destination,
          RouteRequest::kInjected,
          static_cast<std::uint8_t>(vc),
          message.head_state,
          state_.header().any_faulty ? this : nullptr,
          &random_,
          state_.layout().looks_at_outputs ? this : nullptr};
}

}  // namespace flitmend
