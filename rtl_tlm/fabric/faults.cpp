// SPDX-License-Identifier: Apache-2.0
// What faults and repairs do to a fabric and to the messages that they hit.
#include <algorithm>
#include <string>
#include <utility>

#include "rtl_tlm/fabric/fabric.h"

namespace flitmend {

void Fabric::require_faults_allowed(const char* operation) const {
  const RouterSettings& router = context_.hardware.router;
  const bool goes_around = router.at_busy() == AtBusy::backtrack;
  const char* why =
      !context_.hardware.recovery_units ? " needs a recovery protocol: give one to the fabric's constructor"
      : reserves_paths(router.technique()) && !goes_around
          ? ": its switching technique has no hardware for faults; use another"
      : goes_around && context_.flits_injected > 0
          ? ": its switching technique has no hardware for faults that cut paths: call it before "
            "the first message, or use another"
      : evaluating_ ? " within a clock cycle: call it between two rising edges"
                    : nullptr;
  if (why) SC_REPORT_FATAL("flitmend/faults", (std::string(name()) + ": " + operation + why).c_str());
}

bool Fabric::next_to_foreign(RouterId router, PortId port) const {
  if (boundaries_.empty()) return false;
  const auto foreign = [&](RouterId id) {
    return std::any_of(boundaries_.begin(), boundaries_.end(), [&](const auto& b) { return b->id() == id; });
  };
  const auto far_end_foreign = [&](PortId p) {
    const auto far = context_.topology.neighbour(router, p);
    return far && foreign(far->router);
  };
  if (foreign(router)) return true;
  if (port != kNoPort) return far_end_foreign(port);
  for (PortId p = 0; p < context_.topology.port_count(router); ++p)
    if (far_end_foreign(p)) return true;
  return false;
}

void Fabric::require_not_next_to_foreign(const char* operation, RouterId router, PortId port) const {
  if (!next_to_foreign(router, port)) return;
  const Topology& topology = context_.topology;
  SC_REPORT_FATAL(
      "flitmend/faults",
      (std::string(name()) + ": " + operation + ": " + topology.router_name(router) +
       (port == kNoPort ? "" : "." + topology.port_name(router, port)) +
       " is a router of your own, or next to one, which has no pins for faults: let another part fail")
          .c_str());
}

void Fabric::note_unseen(RouterId router, PortId port) {
  if (unseen_before_ != context_.next_cycle) unseen_.clear();
  unseen_before_ = context_.next_cycle;
  unseen_.emplace_back(router, port);
}

void Fabric::require_seen(const char* operation, RouterId router, PortId port) const {
  if (unseen_before_ != context_.next_cycle ||
      std::find(unseen_.begin(), unseen_.end(), std::pair(router, port)) == unseen_.end())
    return;
  const Topology& topology = context_.topology;
  const std::string part =
      topology.router_name(router) + (port == kNoPort ? "" : "." + topology.port_name(router, port));
  SC_REPORT_FATAL("flitmend/faults", (std::string(name()) + ": " + operation + ": " + part +
                                      " has failed since the last rising edge, and its neighbours have not "
                                      "seen it: repair it after the next one")
                                         .c_str());
}

void Fabric::lose_flits_on(const Channel& channel) {
  channel.for_each_flit_underway([&](const Flit& flit) {
    ++context_.flits_discarded;
    context_.broken.lose(flit.message, context_.next_cycle - 1);
  });
}

void Fabric::update_channel(RouterId router, PortId port) {
  Channel* const channel = channels_[router][port].get();
  const Cycle now = context_.next_cycle - 1;
  const bool faulty = context_.faults.blocked(router, port);
  if (!channel || channel->faulty(context_.next_cycle) == faulty) return;
  lose_flits_on(*channel);
  if (faulty) {
    note_unseen(router, port);
    channel->fail(now);
  } else {
    channel->repair(now);
  }
}

void Fabric::update_link(RouterId router, PortId port) {
  update_channel(router, port);
  if (const auto far = context_.topology.neighbour(router, port)) update_channel(far->router, far->port);
}

void Fabric::update_links_of(RouterId router) {
  for (PortId port = 0; port < context_.topology.port_count(router); ++port) update_link(router, port);
}

void Fabric::faults_changed() {
  ++context_.fault_changes;
  context_.last_fault_change = context_.next_cycle;
  tell_routing();
  tell_hits();
}

void Fabric::fail_router(RouterId id, bool permanent) {
  require_faults_allowed("fail_router");
  require_not_next_to_foreign("fail_router", id, kNoPort);
  const Cycle now = context_.next_cycle - 1;
  const bool node = id < node_count();
  if (!context_.faults.router_faulty(id)) {
    context_.faults.fail_router(id);
    note_unseen(id, kNoPort);
    update_links_of(id);
    if (node)
      for (const auto* side : {&injection_, &ejection_})
        if (!side->empty()) {
          lose_flits_on(*(*side)[id]);
          (*side)[id]->fail(now);
        }
    routers_[id]->fail(now);
    if (node) interfaces_[id]->router_failed(now);
  }
  if (permanent) context_.permanent_faults.fail_router(id);
  if (permanent && node && !context_.node_dead(id)) {
    context_.dead_nodes.resize(node_count());
    context_.dead_nodes[id] = context_.any_dead_node = true;
    interfaces_[id]->node_died(now);
  }
  faults_changed();
}

void Fabric::repair_router(RouterId id) {
  require_faults_allowed("repair_router");
  require_seen("repair_router", id, kNoPort);
  if (!context_.faults.router_faulty(id) || (id < node_count() && context_.node_dead(id))) return;
  const Cycle now = context_.next_cycle - 1;
  context_.faults.repair_router(id);
  context_.permanent_faults.repair_router(id);
  update_links_of(id);
  if (id < node_count())
    for (const auto* side : {&injection_, &ejection_})
      if (!side->empty()) (*side)[id]->repair(now);
  routers_[id]->repair(now);
  if (id < node_count()) interfaces_[id]->router_repaired();
  faults_changed();
}

void Fabric::fail_link(RouterId router, PortId port, bool one_way, bool permanent) {
  require_faults_allowed("fail_link");
  require_not_next_to_foreign("fail_link", router, port);
  const auto fail = [&](FaultSet& faults) {
    one_way ? faults.fail_channel(router, port) : faults.fail_link(router, port);
  };
  fail(context_.faults);
  if (permanent) fail(context_.permanent_faults);
  update_link(router, port);
  faults_changed();
}

void Fabric::repair_link(RouterId router, PortId port, bool one_way) {
  require_faults_allowed("repair_link");
  require_seen("repair_link", router, port);
  if (const auto far = context_.topology.neighbour(router, port); far && !one_way)
    require_seen("repair_link", far->router, far->port);
  for (FaultSet* faults : {&context_.faults, &context_.permanent_faults})
    one_way ? faults->repair_channel(router, port) : faults->repair_link(router, port);
  update_link(router, port);
  faults_changed();
}

// Observers are notified of originals only, and once per original.
void Fabric::tell_hits() {
  for (const MessageIndex index : context_.broken.take_hits()) {
    for (PacketObserver* observer : context_.packet_observers)
      observer->packet_cut(index, context_.messages[index], context_.messages.loss(index).hit);
    const MessageIndex carried = context_.messages[index].original;
    if (carried == kNoMessage && context_.messages[index].kind == MessageKind::control) continue;
    const MessageIndex original = carried == kNoMessage ? index : carried;
    Message& message = context_.messages[original];
    const bool arrived = !ends_.empty() && context_.messages.fields(original).delivered;
    if (message.hit || arrived) continue;
    message.hit = true;
    for (MessageObserver* observer : context_.observers)
      observer->message_hit(original, message, context_.messages.loss(index).hit);
  }
}

void Fabric::settle_broken(Cycle t) {
  tell_hits();
  for (const MessageIndex index : context_.broken.take_ended()) {
    const NodeId source = context_.messages[index].source;
    if (!ends_.empty()) {
      ends_[source]->spent(t, index);
      interfaces_[source]->stay_awake();  // a timer may have been set
    } else if (context_.messages.loss(index).delivered) {
      context_.messages.release(index);
    } else {
      interfaces_[source]->settle(index, t, context_.messages.loss(index).unreachable);
    }
  }
}

// A notice may send a message, but delivers none.
void Fabric::tell_delivered(Cycle t) {
  for (const MessageIndex index : context_.delivered)
    ends_[context_.messages[index].source]->delivered(t, index);
  context_.delivered.clear();
}

bool Fabric::recovering(const Router& router) const {
  const RouterState& state = router.state();
  for (unsigned port = 0; port < context_.topology.port_count(router.id()); ++port) {
    const PortExtras& extras = state.extras(port);
    if (extras.tail_due != 0 || (extras.resync_due != 0 && !state.arbiter(port).input_faulty) ||
        (extras.held_vcs != 0 && !state.port_dead(port)))
      return true;
  }
  for (const MechanismHooks* mechanism : state.layout().mechanisms)
    if (mechanism->recovering && mechanism->recovering(state)) return true;
  return false;
}

bool Fabric::quiet() const {
  if (context_.messages_in_network > 0 || socket_context_.transactions.in_use() > 0) return false;
  if (!ends_.empty() && context_.messages.in_use() > context_.copies_of_delivered) return false;
  for (const auto& ends : ends_)
    if (ends->active()) return false;
  if (!units_.empty() || context_.hardware.router.heads_go_back())
    for (const auto& router : routers_)
      if (!router->down() &&
          (recovering(*router) || (!units_.empty() && units_[router->id()]->unit().has_requests(*router))))
        return false;
  if (!context_.hardware.mechanisms.empty())
    for (const auto& interface : interfaces_)
      if (interface->injector.gates().tails != 0) return false;
  return true;
}

}  // namespace flitmend
