// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/gtkw_writer.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/bits.h"
#include "base/checked_file.h"
#include "base/errors.h"
#include "base/text.h"
#include "traces/waves/story_rows.h"

namespace flitmend {
namespace {

// Trace flags of GTKWave's save files, as it prints them: hexadecimal.
const char* flags(SignalKind::Format format) {
  switch (format) {
    case SignalKind::Format::decimal:
      return "@24";
    case SignalKind::Format::hexadecimal:
      return "@22";
    case SignalKind::Format::binary:
      return "@28";
    case SignalKind::Format::words:
      return "@2022";
  }
  return "@22";
}

constexpr unsigned kRowsOnScreen = 40;
constexpr double kPixelsPerCycle = 28;  // at most
// Width of one tick at zoom 0; a zoom of −1 halves it.
constexpr double kPixelsPerTick = 200;
constexpr unsigned kWindow = 1600, kTree = 220;                 // pixels
constexpr unsigned kFewestForNames = 260, kMostForNames = 640;  // names and values
constexpr unsigned kLetter = 8, kAroundNames = 40;  // pixels: of one letter; of scroll bar and margins
constexpr std::uint64_t kCyclesAfterMarker = 5;     // at the right edge

/// Characters of a value, as displayed.
std::size_t value_letters(const SignalKind& kind) {
  switch (kind.format) {
    case SignalKind::Format::decimal:
      return std::to_string(low_bits(kind.width)).size();
    case SignalKind::Format::hexadecimal:
      return (kind.width + 3) / 4;
    case SignalKind::Format::binary:
      return kind.width;
    case SignalKind::Format::words:
      break;
  }
  std::size_t most = 0;
  for (const WaveEnum::Value& value : kind.words->values) most = std::max(most, value.text.size());
  return most;
}

class View {
 public:
  View(const SignalTree& tree, const std::vector<bool>& selected, const WaveView& view)
      : tree_(tree),
        selected_(selected),
        view_(view),
        story_(tree, selected, view),
        used_(tree.scope_count(), false) {
    for (SignalId s = 0; s < tree.signal_count(); ++s)
      if (selected[s])
        for (ScopeId scope = tree.scope_of(s); !used_[scope]; scope = tree.parent(scope)) used_[scope] = true;
  }

  std::string text() {
    story();
    for (const ScopeId top : tree_.children(SignalTree::kRoot)) scope(top, 1);
    if (left_out_ > 0) comment(formatted("%d more signals: see the tree", left_out_));
    const std::string rows = std::move(text_);
    text_ = formatted(
        "[*] Flitmend\n[dumpfile] \"%s\"\n[savefile] \"%s\"\n[timestart] %d\n"
        "[size] %d 1000\n[pos] -1 -1\n*%.6f ",
        view_.dump, view_.save, view_.first_tick, kWindow, zoom());
    markers();
    open_tree();
    text_ += formatted("[sst_width] %d\n[signals_width] %d\n[sst_expanded] 1\n", kTree, names_width());
    return text_ + rows;
  }

 private:
  unsigned names_width() const {
    const auto letters = static_cast<unsigned>(name_letters_ + value_letters_);
    return std::clamp(letters * kLetter + kAroundNames, kFewestForNames, kMostForNames);
  }
  // The powers of two by which a tick is wider than at zoom 0: wide cycles, but all markers in the picture.
  double zoom() const {
    double pixels = kPixelsPerCycle;
    if (!view_.markers.empty()) {
      std::uint64_t last = 0;
      for (const WaveMarker& marker : view_.markers) last = std::max(last, marker.tick);
      const double cycles =
          static_cast<double>(last - view_.first_tick) / static_cast<double>(view_.ticks_per_cycle) +
          kCyclesAfterMarker;
      pixels = std::min(pixels, (kWindow - kTree - names_width()) / cycles);
    }
    return std::log2(pixels / kPixelsPerTick / static_cast<double>(view_.ticks_per_cycle));
  }
  // The line of the zoom goes on with the primary marker and the named ones, A first; −1 is none.
  void markers() {
    const std::size_t count = std::min(view_.markers.size(), kMaxViewMarkers);
    text_ += count == 0 ? "-1" : std::to_string(view_.markers.front().tick);
    for (std::size_t i = 0; i < count; ++i) text_ += " " + std::to_string(view_.markers[i].tick);
    text_ += "\n";
    for (std::size_t i = 0; i < count; ++i)
      text_ += std::string("[markername] ") + static_cast<char>('A' + i) + view_.markers[i].name + "\n";
  }
  // Opens the tree down to the first scope with a signal or with several scopes.
  void open_tree() {
    ScopeId at = SignalTree::kRoot;
    std::string path;
    for (;;) {
      std::vector<ScopeId> below;
      for (const ScopeId c : tree_.children(at))
        if (used_[c]) below.push_back(c);
      if (below.empty()) return;
      path += std::string(tree_.scope_name(below.front())) + ".";
      text_ += "[treeopen] " + path + "\n";
      if (below.size() > 1 || !tree_.signals(below.front()).empty()) return;
      at = below.front();
    }
  }

  void story() {
    if (story_.rows().empty()) return;
    begin_group(view_.story_title, false);
    for (const StoryRows::Row& row : story_.rows()) {
      if (row.signals.empty()) {
        comment(row.label);
        continue;
      }
      const SignalKind& kind = tree_.kind(row.signals.back());
      seen(row.label, row.signals.size() > 1 ? SignalKind::hexadecimal(row.width) : kind);
      trace(kind, row.filter);
      text_ +=
          row.signals.size() > 1 ? "#{" + row.label + "}" + row.names : "+{" + row.label + "} " + row.names;
      text_ += "\n";
    }
    end_group(view_.story_title, false);
  }
  void begin_group(const std::string& name, bool closed) {
    text_ += (closed ? "@c00200\n-" : "@800200\n-") + name + "\n";
    ++rows_;
    if (closed_ == 0) name_letters_ = std::max(name_letters_, name.size() + 2);  // with a brace
  }
  void end_group(const std::string& name, bool closed) {
    text_ += (closed ? "@1401200\n-" : "@1000200\n-") + name + "\n";
    ++rows_;
  }

  void scope(ScopeId s, unsigned depth) {
    if (!used_[s]) return;
    const std::string name(tree_.scope_name(s));
    if (depth == 2 || depth == 3) {
      const bool closed = rows_ >= kRowsOnScreen || !story_.rows().empty();
      begin_group(name, closed);
      closed_ += closed;
      body(s, depth);
      closed_ -= closed;
      end_group(name, closed);
    } else {
      if (depth == 4) comment(name);
      body(s, depth);
    }
  }
  void body(ScopeId s, unsigned depth) {
    for (const SignalId signal : tree_.signals(s))
      if (selected_[signal]) row(s, signal, depth);
    for (const ScopeId c : tree_.children(s)) scope(c, depth + 1);
  }
  void row(ScopeId s, SignalId signal, unsigned depth) {
    if (shown_ == kMaxViewSignals) {
      ++left_out_;
      return;
    }
    ++shown_;
    const SignalKind& kind = tree_.kind(signal);
    const std::string name(tree_.signal_name(signal));
    // Below a heading, a name alone would not say where the signal is.
    const std::string label = depth > 4 ? place(s, depth) + name : ranged(name, kind);
    seen(label, kind);
    trace(kind, kind.words ? filter_path(view_, *kind.words) : "");
    if (depth > 4) text_ += "+{" + label + "} ";
    text_ += ranged(tree_.full_name(signal), kind) + "\n";
  }
  /// The lines before that of a signal: how it is displayed.
  void trace(const SignalKind& kind, const std::string& filter) {
    if (kind.colour != WaveColour::standard)
      text_ += formatted("[color] %1%\n", static_cast<unsigned>(kind.colour));
    text_ += std::string(flags(kind.format)) + "\n";
    if (!filter.empty()) text_ += "^1 " + filter + "\n";
  }
  /// Height of a row that is visible when the view is opened.
  void seen(const std::string& label, const SignalKind& kind) {
    ++rows_;
    if (closed_ > 0) return;
    name_letters_ = std::max(name_letters_, label.size());
    value_letters_ = std::max(value_letters_, 1 + value_letters(kind));
  }
  std::string place(ScopeId s, unsigned depth) const {
    if (depth == 4) return {};
    return place(tree_.parent(s), depth - 1) + std::string(tree_.scope_name(s)) + ":";
  }
  void comment(const std::string& words) {
    text_ += "@200\n-" + words + "\n";
    ++rows_;
    if (closed_ == 0) name_letters_ = std::max(name_letters_, words.size());
  }

  const SignalTree& tree_;
  const std::vector<bool>& selected_;
  const WaveView& view_;
  const StoryRows story_;
  std::vector<bool> used_;
  std::string text_;
  unsigned rows_ = 0;
  unsigned closed_ = 0;            ///< closed groups around the current row
  std::size_t name_letters_ = 0;   ///< of the longest visible name or heading
  std::size_t value_letters_ = 0;  ///< of the longest visible value, = included
  std::size_t shown_ = 0, left_out_ = 0;
};

}  // namespace

std::string filter_text(const WaveEnum& words) {
  std::string text;
  for (std::size_t value = 0; value < words.values.size(); ++value)
    text += filter_line(value, words.width(), words.values[value]);
  return text;
}

std::string filter_path(const WaveView& view, const WaveEnum& words) {
  return view.filters + "/" + std::string(words.name) + ".filter";
}

std::string view_text(const SignalTree& tree, const std::vector<bool>& selected, const WaveView& view) {
  return View(tree, selected, view).text();
}

void write_view(const SignalTree& tree, const std::vector<bool>& selected, const WaveView& view) {
  std::vector<const WaveEnum*> used;
  for (SignalId s = 0; s < tree.signal_count(); ++s)
    if (const WaveEnum* words = tree.kind(s).words;
        words && selected[s] && std::find(used.begin(), used.end(), words) == used.end())
      used.push_back(words);
  if (!used.empty()) {
    std::error_code error;
    std::filesystem::create_directories(view.filters, error);
    if (error) throw WriteError("cannot make the folder " + view.filters + ": " + error.message());
  }
  for (const WaveEnum* words : used) write_checked(filter_path(view, *words), filter_text(*words));
  const StoryRows story(tree, selected, view);
  for (const auto& [path, text] : story.filters()) write_checked(path, text);
  write_checked(view.save, view_text(tree, selected, view));
}

}  // namespace flitmend
