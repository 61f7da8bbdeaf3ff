// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "rtl_tlm/fabric/fabric.h"
#include "traces/waves/router_probes.h"
#include "traces/waves/wave_output.h"
#include "traces/waves/wave_recorder.h"

namespace flitmend {

/// Waveforms of a fabric: every router, channel and network interface under its full name,
///
///   fabric.router_3_4.PORT.vcN.{route_fsm, stage, credits, input_buffer, flit_counter, head, head_copy}
///   fabric.router_3_4.PORT.{input_flit, output_flit, faulty, control lines}
///   fabric.router_3_4.PORT.output.{granted_input, vcN.{owner, credits, output_buffer}}
///   fabric.router_3_4.interface.{injector, receiver}
///
/// Constructed only if waves are wanted; a fabric without one costs nothing. Must outlive the simulation of
/// its fabric.
class FabricWaves final : private CycleObserver {
 public:
  /// Adds all signals. The fabric need not be elaborated yet.
  explicit FabricWaves(Fabric&);

  /// Throws ConfigurationError for a glob of the settings that matches nothing.
  void check(const WaveSettings&) const;
  /// Starts the recording that the settings describe; see start_recording().
  WaveFiles start(const WaveSettings&, const std::string& folder, const sc_core::sc_time& clock_period);
  /// Marks these moments in the view of a recording that has been started with the same arguments.
  void mark(const WaveSettings&, const std::string& folder, const sc_core::sc_time& clock_period,
            const std::vector<WaveMoment>&);
  /// Completes the files; the destructor does it too.
  void finish();
  ~FabricWaves() override;

  WaveRecorder& recorder() { return recorder_; }

 private:
  void cycle_done(Cycle t, const Word* evaluated, const Word* arriving, unsigned words) override;

  void fabric_cleared() override { recorder_.sample_all_next(); }

  Fabric& fabric_;
  WaveRecorder recorder_;
  RouterProbes probes_;
  std::vector<Word> active_;
};

}  // namespace flitmend
