// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

#include "traces/waves/gtkw_writer.h"

namespace flitmend {

/// "fabric.router_1.credits[3:0]": how a save file names a signal.
std::string ranged(const std::string& name, const SignalKind&);
/// A line of a filter file. GTKWave looks up the value as it displays it: hexadecimal, all digits of the
/// width.
std::string filter_line(std::uint64_t value, unsigned width, const WaveEnum::Value& word);

/// The rows of a view's story that are recorded, and the filters that only they need.
class StoryRows {
 public:
  struct Row {
    std::string label;
    std::vector<SignalId> signals{};  ///< none: a heading
    unsigned width = 0;               ///< of all of them
    std::string names{};              ///< as in the save file: the name of one signal, the bits of several
    std::string filter{};             ///< path
  };

  StoryRows(const SignalTree&, const std::vector<bool>& selected, const WaveView&);

  const std::vector<Row>& rows() const { return rows_; }
  /// By path, their texts.
  const std::map<std::string, std::string>& filters() const { return filters_; }

 private:
  Row alone(const WaveStoryRow&, SignalId) const;
  Row word_of(const WaveStoryRow&, const std::vector<SignalId>&);
  std::string filter_text_of(const Row&, const std::vector<std::uint64_t>& values) const;
  std::string filter_of(const std::string& text);

  const SignalTree& tree_;
  const WaveView& view_;
  std::vector<Row> rows_;
  std::map<std::string, std::string> filters_;
};

}  // namespace flitmend
