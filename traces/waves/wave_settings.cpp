// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/wave_settings.h"

#include <algorithm>
#include <limits>

#include "base/errors.h"
#include "base/text.h"
#include "traces/waves/fst_sink.h"

namespace flitmend {
namespace {
constexpr KeyEffect kRecording = KeyEffect::only_with("waves.enabled", "true");
}

void WaveSettings::visit(SettingsVisitor& v) {
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  v.begin_section("waves", "Waveforms of the hardware for GTKWave: waves.vcd or waves.fst, and a view.");
  v.key({"enabled", "", "Record waveforms; --waves sets this key.", kAlways}, enabled);
  v.key(
      {"scope", "",
       "Signals to record: globs over hierarchical names (fabric.router_3_4.*, *.east.*); none: everything.",
       kRecording},
      scope);
  v.key({"from", "cycles", "First cycle to record.", kRecording}, from, {0, kLast});
  v.key({"to", "cycles", "Last cycle to record; 0: the last of the run.", kRecording}, to, {0, kLast});
  v.key({"format", "", "File format.", kRecording}, format,
        {{"vcd", "value change dump, a text format"},
         {"fst", "GTKWave's compressed format, written with vcd2fst"}});
  v.end_section();
}

void WaveSettings::check_window() const {
  if (to != 0 && to < from)
    throw KeyError(
        "waves.to",
        formatted("cycle %1% is before waves.from: %2%; give a later cycle, or 0 for the last of the run", to,
                  from),
        {"waves.from"});
}

void WaveSettings::check() const {
  if (!enabled) return;
  check_window();
  if (format == "fst") FstSink::require();
}

void apply_waves_options(WaveSettings& settings, const std::vector<std::optional<std::string>>& options) {
  if (options.empty()) return;
  settings.enabled = true;
  const auto no_globs = [](const std::optional<std::string>& option) { return !option || option->empty(); };
  // A single option without globs keeps those of the configuration.
  if (options.size() == 1 && no_globs(options.front())) return;
  settings.scope.clear();
  if (std::any_of(options.begin(), options.end(), no_globs)) return;
  for (const std::optional<std::string>& option : options) {
    std::string rest = *option;
    for (std::size_t comma; (comma = rest.find(',')) != std::string::npos; rest.erase(0, comma + 1))
      settings.scope.push_back(rest.substr(0, comma));
    settings.scope.push_back(rest);
  }
}

}  // namespace flitmend
