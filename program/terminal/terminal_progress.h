// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ostream>

#include "exploration/sweeps/sweep_progress.h"
#include "program/terminal/terminal_line.h"
#include "testbench/progress.h"

namespace flitmend {

/// Shows the progress of a run on a terminal, at most five times per second; erases it at the end.
class TerminalProgress : public ProgressSink {
 public:
  explicit TerminalProgress(std::ostream& terminal) : line_(terminal, TerminalLine::First::after_a_while) {}
  void update(const Progress& progress) override {
    line_.update([&](double seconds) { return progress_text(progress, seconds); });
  }

 private:
  TerminalLine line_;
};

/// The same for a sweep.
class TerminalSweepProgress : public SweepProgressSink {
 public:
  explicit TerminalSweepProgress(std::ostream& terminal) : line_(terminal, TerminalLine::First::at_once) {}
  void update(const SweepProgress& progress) override {
    line_.update([&](double seconds) { return progress_text(progress, seconds); });
  }

 private:
  TerminalLine line_;
};

}  // namespace flitmend
