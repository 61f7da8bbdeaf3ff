// SPDX-License-Identifier: Apache-2.0
#include "program/terminal/terminal_line.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/escaped_text.h"

namespace flitmend {
namespace {

constexpr auto kBetweenUpdates = std::chrono::milliseconds(200);

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

}  // namespace flitmend
