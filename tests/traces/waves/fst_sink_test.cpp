// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/fst_sink.h"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/errors.h"
#include "base/random_stream.h"
#include "traces/waves/vcd_writer.h"
#include "traces/waves/wave_output.h"

namespace flitmend {
namespace {

// The change lines that fst2vcd prints for the file.
std::string changes_of(const std::string& fst) {
  FILE* pipe = popen(("fst2vcd '" + fst + "' 2>/dev/null").c_str(), "r");
  std::string text;
  char buffer[65536];
  for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  pclose(pipe);
  const std::size_t start = text.find("#0\n");
  return start == std::string::npos ? "" : text.substr(start);
}

// Writes counters into `sink`; returns the steps that were taken.
std::uint64_t record_counters(VcdWriter& writer, std::uint64_t steps) {
  RandomStream random(1, RandomPurpose::test);
  writer.begin_scope("top");
  const VcdWriter::Variable a = writer.declare("a", 1), b = writer.declare("b", 32);
  writer.end_scope();
  writer.end_declarations();
  std::uint64_t t = 0;
  for (; t < steps && writer.open(); ++t) {
    writer.step(t);
    if (t == 0) writer.begin_initial_values();
    writer.change(a, t & 1);
    writer.change(b, random.bits());
    if (t == 0) writer.end_initial_values();
  }
  writer.close(steps);
  return t;
}

class Fst : public testing::Test {
 protected:
  void SetUp() override {
    if (!find_program("vcd2fst") || !find_program("fst2vcd"))
      GTEST_SKIP() << "vcd2fst and fst2vcd (Debian: gtkwave) are not installed";
    folder_ = std::filesystem::path(testing::TempDir()) / ("flitmend_fst_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    path_ = (folder_ / "waves.fst").string();
  }
  void TearDown() override {
    if (folder_.empty()) return;
    umount(folder_.c_str());
    std::filesystem::remove_all(folder_);
  }
  std::filesystem::path folder_;
  std::string path_;
};

}  // namespace

TEST_F(Fst, KeepsASymbolicLink) {
  const std::string target = (folder_ / "target").string();
  std::filesystem::create_symlink("target", path_);
  {
    VcdWriter writer(std::make_unique<FstSink>(path_), Timescale{});
    record_counters(writer, 100);
  }
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
  EXPECT_TRUE(fst_complete(target));
  FileSink nothing_kept(path_);
  nothing_kept.cut(0);
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
  EXPECT_FALSE(std::filesystem::exists(target));
}

TEST_F(Fst, HoldsWhatTheVcdWouldHold) {
  VcdWriter writer(std::make_unique<FstSink>(path_), Timescale{});
  record_counters(writer, 20'000);
  EXPECT_EQ(writer.failure(), "");
  EXPECT_TRUE(fst_complete(path_));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1)
      << "nothing else lies on the disk";
  const std::string changes = changes_of(path_);
  RandomStream random(1, RandomPurpose::test);
  std::string expected_end;
  for (std::uint64_t t = 0; t < 20'000; ++t) {
    const std::uint32_t value = random.bits();
    if (t == 0 || t % 1000 != 999) continue;
    std::string digits(32, '0');
    for (int i = 0; i < 32; ++i) digits[i] = value >> (31 - i) & 1 ? '1' : '0';
    EXPECT_NE(changes.find("#" + std::to_string(t) + "\n1!\nb" + digits + " \"\n"), std::string::npos) << t;
  }
  EXPECT_NE(changes.find("\n#20000\n"), std::string::npos);
}

TEST_F(Fst, CannotBeWritten) {
  try {
    FstSink sink((folder_ / "none" / "waves.fst").string());
    FAIL();
  } catch (const WriteError& e) {
    EXPECT_NE(std::string(e.what()).find("No such file or directory"), std::string::npos) << e.what();
  }
}

TEST_F(Fst, EndsWhileThereIsStillRoomOnTheDisk) {
  if (mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=1m") != 0)
    GTEST_SKIP() << "a small disk to fill needs the right to mount one";
  {
    VcdWriter writer(std::make_unique<FstSink>(path_), Timescale{});
    const std::uint64_t steps = record_counters(writer, 1'000'000);
    EXPECT_EQ(writer.failure(), path_ + ": No space left on device");
    EXPECT_FALSE(writer.nothing_kept());
    EXPECT_LT(steps, 100'000u);
    EXPECT_TRUE(fst_complete(path_));
    EXPECT_NE(changes_of(path_).find("\n#" + std::to_string(writer.lost_from() - 1) + "\n"),
              std::string::npos);
  }
}

TEST_F(Fst, EndsBeforeASizeLimit) {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{1 << 20, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  VcdWriter writer(std::make_unique<FstSink>(path_), Timescale{});
  record_counters(writer, 1'000'000);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(writer.failure(), path_ + ": No space left on device");
  EXPECT_TRUE(fst_complete(path_));
}

TEST_F(Fst, AChildThatDiesIsNoticed) {
  // A fake vcd2fst that exits at once.
  const std::filesystem::path fake = folder_ / "bin" / "vcd2fst";
  std::filesystem::create_directories(fake.parent_path());
  std::ofstream(fake) << "#!/bin/sh\nexit 3\n";
  std::filesystem::permissions(fake, std::filesystem::perms::all);
  setenv("PATH", (fake.parent_path().string() + ":" + getenv("PATH")).c_str(), 1);
  VcdWriter writer(std::make_unique<FstSink>(path_), Timescale{});
  record_counters(writer, 1'000'000);
  EXPECT_EQ(writer.failure(), path_ + ": vcd2fst exited early");
  EXPECT_FALSE(fst_complete(path_));
}

TEST_F(Fst, AChildThatFailsAtTheEndIsNoticed) {
  const std::filesystem::path fake = folder_ / "bin" / "vcd2fst";
  std::filesystem::create_directories(fake.parent_path());
  std::ofstream(fake) << "#!/bin/sh\ncat >/dev/null\n";
  std::filesystem::permissions(fake, std::filesystem::perms::all);
  setenv("PATH", (fake.parent_path().string() + ":" + getenv("PATH")).c_str(), 1);
  VcdWriter writer(std::make_unique<FstSink>(path_), Timescale{});
  record_counters(writer, 100);
  EXPECT_EQ(writer.failure(), path_ + ": vcd2fst could not complete the file");
  EXPECT_TRUE(writer.damaged());
}

TEST(FstMissing, IsAClearRefusalBeforeTheRun) {
  setenv("PATH", "/nowhere:", 1);
  WaveSettings settings;
  settings.enabled = true;
  settings.check();
  settings.format = "fst";
  try {
    settings.check();
    FAIL();
  } catch (const ConfigurationError& e) {
    EXPECT_STREQ(e.what(),
                 "waves.format: fst needs the program vcd2fst, which is not on the PATH; install it (Debian: "
                 "gtkwave) or use vcd");
  }
  settings.enabled = false;
  settings.check();
}

}  // namespace flitmend
