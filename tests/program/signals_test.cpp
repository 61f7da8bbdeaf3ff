// SPDX-License-Identifier: Apache-2.0
// Signals: a run that is told to stop, by whatever and however often, leaves its results.
#include <csignal>
#include <thread>

#include "support/program_fixture.h"

namespace flitmend {
namespace {

class Signals : public ProgramFixture {
 protected:
  void begin(const std::string& text) {
    process_ = std::make_unique<ProgramProcess>(std::vector<std::string>{
        "run", folder_.write("c.yaml", text), "--quiet", "--allow-deadlock", "--out", folder_ / "o"});
    for (int i = 0; i < 1200 && !std::filesystem::exists(folder_ / "o/config.yaml"); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  void expect_results() {
    EXPECT_EQ(process_->wait(), 5) << process_->err();
    EXPECT_EQ(stats("o")["status"]["outcome"], "interrupted");
    EXPECT_NE(process_->out().find("contract     holds"), std::string::npos);
  }

  std::unique_ptr<ProgramProcess> process_;
};

// The terminal is closed, or the connection to the machine is lost.
TEST_F(Signals, AHangUpIsATermination) {
  begin("simulation: {measure: 1000000000}");
  process_->signal(SIGHUP);
  expect_results();
}

// A cycle of 10,000 routers is slow, so the second signal arrives before the first has taken effect.
TEST_F(Signals, ASecondCtrlCToo) {
  begin("network: {size: [100, 100]}\nsimulation: {measure: 1000000000}");
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  process_->signal(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  process_->signal(SIGINT);
  ASSERT_TRUE(process_->running()) << "it ended before the second signal";
  expect_results();
}

// The network is being built: nothing has been removed or written yet.
TEST_F(Signals, BeforeTheFirstCycleEndsTheRun) {
  ProgramProcess process({"run", folder_.write("c.yaml", "network: {size: [100, 100]}"), "--quiet",
                          "--allow-deadlock", "--out", folder_ / "o"});
  for (int i = 0; i < 60000 && !std::filesystem::exists(folder_ / "o"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  process.signal(SIGINT);
  EXPECT_EQ(process.wait(), 5);
  EXPECT_EQ(process.err(), "flitmend: stopped by a signal before the first cycle; there is no result\n");
  EXPECT_EQ(process.out(), "");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o"));
}

// Its check takes minutes.
constexpr const char* kLargeNetwork = "network: {size: [160, 160]}\nrouting: {algorithm: dally-aoki-static}";

// Nothing is written yet.
TEST_F(Signals, ADeadlockCheckEndsAtOnce) {
  for (const std::string command : {"check", "run"}) {
    ProgramProcess process({command, folder_.write("c.yaml", kLargeNetwork), "--quiet"});
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    process.signal(SIGINT);
    EXPECT_EQ(process.wait(), 5);
    EXPECT_EQ(process.err(), "flitmend: stopped by a signal before its end; there is no result\n");
    EXPECT_EQ(process.out(), "");
  }
}

TEST_F(Signals, ADeadlockCheckShowsHowFarItIs) {
  for (const std::string command : {"check", "run"}) {
    ProgramProcess::Options options;
    options.terminal = true;
    ProgramProcess process({command, folder_.write("c.yaml", kLargeNetwork)}, options);
    EXPECT_TRUE(process.wait_for("\rdeadlock check, channel dependencies: ")) << process.err();
    EXPECT_TRUE(process.wait_for(" left\x1b[K")) << process.err();
    process.signal(SIGTERM);
    EXPECT_EQ(process.wait(), 5);
  }
}

}  // namespace
}  // namespace flitmend
