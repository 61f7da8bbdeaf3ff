// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <thread>

#include "program/terminal/terminal_line.h"

namespace flitmend {
namespace {

TEST(Progress, Text) {
  EXPECT_EQ(progress_text(Progress{0, 10000, 0}, 0), "0 %, 0 cycles/s");
  EXPECT_EQ(progress_text(Progress{4200, 10000, 3}, 2), "42 %, 2.1 kcycles/s, 0:03 left");
  EXPECT_EQ(progress_text(Progress{9999, 10000, 3}, 0.001), "99 %, 10.00 Mcycles/s, 0:01 left");
  EXPECT_EQ(progress_text(Progress{100, 1000000, 0}, 1), "0 %, 100 cycles/s, 2:46:39 left");
  EXPECT_EQ(progress_text(Progress{1, std::uint64_t{1} << 53, 0}, 1000),
            "0 %, 0 cycles/s, 277777:46:40 left");
}

TEST(Progress, TextWhereTheEndIsNotKnown) {
  EXPECT_EQ(progress_text(Progress{12000, 11000, 17}, 2),
            "12000 cycles, 6.0 kcycles/s, 17 messages in flight");
  EXPECT_EQ(progress_text(Progress{12000, 0, 17}, 2), "12000 cycles, 6.0 kcycles/s, 17 messages in flight");
}

TEST(Progress, TerminalLineIsErasedAtTheEnd) {
  setenv("TERM", "xterm", 1);
  std::ostringstream terminal;
  {
    TerminalProgress progress(terminal);
    progress.update({1, 10, 0});
    EXPECT_EQ(terminal.str(), "");  // at most five times per second
    std::this_thread::sleep_for(std::chrono::milliseconds(210));
    progress.update({5, 10, 0});
    EXPECT_EQ(terminal.str().substr(0, 6), "\r50 %,");
    EXPECT_TRUE(terminal.str().ends_with("left\x1b[K"));
    const std::size_t size = terminal.str().size();
    progress.update({6, 10, 0});
    EXPECT_EQ(terminal.str().size(), size);
  }
  EXPECT_TRUE(terminal.str().ends_with("\r\x1b[K"));
}

TEST(Progress, ATerminalWithoutEscapeCodesIsErasedWithSpaces) {
  const char* const terminal_type = std::getenv("TERM");
  const std::string before = terminal_type ? terminal_type : "";
  setenv("TERM", "dumb", 1);
  std::ostringstream terminal;
  {
    TerminalLine line(terminal, TerminalLine::First::at_once);
    line.update([](double) { return "four letters"; });
    std::this_thread::sleep_for(std::chrono::milliseconds(210));
    line.update([](double) { return "four"; });
  }
  terminal_type ? setenv("TERM", before.c_str(), 1) : unsetenv("TERM");
  EXPECT_EQ(terminal.str(), "\rfour letters\rfour        \r    \r");
}

TEST(Progress, ShortRunShowsNothing) {
  std::ostringstream terminal;
  { TerminalProgress progress(terminal); }
  EXPECT_EQ(terminal.str(), "");
}

TEST(BusyLine, IsShownAfterASecondAndErased) {
  setenv("TERM", "xterm", 1);
  std::ostringstream terminal;
  { const BusyLine busy(terminal, true, "reading"); }
  EXPECT_EQ(terminal.str(), "");
  {
    const BusyLine busy(terminal, true, "reading");
    std::this_thread::sleep_for(std::chrono::milliseconds(3000));
  }
  EXPECT_TRUE(terminal.str().starts_with("\rreading, 0:0")) << terminal.str();
  EXPECT_TRUE(terminal.str().ends_with("\r\x1b[K")) << terminal.str();
}

TEST(BusyLine, IsNotShownWithoutATerminal) {
  std::ostringstream terminal;
  {
    const BusyLine busy(terminal, false, "reading");
    std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  }
  EXPECT_EQ(terminal.str(), "");
}

}  // namespace
}  // namespace flitmend
