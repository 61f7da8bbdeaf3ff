// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "traces/waves/signal_tree.h"
#include "traces/waves/wave_story.h"

namespace flitmend {

/// A moment that GTKWave marks with a line and a name.
struct WaveMarker {
  std::string name;
  std::uint64_t tick = 0;
};

/// Greatest number of markers of a view: A to Z.
inline constexpr std::size_t kMaxViewMarkers = 26;

/// The files of a GTKWave view. All paths are absolute and below one folder: GTKWave re-bases them if that
/// folder has been moved.
struct WaveView {
  std::string dump;              ///< the VCD or FST file
  std::string save;              ///< the view itself, .gtkw
  std::string filters;           ///< folder of the filter files
  std::uint64_t first_tick = 0;  ///< left edge of the picture
  std::uint64_t ticks_per_cycle = 1;
  /// The first one is also the primary marker, at which GTKWave shows the values. No two at the same tick.
  /// The picture reaches from first_tick to beyond the last one.
  std::vector<WaveMarker> markers{};
  /// The first group, the only open one; without rows that are recorded, there is none.
  std::string story_title{};
  std::vector<WaveStoryRow> story{};
};

/// Greatest number of rows of a view; the other signals are in GTKWave's tree.
inline constexpr std::size_t kMaxViewSignals = 20'000;

/// GTKWave's filter file of an enum: the words and colours of its values.
std::string filter_text(const WaveEnum&);
/// Path of that file.
std::string filter_path(const WaveView&, const WaveEnum&);
/// The save file: the story, then the selected signals, one group per scope of the second and third level
/// (router, port), one heading per scope below that (virtual channel). Groups that do not fit on a screen are
/// closed.
std::string view_text(const SignalTree&, const std::vector<bool>& selected, const WaveView&);
/// Writes the save file, and a folder with one filter per used enum. Throws WriteError if it cannot.
void write_view(const SignalTree&, const std::vector<bool>& selected, const WaveView&);

}  // namespace flitmend
