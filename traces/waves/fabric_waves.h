// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "base/process_end.h"
#include "rtl_tlm/fabric/fabric.h"
#include "traces/waves/router_probes.h"
#include "traces/waves/wave_output.h"
#include "traces/waves/wave_recorder.h"

namespace flitmend {

/// The clock of a recording. Every sample has the time of its own edge; the period, if there is one, gives
/// the unit of time and the times of markers.
struct WaveClock {
  /// The first edge is at time 0.
  WaveClock(const sc_core::sc_time& clock_period) : period(clock_period) {}
  /// An sc_clock; null: any other signal.
  explicit WaveClock(const sc_core::sc_clock*);

  sc_core::sc_time period;  ///< 0: none
  sc_core::sc_time first_edge;
};

/// Waveforms of a fabric: every router, channel and network interface under its full name,
///
///   fabric.router_3_4.PORT.vcN.{route_fsm, stage, credits, input_buffer, flit_counter, head, head_copy}
///   fabric.router_3_4.PORT.{input_flit, output_flit, faulty, control lines}
///   fabric.router_3_4.PORT.output.{granted_input, vcN.{owner, credits, output_buffer}}
///   fabric.router_3_4.interface.{injector, receiver}
///
/// Names of modules around the fabric may have characters that no viewer reads, as in chip[0]; each appears
/// as _ (chip_0_).
///
/// Constructed only if waves are wanted; a fabric without one costs nothing. Must outlive the simulation of
/// its fabric. The files are complete up to the last cycle even if the process exits or is ended by a signal.
class FabricWaves final : private CycleObserver, private ProcessEndWatcher {
 public:
  /// Adds all signals. The fabric need not be elaborated yet.
  explicit FabricWaves(Fabric&);

  /// Throws ConfigurationError for a glob of the settings that matches nothing.
  void check(const WaveSettings&) const;
  /// Starts the recording that the settings describe; see start_recording().
  WaveFiles start(const WaveSettings&, const std::string& folder, const WaveClock&);
  /// Shows a story first in the view of the recording. The names of its signals are those below the fabric:
  /// router_3_4.down. Does nothing if the clock is not an sc_clock: cycles then have no known times.
  void mark(WaveStory);
  /// Completes the files; the destructor does it too. If that fails, WaveRecorder has the error.
  void finish();
  ~FabricWaves() override;

  WaveRecorder& recorder() { return recorder_; }

 private:
  void cycle_done(Cycle t, const Word* evaluated, const Word* arriving, unsigned words) override;

  Cycle needed_after(Cycle t) const override { return recorder_.needed_after(t); }
  void fabric_cleared() override { recorder_.sample_all_next(); }
  void exiting() override { finish(); }
  void dying() noexcept override { recorder_.rescue(); }

  /// The present time in ticks.
  std::uint64_t tick() const { return sc_core::sc_time_stamp().value() / values_per_tick_; }

  Fabric& fabric_;
  WaveRecorder recorder_;
  RouterProbes probes_;
  std::vector<Word> active_;
  Timescale timescale_;
  sc_dt::uint64 values_per_tick_ = 1;  ///< sc_time::value() of a tick
  WaveSettings settings_;
  std::string folder_;
};

}  // namespace flitmend
