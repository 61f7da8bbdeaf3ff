// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/story_rows.h"

#include <boost/format.hpp>
#include <iomanip>
#include <optional>
#include <utility>

#include "base/text.h"

namespace flitmend {

std::string ranged(const std::string& name, const SignalKind& kind) {
  return kind.width > 1 ? formatted("%1%[%2%:0]", name, kind.width - 1) : name;
}

std::string filter_line(std::uint64_t value, unsigned width, const WaveEnum::Value& word) {
  return (boost::format("%X %s%s\n") %
          boost::io::group(std::setfill('0'), std::setw(static_cast<int>((width + 3) / 4)), value) %
          (word.colour.empty() ? "" : "?" + std::string(word.colour) + "?") % word.text)
      .str();
}

StoryRows::StoryRows(const SignalTree& tree, const std::vector<bool>& selected, const WaveView& view)
    : tree_(tree), view_(view) {
  std::string heading;
  for (const WaveStoryRow& row : view.story) {
    if (row.signals.empty()) {
      heading = row.label;
      continue;
    }
    std::vector<SignalId> signals;
    std::optional<SignalId> last;
    for (const std::string& name : row.signals) {
      last = tree.find(SignalTree::kRoot, name);
      if (last && !selected[*last]) last.reset();
      if (last) signals.push_back(*last);
    }
    if (!last) continue;
    if (!heading.empty()) rows_.push_back({.label = std::exchange(heading, {})});
    const bool whole = signals.size() > 1 && signals.size() == row.signals.size();
    rows_.push_back(whole ? word_of(row, signals) : alone(row, *last));
  }
}

StoryRows::Row StoryRows::alone(const WaveStoryRow& row, SignalId signal) const {
  const SignalKind& kind = tree_.kind(signal);
  return {row.label,
          {signal},
          kind.width,
          ranged(tree_.full_name(signal), kind),
          kind.words ? filter_path(view_, *kind.words) : ""};
}

StoryRows::Row StoryRows::word_of(const WaveStoryRow& row, const std::vector<SignalId>& signals) {
  Row word{.label = row.label, .signals = signals};
  for (const SignalId signal : signals) {
    const SignalKind& kind = tree_.kind(signal);
    word.width += kind.width;
    for (unsigned bit = 0; bit < kind.width; ++bit)
      word.names += formatted(" (%d)%s", bit, ranged(tree_.full_name(signal), kind));
  }
  word.filter = filter_of(filter_text_of(word, row.values));
  return word;
}

/// The words of the last signal after the values of the others.
std::string StoryRows::filter_text_of(const Row& row, const std::vector<std::uint64_t>& values) const {
  const SignalKind& last = tree_.kind(row.signals.back());
  std::uint64_t high = 0;
  for (std::size_t i = 0; i < values.size(); ++i) high = high << tree_.kind(row.signals[i]).width | values[i];
  std::string text;
  for (std::size_t value = 0; value < last.words->values.size(); ++value)
    text += filter_line(high << last.width | value, row.width, last.words->values[value]);
  // Without a flit the others are absent.
  if (last.width % 4 == 0)
    text += std::string((row.width - last.width + 3) / 4, 'z') +
            filter_line(0, last.width, last.words->values.front());
  return text;
}

std::string StoryRows::filter_of(const std::string& text) {
  for (const auto& [path, known] : filters_)
    if (known == text) return path;
  const std::string path = formatted("%1%/message_%2%.filter", view_.filters, filters_.size() + 1);
  filters_.emplace(path, text);
  return path;
}

}  // namespace flitmend
