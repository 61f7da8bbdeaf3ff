// SPDX-License-Identifier: Apache-2.0
// Long surveys of the analysis tools, as a user sees them on a terminal.
#include <gtest/gtest.h>

#include <csignal>
#include <regex>
#include <thread>

#include "support/program.h"

namespace flitmend {
namespace {

const std::vector<std::vector<std::string>>& long_surveys() {
  static const std::vector<std::vector<std::string>> all = {
      {"analyze", "fault-rings", "--mesh", "64x64", "--box", "20,20:20x20", "--method", "determinant"},
      {"analyze", "kns-tables", "--k", "128", "--n", "2", "--faults", "40"},
      {"analyze", "fault-rings", "--mesh", "50x50", "--box", "20,20:9x9", "--monte-carlo", "9000000000"},
      {"analyze", "probability-routing", "--k", "8", "--faults", "153", "--pairs", "900000000"},
      {"analyze", "kns-tolerance", "--k", "10", "--n", "3", "--faults", "30", "--samples", "90000000"},
      {"analyze", "kns-tolerance", "--k", "4", "--n", "3", "--faults", "5", "--exhaustive"},
  };
  return all;
}

/// Starts it, interrupts it after a while and waits for its end.
void interrupt(ProgramProcess& process) {
  std::this_thread::sleep_for(std::chrono::milliseconds(900));
  process.signal(SIGINT);
}

TEST(LongSurveys, ShowTheirProgressOnATerminalAndEndAtASignal) {
  for (const auto& words : long_surveys()) {
    ProgramProcess::Options options;
    options.terminal = true;
    ProgramProcess process(words, options);
    interrupt(process);
    EXPECT_EQ(process.wait(), 5) << words[1];
    EXPECT_EQ(process.out(), "") << words[1];
    // One line that is overwritten five times per second, then erased; then the message.
    const std::string err = process.err();
    const std::regex line("\r([0-9]+ %, ([0-9]+:)?[0-9]+:[0-9]+ left)\x1b\\[K");
    const auto shown = std::distance(std::sregex_iterator(err.begin(), err.end(), line), {});
    EXPECT_GE(shown, 1) << words[1] << err;
    EXPECT_LE(shown, 6) << words[1] << err;
    EXPECT_NE(err.find("\r\x1b[Kflitmend: stopped by a signal before its end; there is no result"),
              std::string::npos)
        << err;
  }
}

TEST(LongSurveys, AreSilentWithoutATerminalAndWhereAskedFor) {
  for (const bool terminal : {false, true}) {
    ProgramProcess::Options options;
    options.terminal = terminal;
    auto words = long_surveys()[3];
    if (terminal) words.push_back("--quiet");
    ProgramProcess process(words, options);
    interrupt(process);
    EXPECT_EQ(process.wait(), 5);
    EXPECT_EQ(process.err().find("flitmend: stopped by a signal"), 0u) << process.err();
  }
}

}  // namespace
}  // namespace flitmend
