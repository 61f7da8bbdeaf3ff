// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <ostream>
#include <string>

#include "base/survey_progress.h"
#include "program/terminal/interrupt.h"
#include "program/terminal/terminal_line.h"

namespace flitmend {

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

}  // namespace flitmend
