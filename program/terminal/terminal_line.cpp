// SPDX-License-Identifier: Apache-2.0
#include "program/terminal/terminal_line.h"

#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/escaped_text.h"
#include "base/text.h"
#include "testbench/progress.h"

namespace flitmend {
namespace {

constexpr auto kBetweenUpdates = std::chrono::milliseconds(200);

// Of a BusyLine.
constexpr auto kSilence = std::chrono::seconds(1);
constexpr auto kBetweenSeconds = std::chrono::milliseconds(500);

bool obeys_escape_codes() {
  const char* const terminal = std::getenv("TERM");
  return terminal != nullptr && *terminal != '\0' && std::string_view(terminal) != "dumb";
}

}  // namespace

const char* fresh_line() {
  if (isatty(STDERR_FILENO) == 0) return "";
  return obeys_escape_codes() ? "\r\x1b[K" : "\n";
}

bool shows_progress(bool quiet) {
  return !quiet && isatty(STDERR_FILENO) != 0;
}

TerminalLine::TerminalLine(std::ostream& terminal, First first)
    : terminal_(terminal),
      started_(Clock::now()),
      next_(first == First::at_once ? started_ : started_ + kBetweenUpdates) {}

TerminalLine::~TerminalLine() {
  if (shown_ > 0) terminal_ << '\r' << erasing(0) << (obeys_escape_codes() ? "" : "\r") << std::flush;
}

std::string TerminalLine::erasing(std::size_t column) const {
  return obeys_escape_codes() ? "\x1b[K" : std::string(shown_ - std::min(shown_, column), ' ');
}

void TerminalLine::show(const std::string& text, Clock::time_point now) {
  next_ = now + kBetweenUpdates;
  const std::string shown = escaped_text(text);
  terminal_ << '\r' << shown << erasing(shown.size()) << std::flush;
  shown_ = shown.size();
}

BusyLine::BusyLine(std::ostream& terminal, bool shown, std::string text) {
  if (!shown) return;
  // Signals go to the threads that do the work.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this, &terminal, text = std::move(text)] {
      try {
        show(terminal, text);
      } catch (const std::exception&) {  // out of memory: the work itself says so
      }
    });
  } catch (const std::system_error&) {  // no thread to be had: the work goes on without the line
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

BusyLine::~BusyLine() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void BusyLine::show(std::ostream& terminal, const std::string& text) {
  TerminalLine line(terminal, TerminalLine::First::after_a_while);
  std::unique_lock lock(mutex_);
  const auto done = [this] { return done_; };
  if (ended_.wait_for(lock, kSilence, done)) return;
  do line.update([&](double seconds) { return text + ", " + duration_text(seconds); });
  while (!ended_.wait_for(lock, kBetweenSeconds, done));
}

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
