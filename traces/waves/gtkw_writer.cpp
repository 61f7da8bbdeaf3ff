// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/gtkw_writer.h"

#include <algorithm>
#include <boost/format.hpp>
#include <cmath>
#include <filesystem>
#include <iomanip>

#include "base/checked_file.h"
#include "base/errors.h"

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
constexpr double kPixelsPerCycle = 28;
// Width of one tick at zoom 0; a zoom of −1 halves it.
constexpr double kPixelsPerTick = 200;

class View {
 public:
  View(const SignalTree& tree, const std::vector<bool>& selected, const WaveView& view)
      : tree_(tree), selected_(selected), view_(view), used_(tree.scope_count(), false) {
    for (SignalId s = 0; s < tree.signal_count(); ++s)
      if (selected[s])
        for (ScopeId scope = tree.scope_of(s); !used_[scope]; scope = tree.parent(scope)) used_[scope] = true;
  }

  std::string text() {
    const double zoom =
        std::log2(kPixelsPerCycle / kPixelsPerTick / static_cast<double>(view_.ticks_per_cycle));
    text_ = (boost::format("[*] Flitmend\n[dumpfile] \"%s\"\n[savefile] \"%s\"\n[timestart] %d\n"
                           "[size] 1600 1000\n[pos] -1 -1\n*%.6f ") %
             view_.dump % view_.save % view_.first_tick % zoom)
                .str();
    markers();
    open_tree();
    text_ += "[sst_width] 220\n[signals_width] 260\n[sst_expanded] 1\n";
    for (const ScopeId top : tree_.children(SignalTree::kRoot)) scope(top, 1);
    if (left_out_ > 0) comment((boost::format("%d more signals: see the tree") % left_out_).str());
    return std::move(text_);
  }

 private:
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

  void scope(ScopeId s, unsigned depth) {
    if (!used_[s]) return;
    const std::string name(tree_.scope_name(s));
    if (depth == 2 || depth == 3) {
      const bool closed = rows_ >= kRowsOnScreen;
      text_ += (closed ? "@c00200\n-" : "@800200\n-") + name + "\n";
      ++rows_;
      body(s, depth);
      text_ += (closed ? "@1401200\n-" : "@1000200\n-") + name + "\n";
      ++rows_;
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
    ++rows_;
    const SignalKind& kind = tree_.kind(signal);
    if (kind.colour != WaveColour::standard)
      text_ += "[color] " + std::to_string(static_cast<unsigned>(kind.colour)) + "\n";
    text_ += std::string(flags(kind.format)) + "\n";
    if (kind.words) text_ += "^1 " + filter_path(view_, *kind.words) + "\n";
    std::string full = tree_.full_name(signal);
    if (kind.width > 1) full += "[" + std::to_string(kind.width - 1) + ":0]";
    // Below a heading, a name alone would not say where the signal is.
    if (depth > 4) text_ += "+{" + place(s, depth) + std::string(tree_.signal_name(signal)) + "} ";
    text_ += full + "\n";
  }
  std::string place(ScopeId s, unsigned depth) const {
    if (depth == 4) return {};
    return place(tree_.parent(s), depth - 1) + std::string(tree_.scope_name(s)) + ":";
  }
  void comment(const std::string& words) {
    text_ += "@200\n-" + words + "\n";
    ++rows_;
  }

  const SignalTree& tree_;
  const std::vector<bool>& selected_;
  const WaveView& view_;
  std::vector<bool> used_;
  std::string text_;
  unsigned rows_ = 0;
  std::size_t shown_ = 0, left_out_ = 0;
};

}  // namespace

std::string filter_text(const WaveEnum& words) {
  // GTKWave looks up the value as it displays it: hexadecimal, all digits of the width.
  const int digits = static_cast<int>((words.width() + 3) / 4);
  std::string text;
  for (std::size_t value = 0; value < words.values.size(); ++value) {
    const WaveEnum::Value& v = words.values[value];
    text += (boost::format("%X %s%s\n") % boost::io::group(std::setfill('0'), std::setw(digits), value) %
             (v.colour.empty() ? "" : "?" + std::string(v.colour) + "?") % v.text)
                .str();
  }
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
  write_checked(view.save, view_text(tree, selected, view));
}

}  // namespace flitmend
