// SPDX-License-Identifier: Apache-2.0
#include "program/terminal/terminal_line.h"

#include <gtest/gtest.h>

#include <csignal>
#include <sstream>

#include "support/run_command.h"

namespace flitmend {

TEST(TerminalSurvey, TellsWhatIsLeft) {
  EXPECT_EQ(survey_text(0, 10, 3), "0 %");
  EXPECT_EQ(survey_text(1, 4, 10), "25 %, 0:30 left");
  EXPECT_EQ(survey_text(4, 4, 10), "100 %, 0:00 left");
  EXPECT_EQ(survey_text(1, 4'000'000'000, 1e-6), "0 %, 1:06:40 left");
}

TEST(TerminalSurvey, StopsAtASignalAndOnlyThen) {
  std::ostringstream err;
  TerminalSurvey survey(err, true);
  EXPECT_FALSE(survey.stop());
  survey.update(1, 2);
  std::raise(SIGINT);
  EXPECT_TRUE(survey.stop());
  EXPECT_EQ(err.str(), "");
}

}  // namespace flitmend
