// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/fabric_waves.h"

#include <cmath>

#include "rtl_tlm/fabric/fabric_registers.h"
#include "traces/waves/glob.h"

namespace flitmend {

FabricWaves::FabricWaves(Fabric& fabric)
    : fabric_(fabric),
      probes_(recorder_, fabric.topology()),
      active_(mask_words(fabric.topology().router_count())) {
  // One group per router. A channel's flit register changes when its reader is about to be evaluated, so it
  // belongs to the reader's group.
  for (RouterId r = 0; r < fabric.topology().router_count(); ++r) recorder_.add_group();
  visit_fabric(probes_, recorder_.tree().scope(SignalTree::kRoot, fabric.name()), fabric);
}

FabricWaves::~FabricWaves() {
  finish();
}

void FabricWaves::check(const WaveSettings& settings) const {
  if (!settings.scope.empty()) select_signals(recorder_.tree(), settings.scope);
}

namespace {
std::uint64_t femtoseconds(const sc_core::sc_time& period) {
  return static_cast<std::uint64_t>(std::round(period.to_seconds() * 1e15));
}
}  // namespace

WaveFiles FabricWaves::start(const WaveSettings& settings, const std::string& folder,
                             const sc_core::sc_time& clock_period) {
  const WaveFiles files = start_recording(recorder_, settings, folder, femtoseconds(clock_period));
  fabric_.add_observer(static_cast<CycleObserver&>(*this));
  return files;
}

void FabricWaves::mark(const WaveSettings& settings, const std::string& folder,
                       const sc_core::sc_time& clock_period, const std::vector<WaveMoment>& moments) {
  mark_recording(recorder_, settings, folder, femtoseconds(clock_period), moments);
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
