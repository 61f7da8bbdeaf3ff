// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace flitmend {

/// A moment of a run that the view marks.
struct WaveMoment {
  std::string name;
  std::uint64_t cycle = 0;
};

/// A row of the first group of a view.
struct WaveStoryRow {
  std::string label;                 ///< shown instead of the name
  std::vector<std::string> signals;  ///< full names; none: the row is a heading
  /// Of several signals: the values of all but the last. The row then shows the words of the last signal
  /// while the others have these values, and one number otherwise.
  std::vector<std::uint64_t> values{};
};

/// What a view shows first: a group of rows, and marked moments.
struct WaveStory {
  std::string title;
  std::vector<WaveStoryRow> rows;
  std::vector<WaveMoment> moments;
};

}  // namespace flitmend
