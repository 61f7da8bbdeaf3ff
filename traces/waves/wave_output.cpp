// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/wave_output.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/errors.h"

#include "traces/waves/fst_sink.h"
#include "traces/waves/glob.h"
#include "traces/waves/gtkw_writer.h"

namespace flitmend {
namespace {

// Refuses a path at which there is something that is not a writable file or folder.
void refuse_unwritable(const std::string& path, bool folder) {
  std::error_code error;
  const std::filesystem::file_status about = std::filesystem::status(path, error);
  if (!std::filesystem::exists(about)) return;
  std::string reason;
  if (std::filesystem::is_directory(about) != folder)
    reason = std::strerror(folder ? ENOTDIR : EISDIR);
  else if (access(path.c_str(), folder ? W_OK | X_OK : W_OK) != 0)
    reason = std::strerror(errno);
  else
    return;
  throw ConfigurationError("cannot write " + path + ": " + reason +
                           "; remove it, or choose another output folder");
}

// At the left edge of a view with markers: cycles, and the share of its length, so that the name of the first
// marker has room.
constexpr std::uint64_t kCyclesBeforeMarker = 5;
constexpr double kShareBeforeMarker = 0.12;

WaveRecorder::Window window_of(const WaveSettings& settings) {
  WaveRecorder::Window window;
  window.from = static_cast<std::uint64_t>(settings.from);
  if (settings.to != 0) window.to = static_cast<std::uint64_t>(settings.to);
  return window;
}

WaveView view_in(const std::string& folder, const WaveSettings& settings, const Timescale& timescale) {
  const std::string base = (std::filesystem::absolute(folder) / "waves").lexically_normal().string();
  WaveView view;
  view.dump = base + "." + settings.format;
  view.save = base + ".gtkw";
  view.filters = base + ".filters";
  view.first_tick = timescale.tick_of(window_of(settings).from);
  view.ticks_per_cycle = timescale.ticks;
  return view;
}

}  // namespace

WaveFiles start_recording(WaveRecorder& recorder, const WaveSettings& settings, const std::string& folder,
                          const Timescale& timescale) {
  settings.check();
  const std::vector<bool> selected = select_signals(recorder.tree(), settings.scope);
  const WaveView view = view_in(folder, settings, timescale);
  refuse_unwritable(view.dump, false);
  refuse_unwritable(view.save, false);
  refuse_unwritable(view.filters, true);
  write_view(recorder.tree(), selected, view);

  std::unique_ptr<ByteSink> sink;
  if (settings.format == "fst")
    sink = std::make_unique<FstSink>(view.dump);
  else
    sink = std::make_unique<FileSink>(view.dump);
  recorder.start(std::move(sink), timescale, selected, window_of(settings));
  return {view.dump, view.save};
}

void write_view_of_recorded(const WaveRecorder& recorder, const WaveSettings& settings,
                            const std::string& folder, Timescale timescale) {
  const WaveRecorder::Recorded& recorded = recorder.recorded();
  if (recorded.last_cycle > recorded.first_cycle)
    timescale.ticks = std::max<std::uint64_t>(
        (recorded.last_tick - recorded.first_tick) / (recorded.last_cycle - recorded.first_cycle), 1);
  WaveView view = view_in(folder, settings, timescale);
  view.first_tick = recorded.first_tick;
  write_view(recorder.tree(), select_signals(recorder.tree(), settings.scope), view);
}

void mark_recording(const WaveRecorder& recorder, const WaveSettings& settings, const std::string& folder,
                    const Timescale& timescale, const WaveStory& story) {
  const WaveRecorder::Window window = window_of(settings);
  WaveView view = view_in(folder, settings, timescale);
  std::uint64_t first = window.to, last = 0;
  for (const WaveMoment& moment : story.moments) {
    if (moment.cycle < window.from || moment.cycle > window.to) continue;
    first = std::min(first, moment.cycle);
    last = std::max(last, moment.cycle);
    const std::uint64_t tick = timescale.tick_of(moment.cycle);
    const auto same = std::find_if(view.markers.begin(), view.markers.end(),
                                   [&](const WaveMarker& marker) { return marker.tick == tick; });
    if (same == view.markers.end())
      view.markers.push_back({moment.name, tick});
    else
      same->name += ", " + moment.name;
  }
  if (view.markers.empty()) return;
  const auto share = static_cast<std::uint64_t>(kShareBeforeMarker * static_cast<double>(last - first));
  first -= std::min(first - window.from, std::max(kCyclesBeforeMarker, share));
  view.first_tick = timescale.tick_of(first);
  view.story_title = story.title;
  view.story = story.rows;
  write_view(recorder.tree(), select_signals(recorder.tree(), settings.scope), view);
}

}  // namespace flitmend
