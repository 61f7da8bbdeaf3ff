// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/fabric_waves.h"

#include <algorithm>
#include <cmath>
#include <exception>

#include "rtl_tlm/fabric/fabric_registers.h"
#include "rtl_tlm/signals/clock_edges.h"
#include "traces/waves/glob.h"

namespace flitmend {
namespace {

/// A name of modules as viewers can read it. Only those around a fabric have names that are not ours, and
/// they are around all of its signals, so no two become the same. A $ may begin a keyword of the file.
std::string readable(std::string name) {
  const auto unreadable = [](char c) { return (!SignalTree::readable(c) || c == '$') && c != '.'; };
  std::ranges::replace_if(name, unreadable, '_');
  return name;
}

}  // namespace

FabricWaves::FabricWaves(Fabric& fabric)
    : fabric_(fabric),
      probes_(recorder_, fabric.topology()),
      active_(mask_words(fabric.topology().router_count())) {
  // One group per router. A channel's flit register changes when its reader is about to be evaluated, so it
  // belongs to the reader's group.
  for (RouterId r = 0; r < fabric.topology().router_count(); ++r) recorder_.add_group();
  visit_fabric(probes_, recorder_.tree().scope(SignalTree::kRoot, readable(fabric.name())), fabric);
}

FabricWaves::~FabricWaves() {
  finish();
}

void FabricWaves::check(const WaveSettings& settings) const {
  if (!settings.scope.empty()) select_signals(recorder_.tree(), settings.scope);
}

namespace {

/// sc_time::value() counts these.
std::uint64_t resolution() {
  return static_cast<std::uint64_t>(std::round(sc_core::sc_get_time_resolution().to_seconds() * 1e15));
}

Timescale timescale_of(const WaveClock& clock) {
  if (clock.period == sc_core::SC_ZERO_TIME) return Timescale::of_any_clock(resolution());
  return Timescale::of_period(clock.period.value() * resolution(), clock.first_edge.value() * resolution());
}

}  // namespace

WaveClock::WaveClock(const sc_core::sc_clock* clock) {
  if (!clock) return;
  const ClockEdges edges(*clock);
  period = edges.period;
  first_edge = edges.first;
}

WaveFiles FabricWaves::start(const WaveSettings& settings, const std::string& folder,
                             const WaveClock& clock) {
  timescale_ = timescale_of(clock);
  values_per_tick_ = std::max<std::uint64_t>(timescale_.femtoseconds / resolution(), 1);
  settings_ = settings;
  folder_ = folder;
  const WaveFiles files = start_recording(recorder_, settings, folder, timescale_);
  fabric_.add_observer(static_cast<CycleObserver&>(*this));
  watch();
  return files;
}

void FabricWaves::mark(WaveStory story) {
  if (!timescale_.even) return;
  for (WaveStoryRow& row : story.rows)
    for (std::string& signal : row.signals) signal = readable(fabric_.name()) + "." + signal;
  mark_recording(recorder_, settings_, folder_, timescale_, story);
}

void FabricWaves::finish() {
  unwatch();
  if (timescale_.even) {
    recorder_.finish(fabric_.cycles());
  } else if (recorder_.recording()) {
    const WaveRecorder::Recorded& recorded = recorder_.recorded();
    recorder_.finish_at(recorder_.begun() ? std::max(recorded.last_tick + recorded.spacing, tick()) : tick());
    if (!recorder_.begun()) return;
    // The destructor and std::exit come here too, and nothing may be thrown there.
    try {
      write_view_of_recorded(recorder_, settings_, folder_, timescale_);
    } catch (const std::exception& error) {
      recorder_.fail(error.what());
    }
  }
}

void FabricWaves::cycle_done(Cycle t, const Word* evaluated, const Word* arriving, unsigned words) {
  if (!recorder_.due(t)) return;
  for (unsigned w = 0; w < words; ++w) active_[w] = evaluated[w] | arriving[w];
  recorder_.cycle(t, active_.data(), tick());
}

}  // namespace flitmend
