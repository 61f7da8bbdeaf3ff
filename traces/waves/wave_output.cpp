#include "traces/waves/wave_output.h"

#include <filesystem>

#include "traces/waves/fst_sink.h"
#include "traces/waves/glob.h"
#include "traces/waves/gtkw_writer.h"

namespace flitmend {

WaveFiles start_recording(WaveRecorder& recorder, const WaveSettings& settings, const std::string& folder,
                          std::uint64_t clock_period_femtoseconds) {
  settings.check();
  const std::vector<bool> selected = select_signals(recorder.tree(), settings.scope);
  const Timescale timescale = Timescale::of_period(clock_period_femtoseconds);
  WaveRecorder::Window window;
  window.from = static_cast<std::uint64_t>(settings.from);
  if (settings.to != 0) window.to = static_cast<std::uint64_t>(settings.to);

  const std::string base = (std::filesystem::absolute(folder) / "waves").lexically_normal().string();
  WaveView view;
  view.dump = base + "." + settings.format;
  view.save = base + ".gtkw";
  view.filters = base + ".filters";
  view.first_tick = window.from * timescale.ticks;
  view.ticks_per_cycle = timescale.ticks;
  write_view(recorder.tree(), selected, view);

  std::unique_ptr<ByteSink> sink;
  if (settings.format == "fst")
    sink = std::make_unique<FstSink>(view.dump);
  else
    sink = std::make_unique<FileSink>(view.dump);
  recorder.start(std::move(sink), timescale, selected, window);
  return {view.dump, view.save};
}

}  // namespace flitmend
