// SPDX-License-Identifier: Apache-2.0
// Work in another process: answers, crashes, kills, large answers, and what a point's row says about them.
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>

#include "exploration/sweeps/child_process.h"
#include "exploration/sweeps/point_run.h"
#include "exploration/sweeps/runner.h"

namespace flitmend {
namespace {

ChildProcess::End outcome_of(const std::function<std::string()>& work) {
  ChildProcess child(work);
  while (!child.read()) poll(nullptr, 0, 5);
  return child.end();
}

TEST(ChildProcess, Answers) {
  const ChildProcess::End end = outcome_of([] { return std::string("text"); });
  EXPECT_EQ(end.answer, "text");
  EXPECT_EQ(end.signal, 0);
  EXPECT_EQ(end.diagnostics, "");
  EXPECT_GT(end.seconds, 0);
  const std::string large(3'000'000, 'x');
  EXPECT_EQ(outcome_of([&] { return large; }).answer, large);
}

TEST(ChildProcess, WhatHappensToItHarmsNobody) {
  const ChildProcess::End killed = outcome_of([]() -> std::string {
    std::cerr << "last words" << std::flush;
    std::signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
    return "";
  });
  EXPECT_EQ(killed.answer, std::nullopt);
  EXPECT_EQ(killed.signal, SIGSEGV);
  EXPECT_EQ(killed.diagnostics, "last words");
  EXPECT_EQ(outcome_of([]() -> std::string { _exit(7); }).exit_status, 7);
  EXPECT_EQ(outcome_of([]() -> std::string { throw 1; }).answer, std::nullopt);
}

TEST(ChildProcess, KeepsTheEndOfALongComplaint) {
  const ChildProcess::End end = outcome_of([] {
    for (int i = 0; i < 5000; ++i) std::cerr << "line " << i << '\n';
    return std::string();
  });
  EXPECT_EQ(end.diagnostics.size(), 4096u);
  EXPECT_TRUE(end.diagnostics.ends_with("line 4999\n"));
}

TEST(ChildProcess, IsKilled) {
  ChildProcess child([]() -> std::string {
    for (;;) pause();
  });
  EXPECT_FALSE(child.read());
  EXPECT_TRUE(child.alive());
  child.kill();
  EXPECT_FALSE(child.alive());
}

TEST(FinishedPoint, ACrashIsRecordedAsThat) {
  ChildProcess::End end;
  end.signal = SIGABRT;
  end.diagnostics = "double free";
  const SweepWriter::Finished crashed = finished_point({}, end, {}, false);
  EXPECT_EQ(crashed.point.status, PointStatus::crashed);
  EXPECT_EQ(crashed.point.exit_status, 134);
  EXPECT_EQ(crashed.point.message, "its process was killed by signal 6 (Aborted)");
  EXPECT_EQ(crashed.point.stats, std::nullopt);
  EXPECT_EQ(crashed.host.diagnostics, "double free");
  ChildProcess::End silent;
  silent.exit_status = 125;
  EXPECT_EQ(finished_point({}, silent, {}, false).point.message,
            "its process ended with status 125 and no answer");
  ChildProcess::End nonsense;
  nonsense.answer = "{\"exit_st";
  EXPECT_EQ(finished_point({}, nonsense, {}, false).point.status, PointStatus::crashed);
  EXPECT_EQ(check_verdict(end).message, "the deadlock check: its process was killed by signal 6 (Aborted)");
}

TEST(FinishedPoint, KeepsWhatTheSweepKeeps) {
  ChildProcess::End end;
  end.answer = R"({"exit_status":5,"message":"why","stats":{"latency":{"total":{"mean":4,"max":9}},)"
               R"("traffic":{"accepted":0.5},"host":{"cpu_seconds":2.5,"started":"then"}}})";
  const SweepWriter::Finished all = finished_point({}, end, {}, false);
  EXPECT_EQ(all.point.status, PointStatus::unfinished);
  EXPECT_EQ(all.point.message, "why");
  EXPECT_EQ(all.point.stats, R"({"latency":{"total":{"mean":4,"max":9}},"traffic":{"accepted":0.5}})");
  EXPECT_EQ(all.point.metrics.size(), 3u);
  EXPECT_EQ(all.host.cpu_seconds, 2.5);
  EXPECT_EQ(all.host.started, "then");
  const SweepKeep few{{"*.max"}, false};
  const SweepWriter::Finished some = finished_point({}, end, few, false);
  EXPECT_EQ(some.point.stats, std::nullopt);
  EXPECT_EQ(some.point.metrics, (std::map<std::string, double>{{"latency.total.max", 9}}));
  EXPECT_EQ(finished_point({}, end, few, true).point.metrics.size(), 3u);
}

TEST(SweepProgress, SaysWhatIsDoneAndHowLongItTakes) {
  constexpr auto kPoint = SweepProgress::Unit::point;
  EXPECT_EQ(progress_text(SweepProgress{0, 8, 2, 0, 2, SweepProgress::Unit::task}, 20),
            "2 of 8 tasks, 2 running, 1:00 left");
  EXPECT_EQ(progress_text(SweepProgress{36, 200, 36, 0, 2, kPoint}, 72),
            "36 of 200 points, 2 running, 5:28 left");
  EXPECT_EQ(progress_text(SweepProgress{0, 200, 100, 100, 2, kPoint}, 9), "100 of 200 points, 2 running");
  EXPECT_EQ(progress_text(SweepProgress{50, 200, 150, 100, 2, kPoint}, 10),
            "150 of 200 points, 2 running, 0:10 left");
  EXPECT_EQ(progress_text(SweepProgress{61, 8, 3, 0, 2, SweepProgress::Unit::curve}, 90),
            "61 points, 3 of 8 curves, 2 running, 2:30 left");
}

}  // namespace
}  // namespace flitmend
