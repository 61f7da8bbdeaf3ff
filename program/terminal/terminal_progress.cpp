// SPDX-License-Identifier: Apache-2.0
#include "program/terminal/terminal_progress.h"

#include "base/text.h"

namespace flitmend {

std::string survey_text(std::uint64_t done, std::uint64_t all, double seconds) {
  const double share = static_cast<double>(done) / static_cast<double>(all);
  std::string text = formatted("%1% %%", static_cast<int>(100 * share));
  if (done > 0) text += ", " + duration_text(seconds * (1 - share) / share) + " left";
  return text;
}

TerminalSurvey::TerminalSurvey(std::ostream& err, bool quiet) {
  if (shows_progress(quiet)) line_.emplace(err, TerminalLine::First::after_a_while);
}

void TerminalSurvey::update(std::uint64_t done, std::uint64_t all) {
  if (line_) line_->update([&](double seconds) { return survey_text(done, all, seconds); });
}

TerminalProof::TerminalProof(std::ostream& err, bool quiet, const InterruptGuard& interrupt)
    : interrupt_(interrupt) {
  if (!shows_progress(quiet)) return;
  preparing_.emplace(err, true, "deadlock check");
  line_.emplace(err, TerminalLine::First::after_a_while);
}

void TerminalProof::begin_step(std::string_view step) {
  step_ = step;
  step_began_ = std::chrono::steady_clock::now();
}

void TerminalProof::update(std::uint64_t done, std::uint64_t all) {
  if (!line_) return;
  preparing_.reset();
  line_->update([&](double) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - step_began_;
    return "deadlock check, " + step_ + ": " + survey_text(done, all, seconds.count());
  });
}

}  // namespace flitmend
