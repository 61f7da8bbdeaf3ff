// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/wave_output.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/errors.h"
#include "support/vcd_reader.h"

namespace flitmend {
namespace {

class WaveOutput : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / ("flitmend_waves_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    recorder_.add_variable(recorder_.add_group(), recorder_.tree().scope(SignalTree::kRoot, "top.part"),
                           "count", SignalKind::integer(8), &count_);
    settings_.enabled = true;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::uint32_t count_ = 0;
  WaveRecorder recorder_;
  WaveSettings settings_;
  std::filesystem::path folder_;
};

}  // namespace

TEST_F(WaveOutput, AWindowOfARun) {
  settings_.scope = {"*.count"};
  settings_.from = 10;
  settings_.to = 12;
  const WaveFiles files =
      start_recording(recorder_, settings_, folder_.string(), Timescale::of_period(2'000'000));
  EXPECT_EQ(files.dump, (folder_ / "waves.vcd").string());
  EXPECT_EQ(files.view, (folder_ / "waves.gtkw").string());
  const Word active = 1;
  for (; count_ < 20; ++count_) recorder_.cycle(count_, &active);
  recorder_.finish(20);
  const VcdDump dump = read_vcd(read_whole_file(files.dump));
  EXPECT_EQ(dump.timescale, "1 ns");
  EXPECT_EQ(dump.times, (std::vector<std::uint64_t>{20, 22, 24, 26}));
  EXPECT_EQ(dump["top.part.count"].at(24).value, 12u);
  EXPECT_NE(read_whole_file(files.view).find("[timestart] 20\n"), std::string::npos);
}

TEST_F(WaveOutput, MarksMomentsOfTheWindow) {
  settings_.from = 10;
  settings_.to = 100;
  const WaveFiles files =
      start_recording(recorder_, settings_, folder_.string(), Timescale::of_period(2'000'000));
  const auto mark = [&](const std::vector<WaveMoment>& moments) {
    mark_recording(recorder_, settings_, folder_.string(), Timescale::of_period(2'000'000),
                   {"", {}, moments});
    return read_whole_file(files.view);
  };
  const std::string plain = read_whole_file(files.view);
  EXPECT_EQ(mark({}), plain);
  EXPECT_EQ(mark({{"early", 9}, {"late", 101}}), plain);
  const std::string marked = mark({{"fault", 40}, {"request", 40}, {"restart", 50}, {"complete", 101}});
  EXPECT_NE(marked.find("[timestart] 70\n"), std::string::npos) << marked;
  EXPECT_NE(marked.find(" 80 80 100\n[markername] Afault, request\n[markername] Brestart\n["),
            std::string::npos)
      << marked;
  EXPECT_NE(mark({{"fault", 12}}).find("[timestart] 20\n"), std::string::npos) << "not before the window";
}

TEST_F(WaveOutput, RefusesBeforeAnythingIsWritten) {
  settings_.scope = {"*.cuont"};
  EXPECT_THROW(start_recording(recorder_, settings_, folder_.string(), Timescale::of_period(1)),
               ConfigurationError);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(WaveOutput, FolderThatIsMissing) {
  try {
    start_recording(recorder_, settings_, (folder_ / "none").string(), Timescale::of_period(1));
    FAIL();
  } catch (const WriteError& e) {
    EXPECT_EQ(std::string(e.what()).rfind("cannot write " + (folder_ / "none").string(), 0), 0u) << e.what();
  }
}

TEST(WaveSettings, WindowThatEndsBeforeItBegins) {
  WaveSettings settings;
  settings.enabled = true;
  settings.from = 10;
  settings.to = 9;
  try {
    settings.check();
    FAIL();
  } catch (const ConfigurationError& e) {
    EXPECT_STREQ(
        e.what(),
        "waves.to: cycle 9 is before waves.from: 10; give a later cycle, or 0 for the last of the run");
  }
  settings.to = 0;
  settings.check();
}

TEST(WaveSettings, TheOptionsOfTheCommandLineAddUp) {
  const auto scope = [](const std::vector<std::optional<std::string>>& options) {
    WaveSettings settings;
    settings.scope = {"a.*"};
    apply_waves_options(settings, options);
    EXPECT_TRUE(settings.enabled);
    return settings.scope;
  };
  using Globs = std::vector<std::string>;
  EXPECT_EQ(scope({std::nullopt}), Globs{"a.*"});
  EXPECT_EQ(scope({"*.east.*,fabric.router_0_0"}), (Globs{"*.east.*", "fabric.router_0_0"}));
  EXPECT_EQ(scope({"*.east.*", "b,c"}), (Globs{"*.east.*", "b", "c"}));
  EXPECT_EQ(scope({"*.east.*", std::nullopt}), Globs());  // and everything else
}

}  // namespace flitmend
