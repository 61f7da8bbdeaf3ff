// SPDX-License-Identifier: Apache-2.0
// The management step: what a fabric does about faults that its routing tables must know.
#include <algorithm>

#include "rtl_tlm/fabric/fabric.h"
#include "rtl_tlm/fabric/routed_faults.h"

namespace flitmend {
namespace {

/// Of recomputing_since_: the step begins with the next cycle. Further failures before it belong to the same
/// step, such as those of a link's two channels.
constexpr Cycle kBegins = kNever - 1;

}  // namespace

void Fabric::tell_routing() {
  if (cycle_ == 0 || !routing_.needs_management()) {
    routing_.update_faults(routed_faults(context_.faults, context_.hardware));
    if (cycle_ > 0 && routing_.knows_all_faults())
      for (const auto& router : routers_) router->routes_changed();
    return;
  }
  if (context_.sources_stopped && recomputing_since_ != kBegins) ++context_.management_counters.restarts;
  context_.sources_stopped = true;
  recomputing_since_ = kBegins;
  for (auto& interface : interfaces_) interface->stay_awake();  // for waves
}

// A message whose flits are all gone may still have a virtual channel: copies of it are kept, and sent again
// after a fault, or its path is held until it is acknowledged.
bool Fabric::drained() const {
  const auto empty = [](const Router& router) {
    const RouterState& state = router.state();
    for (unsigned id = 0; id < state.ids(); ++id)
      if (state.in_use(id)) return false;
    return true;
  };
  return context_.flits_injected == context_.flits_consumed + context_.flits_discarded &&
         std::none_of(interfaces_.begin(), interfaces_.end(),
                      [](const auto& interface) { return interface->injector.midway(); }) &&
         std::all_of(routers_.begin(), routers_.end(),
                     [&](const auto& router) { return router->down() || empty(*router); });
}

void Fabric::manage(Cycle t) {
  if (recomputing_since_ >= kBegins) {
    recomputing_since_ = kNever;
    if (!drained()) {
      ++context_.management_counters.drain_cycles;
      return;
    }
    recomputing_since_ = t;
  }
  if (t - recomputing_since_ >= routing_.recomputation_cycles())
    end_management();
  else
    ++context_.management_counters.recomputation_cycles;
}

void Fabric::end_management() {
  ++context_.management_counters.steps;
  context_.sources_stopped = false;
  routing_.update_faults(routed_faults(context_.faults, context_.hardware));
  for (NodeId node = 0; node < node_count(); ++node) {
    interfaces_[node]->look_up_again();
    set_bit(evaluated_.data(), node);  // for waves
  }
  for (const auto& router : routers_) router->routes_changed();
}

}  // namespace flitmend
