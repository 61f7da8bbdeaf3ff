// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "traces/waves/signal_tree.h"

namespace flitmend {

/// Where the parts of a GTKWave view stand. All paths are absolute and lie below one folder: GTKWave re-bases
/// them when that folder has moved.
struct WaveView {
  std::string dump;                   ///< the VCD or FST file
  std::string save;                   ///< the view itself, .gtkw
  std::string filters;                ///< folder of the filter files
  std::uint64_t first_tick = 0;       ///< left edge of the picture
  std::uint64_t ticks_per_cycle = 1;  ///< sets the zoom
};

/// The rows of such a view at most; what is beyond them is found in GTKWave's tree.
inline constexpr std::size_t kMaxViewSignals = 20'000;

/// GTKWave's filter file of an enum: the words and colours of its values.
std::string filter_text(const WaveEnum&);
/// Path of that file.
std::string filter_path(const WaveView&, const WaveEnum&);
/// The save file: the selected signals, a group a scope of the second and third level (router, port), a
/// heading a scope below that (virtual channel). Groups that do not fit on a screen are closed.
std::string view_text(const SignalTree&, const std::vector<bool>& selected, const WaveView&);
/// Writes the save file, the folder of filters and one filter a used enum. Throws WriteError where that
/// cannot be.
void write_view(const SignalTree&, const std::vector<bool>& selected, const WaveView&);

}  // namespace flitmend
