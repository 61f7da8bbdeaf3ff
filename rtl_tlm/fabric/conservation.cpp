// SPDX-License-Identifier: Apache-2.0
// Counts what is in a fabric: every flit, credit and virtual channel.
#include <algorithm>

#include "rtl_tlm/fabric/fabric.h"

namespace flitmend {

ConservationReport Fabric::check_conservation() const {
  ConservationReport report;
  report.flits_injected = context_.flits_injected;
  report.flits_consumed = context_.flits_consumed;
  report.flits_discarded = context_.flits_discarded;

  // Credits of one output virtual channel: those at the output + those on their way back + those used by
  // flits on the channel or in the next buffer.
  std::uint64_t surplus = 0;
  const auto account = [&](std::uint64_t home, const Channel& channel, unsigned vc, std::uint64_t buffered) {
    const std::uint64_t found = home + channel.credits_underway(vc) + channel.flits_underway(vc) + buffered;
    const std::uint64_t slots = context_.hardware.router.input_buffer;
    report.credits_missing += slots - std::min(found, slots);
    surplus += found - std::min(found, slots);
  };

  for (const auto& router : routers_) {
    const RouterState& state = router->state();
    if (router->down()) continue;  // empty, and its channels are dead
    report.flits_in_network += state.mechanism_flits();
    for (const MechanismHooks* mechanism : state.layout().mechanisms)
      if (mechanism->busy_vcs) report.busy_vcs += mechanism->busy_vcs(state);
    for (unsigned id = 0; id < state.ids(); ++id) {
      const InputVcState& in = state.input(id);
      const OutputVcState& out = state.output(id);
      report.flits_in_network += in.count + state.output_flits(id);
      const unsigned port = state.port_of(id), vc = state.vc_of(id);
      const bool given = !(state.free_vcs(port) >> vc & 1);
      const bool held = state.extras(port).held_vcs >> vc & 1;
      report.busy_vcs += state.in_use(id);
      report.busy_vcs += out.owner != kNoVc || ((given || held) && !state.port_dead(port));
    }
    for (unsigned p = 0; p < context_.topology.port_count(router->id()); ++p) {
      const Channel* channel = state.channels(p).out;
      const auto far = context_.topology.neighbour(router->id(), static_cast<PortId>(p));
      if (!channel || !far || state.arbiter(p).faulty) continue;  // a dead channel has no credits
      const RouterState& next = routers_[far->router]->state();
      report.flits_in_network += channel->flits_underway_beside_vcs();
      for (unsigned vc = 0; vc < state.vcs(); ++vc) {
        report.flits_in_network += channel->flits_underway(vc);
        if (state.extras(p).held_vcs >> vc & 1) continue;  // RESYNC restores them
        const unsigned far_id = far->port * state.vcs() + vc;
        account(state.output(p * state.vcs() + vc).credits, *channel, vc,
                std::uint64_t{next.input(far_id).count} + next.sent_slots(far_id));
      }
    }
  }
  // A foreign router may have returned the credit of a flit that is still inside.
  for (const auto& boundary : boundaries_) {
    report.flits_in_network += boundary->flits_inside();
    const RouterState& state = routers_[boundary->id()]->state();
    for (unsigned id = 0; id < state.ids(); ++id) report.flits_in_network -= state.input(id).count;
  }
  for (NodeId node = 0; node < node_count(); ++node) {
    const NetworkInterface& interface = *interfaces_[node];
    const RouterState& state = routers_[node]->state();
    const unsigned local = routers_[node]->local_port() * state.vcs();
    if (routers_[node]->down()) continue;
    report.flits_in_network += interface.receiver.underway();
    for (unsigned vc = 0; vc < state.vcs(); ++vc) {
      report.busy_vcs += interface.injector.sending(vc) != kNoMessage;
      report.busy_vcs += interface.injector.gates().tails >> vc & 1;
      report.busy_vcs += interface.injector.path(vc) != kNoMessage;
      if (const Channel* channel = interface.injection_channel()) {
        report.flits_in_network += channel->flits_underway(vc);
        account(interface.injector.credits(vc), *channel, vc,
                std::uint64_t{state.input(local + vc).count} + state.sent_slots(local + vc));
      }
      if (const Channel* channel = interface.ejection_channel()) {
        report.flits_in_network += channel->flits_underway(vc);
        report.flits_in_network += interface.receiver.kept(vc);
        account(state.output(local + vc).credits, *channel, vc, interface.receiver.kept(vc));
      }
    }
  }
  // While flits move, a credit may be counted with the slot that it is for.
  if (report.flits_in_network == 0 && report.busy_vcs == 0) report.credits_missing += surplus;
  return report;
}

}  // namespace flitmend
