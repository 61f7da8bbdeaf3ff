// SPDX-License-Identifier: Apache-2.0
#include "program/terminal/terminal_line.h"

#include <unistd.h>

namespace flitmend {
namespace {

constexpr auto kBetweenUpdates = std::chrono::milliseconds(200);

}  // namespace

bool shows_progress(bool quiet) {
  return !quiet && isatty(STDERR_FILENO) != 0;
}

TerminalLine::TerminalLine(std::ostream& terminal, First first)
    : terminal_(terminal),
      started_(Clock::now()),
      next_(first == First::at_once ? started_ : started_ + kBetweenUpdates) {}

TerminalLine::~TerminalLine() {
  if (anything_shown_) terminal_ << "\r\x1b[K" << std::flush;
}

void TerminalLine::show(const std::string& text, Clock::time_point now) {
  next_ = now + kBetweenUpdates;
  anything_shown_ = true;
  terminal_ << '\r' << text << "\x1b[K" << std::flush;
}

}  // namespace flitmend
