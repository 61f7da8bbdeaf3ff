// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <thread>

#include "base/survey_progress.h"
#include "exploration/sweeps/runner.h"
#include "program/terminal/interrupt.h"
#include "protocols/deadlock/proof_listener.h"
#include "testbench/progress.h"

namespace flitmend {

/// Whether progress is shown: standard error is a terminal, and the user did not ask for quiet.
bool shows_progress(bool quiet);

/// Text that moves the cursor of standard error to the beginning of an empty line: escape codes, or a new
/// line on a terminal that does not obey them (TERM=dumb, or not set); "" if standard error is not a
/// terminal.
const char* fresh_line();

/// One line of a terminal, overwritten at most five times per second and erased at the end.
class TerminalLine {
 public:
  /// When the first text is shown: at once, or only after a fifth of a second, so that short work shows
  /// nothing.
  enum class First { at_once, after_a_while };

  TerminalLine(std::ostream& terminal, First);
  TerminalLine(const TerminalLine&) = delete;
  TerminalLine& operator=(const TerminalLine&) = delete;
  ~TerminalLine();

  /// Shows text(seconds since this object was created) if an update is due.
  template <class Text>
  void update(Text&& text) {
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    show(text(std::chrono::duration<double>(now - started_).count()), now);
  }

 private:
  using Clock = std::chrono::steady_clock;
  void show(const std::string& text, Clock::time_point now);

  /// The text that erases the line from a column on.
  std::string erasing(std::size_t column) const;

  std::ostream& terminal_;
  Clock::time_point started_;
  Clock::time_point next_;
  std::size_t shown_ = 0;  ///< bytes of the text in the line
};

/// Shows on a terminal what is being done, with the seconds that have passed, during work that reports no
/// progress itself. Shows nothing for the first second; erases the line at the end. Nothing else may write to
/// the terminal meanwhile.
class BusyLine {
 public:
  /// `shown`: see shows_progress().
  BusyLine(std::ostream& terminal, bool shown, std::string text);
  BusyLine(const BusyLine&) = delete;
  BusyLine& operator=(const BusyLine&) = delete;
  ~BusyLine();

 private:
  void show(std::ostream& terminal, const std::string& text);

  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;  ///< guarded by mutex_
  std::thread thread_;
};

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
