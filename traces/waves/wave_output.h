// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "traces/waves/wave_recorder.h"
#include "traces/waves/wave_settings.h"
#include "traces/waves/wave_story.h"

namespace flitmend {

/// The files of a recording.
struct WaveFiles {
  std::string dump;  ///< FOLDER/waves.vcd or .fst
  std::string view;  ///< FOLDER/waves.gtkw; its filters are in FOLDER/waves.filters
};

/// Starts the recording that the settings describe, in an existing folder: chooses the signals, opens the
/// dump, writes the view. Throws ConfigurationError for a glob that matches nothing, a missing vcd2fst, or a
/// path at which something else is; WriteError for a folder that cannot be written.
WaveFiles start_recording(WaveRecorder&, const WaveSettings&, const std::string& folder, const Timescale&);
/// Writes the view of a recording of a clock without a period again, when the times of its cycles are known.
void write_view_of_recorded(const WaveRecorder&, const WaveSettings&, const std::string& folder, Timescale);

/// Writes the view of a recording again, with the rows of the story first and markers at its moments, as far
/// as they are recorded; moments of one cycle share a marker. The view then opens a little before the first
/// one. Without a moment that is recorded, nothing is written.
void mark_recording(const WaveRecorder&, const WaveSettings&, const std::string& folder, const Timescale&,
                    const WaveStory&);

}  // namespace flitmend
