// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <optional>
#include <ostream>
#include <string>

#include "base/survey_progress.h"
#include "exploration/sweeps/sweep_progress.h"
#include "program/terminal/interrupt.h"
#include "program/terminal/terminal_line.h"
#include "protocols/deadlock/proof_listener.h"
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

/// "42 %, 0:12 left"; without the time if nothing is finished yet.
std::string survey_text(std::uint64_t done, std::uint64_t all, double seconds);

/// A survey listener for commands: shows progress on standard error if that is a terminal, and lets the first
/// SIGINT, SIGTERM or SIGHUP stop the survey.
class TerminalSurvey : public SurveyListener {
 public:
  TerminalSurvey(std::ostream& err, bool quiet);
  void update(std::uint64_t done, std::uint64_t all) override;
  bool stop() const override { return interrupt_.stop(); }

 private:
  InterruptGuard interrupt_;
  std::optional<TerminalLine> line_;
};

/// Shows the progress of a deadlock check if standard error is a terminal, and lets a signal to the guard
/// stop it:
/// "deadlock check, channel dependencies: 42 %, 0:12 left". The time is that of the step.
class TerminalProof : public ProofListener {
 public:
  /// The guard must outlive this.
  TerminalProof(std::ostream& err, bool quiet, const InterruptGuard&);
  void begin_step(std::string_view step) override;
  void update(std::uint64_t done, std::uint64_t all) override;
  bool stop() const override { return interrupt_.stop(); }

 private:
  const InterruptGuard& interrupt_;
  std::optional<BusyLine> preparing_;  ///< until the first update
  std::optional<TerminalLine> line_;
  std::string step_;
  std::chrono::steady_clock::time_point step_began_;
};

}  // namespace flitmend
