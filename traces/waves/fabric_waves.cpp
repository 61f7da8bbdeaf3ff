// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/fabric_waves.h"

#include <cmath>

#include "traces/waves/glob.h"

namespace flitmend {

FabricWaves::FabricWaves(Fabric& fabric)
    : fabric_(fabric), probes_(recorder_), active_(mask_words(fabric.topology().router_count())) {
  const Topology& topology = fabric.topology();
  SignalTree& tree = recorder_.tree();
  const ScopeId top = tree.scope(SignalTree::kRoot, fabric.name());
  // Groups are numbered as the routers are. What a channel carries changes when its reader is about to be
  // evaluated, so it belongs to the reader's group.
  for (RouterId r = 0; r < topology.router_count(); ++r) recorder_.add_group();
  for (RouterId r = 0; r < topology.router_count(); ++r) {
    const Router& router = fabric.router(r);
    const ScopeId scope = tree.scope(top, router.basename());
    probes_.set_group(r);
    for (PortId port = 0; port < topology.port_count(r); ++port) {
      const auto far = topology.neighbour(r, port);
      if (!far) continue;
      const ScopeId place = tree.scope(scope, router.input(port).basename());
      const Channel& in = *fabric.channel(far->router, far->port);
      const Channel& out = *fabric.channel(r, port);
      const SignalId flit = probes_.add_flit(tree.scope(place, "input_flit"), in, router);
      probes_.add_forward_lines(place, in, router);
      probes_.add_port(place, router, port);
      probes_.add_backward_lines(tree.scope(place, "output"), out, router);
      const ScopeId writer = tree.scope(top, fabric.router(far->router).basename());
      probes_.add_flit_alias(
          tree.scope(tree.scope(writer, fabric.router(far->router).input(far->port).basename()),
                     "output_flit"),
          flit, in, router);
    }
    if (!router.has_local_port()) continue;
    const ScopeId place = tree.scope(scope, router.input(router.local_port()).basename());
    const NetworkInterface& interface = fabric.network_interface(r);
    if (const Channel* injection = interface.injection_channel())
      probes_.add_flit(tree.scope(place, "input_flit"), *injection, router);
    probes_.add_port(place, router, router.local_port());
    if (const Channel* ejection = interface.ejection_channel())
      probes_.add_flit(tree.scope(place, "output_flit"), *ejection, router);
    probes_.add_interface(tree.scope(scope, "interface"), interface, router);
  }
}

FabricWaves::~FabricWaves() {
  finish();
}

void FabricWaves::check(const WaveSettings& settings) const {
  if (!settings.scope.empty()) select_signals(recorder_.tree(), settings.scope);
}

WaveFiles FabricWaves::start(const WaveSettings& settings, const std::string& folder,
                             const sc_core::sc_time& clock_period) {
  const double femtoseconds = std::round(clock_period.to_seconds() * 1e15);
  const WaveFiles files =
      start_recording(recorder_, settings, folder, static_cast<std::uint64_t>(femtoseconds));
  fabric_.add_observer(static_cast<CycleObserver&>(*this));
  return files;
}

void FabricWaves::finish() {
  recorder_.finish(fabric_.cycles());
}

void FabricWaves::cycle_done(Cycle t, const Word* evaluated, const Word* arriving, unsigned words) {
  if (!recorder_.due(t)) return;
  for (unsigned w = 0; w < words; ++w) active_[w] = evaluated[w] | arriving[w];
  recorder_.cycle(t, active_.data());
}

}  // namespace flitmend
