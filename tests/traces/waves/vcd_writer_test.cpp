// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/vcd_writer.h"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "base/errors.h"
#include "base/random_stream.h"
#include "support/vcd_reader.h"
#include "traces/waves/memory_sink.h"

namespace flitmend {
namespace {

std::string binary(std::uint64_t value) {
  char digits[80];
  return {digits, VcdWriter::write_binary(digits, value)};
}

// A recording of `steps` steps with several variables, about 40 bytes per step.
void record(VcdWriter& writer, unsigned steps, unsigned first_step_changes = 1) {
  RandomStream random(7, RandomPurpose::test);
  writer.begin_scope("top");
  const VcdWriter::Variable a = writer.declare("a", 1), b = writer.declare("b", 16),
                            c = writer.declare("c", 64);
  writer.end_scope();
  writer.end_declarations();
  writer.step(0);
  writer.begin_initial_values();
  for (unsigned i = 0; i < first_step_changes; ++i) {
    writer.change(a, 0);
    writer.change(b, 0);
    writer.change_to_absent(c);
  }
  writer.end_initial_values();
  for (unsigned t = 1; t <= steps; ++t) {
    writer.step(t);
    writer.change(a, t & 1);
    writer.change(b, random.bits() & 0xffff);
    if (t % 3 == 0) writer.change(c, random.bits64());
  }
  writer.close(steps + 1);
}

}  // namespace

TEST(VcdWriter, WritesThisText) {
  MemoryFile file;
  {
    VcdWriter writer(std::make_unique<MemorySink>(file), Timescale::of_period(2'500'000));
    writer.begin_scope("fabric");
    writer.begin_scope("router_0_0");
    const VcdWriter::Variable stop = writer.declare("stop", 1);
    const VcdWriter::Variable fill = writer.declare("input_buffer", 4);
    writer.end_scope();
    const VcdWriter::Variable word = writer.declare("word", 64);
    writer.end_scope();
    writer.end_declarations();
    writer.step(0);
    writer.begin_initial_values();
    writer.change(stop, 0);
    writer.change(fill, 0);
    writer.change_to_absent(word);
    writer.end_initial_values();
    writer.step(25);  // nothing happens: no time step
    writer.step(50);
    writer.change(fill, 0xfa);  // only its own bits
    writer.change(stop, 1);
    writer.step(75);
    writer.change(word, ~std::uint64_t{0});
    writer.change_to_absent(stop);
    writer.close(100);
    writer.close(200);
  }
  EXPECT_EQ(file.text,
            "$version Flitmend $end\n"
            "$timescale 100 ps $end\n"
            "$scope module fabric $end\n"
            "$scope module router_0_0 $end\n"
            "$var wire 1 ! stop $end\n"
            "$var wire 4 \" input_buffer $end\n"
            "$upscope $end\n"
            "$var wire 64 # word $end\n"
            "$upscope $end\n"
            "$enddefinitions $end\n"
            "#0\n$dumpvars\n0!\nb0 \"\nbz #\n$end\n"
            "#50\nb1010 \"\n1!\n"
            "#75\nb1111111111111111111111111111111111111111111111111111111111111111 #\nz!\n"
            "#100\n");
  EXPECT_TRUE(file.closed);
}

TEST(VcdWriter, DigitsOfEveryLength) {
  EXPECT_EQ(binary(0), "0");
  EXPECT_EQ(binary(1), "1");
  EXPECT_EQ(binary(6), "110");
  EXPECT_EQ(binary(~std::uint64_t{0}), std::string(64, '1'));
  RandomStream random(1, RandomPurpose::test);
  for (unsigned length = 1; length <= 64; ++length)
    for (int i = 0; i < 20; ++i) {
      const std::uint64_t value = (random.bits64() | std::uint64_t{1} << 63) >> (64 - length);
      const std::string digits = binary(value);
      EXPECT_EQ(digits.size(), length);
      EXPECT_EQ(std::stoull(digits, nullptr, 2), value);
    }
}

TEST(VcdWriter, IdentifiersAreShortPrintableAndDifferent) {
  EXPECT_EQ(vcd_identifier(0), "!");
  EXPECT_EQ(vcd_identifier(93), "~");
  EXPECT_EQ(vcd_identifier(94), "!!");
  EXPECT_EQ(vcd_identifier(94 + 94 * 94 - 1), "~~");
  EXPECT_EQ(vcd_identifier(94 + 94 * 94), "!!!");
  std::set<std::string> seen;
  for (unsigned i = 0; i < 100'000; ++i) {
    const std::string id = vcd_identifier(i);
    EXPECT_LE(id.size(), 3u);
    for (const char c : id) EXPECT_TRUE(c >= '!' && c <= '~');
    EXPECT_TRUE(seen.insert(id).second) << id;
  }
}

TEST(VcdWriter, TimescaleOfAnyClock) {
  const auto text = [](std::uint64_t femtoseconds) {
    const Timescale t = Timescale::of_period(femtoseconds);
    return std::to_string(t.ticks) + " x " + std::to_string(t.magnitude) + " " + std::string(t.unit);
  };
  EXPECT_EQ(text(1), "1 x 1 fs");
  EXPECT_EQ(text(1'000'000), "1 x 1 ns");
  EXPECT_EQ(text(10'000'000), "1 x 10 ns");
  EXPECT_EQ(text(100'000'000), "1 x 100 ns");
  EXPECT_EQ(text(2'000'000), "2 x 1 ns");
  EXPECT_EQ(text(2'500'000), "25 x 100 ps");
  EXPECT_EQ(text(1'000'000'000'000'000), "1 x 1 s");
  EXPECT_EQ(text(10'000'000'000'000'000'000u), "100 x 100 s");
  EXPECT_EQ(text(333'333), "333333 x 1 fs");
  EXPECT_THROW(Timescale::of_period(0), std::invalid_argument);
}

TEST(VcdWriter, LongRunsKeepEveryChange) {
  MemoryFile file;
  VcdWriter writer(std::make_unique<MemorySink>(file), Timescale{});
  constexpr unsigned kSteps = 200'000;  // several megabytes, many buffers
  record(writer, kSteps);
  const VcdDump dump = read_vcd(file.text);
  ASSERT_EQ(dump.times.size(), kSteps + 2);
  ASSERT_EQ(dump["top.b"].changes.size(), kSteps + 1);
  RandomStream random(7, RandomPurpose::test);
  for (unsigned t = 1; t <= kSteps; ++t) {
    ASSERT_EQ(dump["top.b"].changes[t], (VcdDump::Change{t, false, random.bits() & 0xffff}));
    if (t % 3 == 0) {
      ASSERT_EQ(dump["top.c"].changes[t / 3], (VcdDump::Change{t, false, random.bits64()}));
    }
  }
}

// Disks of every size from nothing to enough: the file is always a valid dump, with as many complete time
// steps as fit.
TEST(VcdWriter, CutAtATimeStepWhereverTheDiskIsFull) {
  MemoryFile whole;
  {
    VcdWriter writer(std::make_unique<MemorySink>(whole), Timescale{});
    record(writer, 40);
  }
  const std::size_t first_step = whole.text.find("#0\n"), second_step = whole.text.find("#1\n");
  for (std::size_t room = 0; room < whole.text.size(); ++room) {
    MemoryFile file;
    file.room = room;
    VcdWriter writer(std::make_unique<MemorySink>(file), Timescale{});
    record(writer, 40);
    EXPECT_FALSE(writer.open());
    EXPECT_EQ(writer.failure(), "full");
    EXPECT_TRUE(file.closed);
    if (room < second_step) {
      EXPECT_TRUE(writer.nothing_kept());
      EXPECT_TRUE(file.removed);
      continue;
    }
    EXPECT_FALSE(writer.nothing_kept());
    EXPECT_EQ(file.text, whole.text.substr(0, file.text.size()));
    const VcdDump dump = read_vcd(file.text);
    const std::uint64_t next = dump.times.back() + 1;
    EXPECT_EQ(writer.lost_from(), next);
    const std::size_t next_step = whole.text.find("#" + std::to_string(next) + "\n", first_step);
    EXPECT_EQ(file.text.size(), next_step);
    const std::size_t after = whole.text.find("\n#", next_step);
    if (after != std::string::npos) {
      EXPECT_LT(room, after + 1) << "a complete time step was thrown away";
    }
  }
}

// The same where buffers are smaller than the recording, and a time step larger than a buffer.
TEST(VcdWriter, CutAcrossBuffers) {
  for (const unsigned first_step_changes : {1u, 60'000u}) {
    MemoryFile whole;
    {
      VcdWriter writer(std::make_unique<MemorySink>(whole), Timescale{});
      record(writer, 20'000, first_step_changes);
    }
    ASSERT_GT(whole.text.size(), 600'000u);
    RandomStream random(3, RandomPurpose::test);
    for (int i = 0; i < 16; ++i) {
      MemoryFile file;
      file.room = random.below(static_cast<std::uint32_t>(whole.text.size()));
      if (i == 0) file.room = 256 * 1024;
      VcdWriter writer(std::make_unique<MemorySink>(file), Timescale{});
      record(writer, 20'000, first_step_changes);
      EXPECT_EQ(writer.failure(), "full");
      if (writer.nothing_kept()) {
        EXPECT_TRUE(file.removed);
        EXPECT_LT(file.room, whole.text.find("\n#1\n") + 1 + 256 * 1024);
        continue;
      }
      EXPECT_EQ(file.text, whole.text.substr(0, file.text.size()));
      EXPECT_EQ(whole.text[file.text.size()], '#');
      EXPECT_EQ(read_vcd(file.text).times.back() + 1, writer.lost_from());
      EXPECT_LT(file.room - file.text.size(), 200u);
    }
  }
}

TEST(VcdWriter, EndsAtATimeStepWhenTheSinkAsksForIt) {
  MemoryFile whole;
  {
    VcdWriter writer(std::make_unique<MemorySink>(whole), Timescale{});
    record(writer, 40'000);
  }
  MemoryFile file;
  file.scarce = 300'000;
  VcdWriter writer(std::make_unique<MemorySink>(file), Timescale{});
  record(writer, 40'000);
  EXPECT_EQ(writer.failure(), "full");
  EXPECT_FALSE(writer.nothing_kept());
  EXPECT_GE(file.text.size(), file.scarce);
  EXPECT_LT(file.text.size(), file.scarce + 300'000);
  EXPECT_EQ(file.text, whole.text.substr(0, file.text.size()));
  EXPECT_EQ(read_vcd(file.text).times.back() + 1, writer.lost_from());
}

TEST(VcdWriter, FlushShowsAllCompleteSteps) {
  MemoryFile file;
  VcdWriter writer(std::make_unique<MemorySink>(file), Timescale{});
  writer.begin_scope("top");
  const VcdWriter::Variable a = writer.declare("a", 8);
  writer.end_scope();
  writer.end_declarations();
  writer.step(3);
  writer.change(a, 5);
  writer.flush();
  EXPECT_EQ(read_vcd(file.text)["top.a"].at(3).value, 5u);
  writer.step(4);
  writer.change(a, 6);
  writer.flush();
  writer.flush();
  EXPECT_EQ(read_vcd(file.text)["top.a"].at(4).value, 6u);
}

class VcdFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / ("flitmend_vcd_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    umount(folder_.c_str());
    std::filesystem::remove_all(folder_);
  }
  std::filesystem::path folder_;
};

TEST_F(VcdFile, FolderThatIsMissingIsRefused) {
  const std::string path = (folder_ / "none" / "waves.vcd").string();
  try {
    FileSink sink(path);
    FAIL();
  } catch (const WriteError& e) {
    EXPECT_EQ(e.what(), "cannot write " + path + ": No such file or directory");
  }
}

TEST_F(VcdFile, FullDeviceIsNoticedAndNotRemoved) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  VcdWriter writer(std::make_unique<FileSink>("/dev/full"), Timescale{});
  record(writer, 10);
  EXPECT_EQ(writer.failure(), "/dev/full: No space left on device");
  EXPECT_TRUE(writer.nothing_kept());
  EXPECT_TRUE(std::filesystem::exists("/dev/full"));
}

TEST_F(VcdFile, SizeLimitCutsAtATimeStep) {
  const std::string path = (folder_ / "waves.vcd").string();
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{100'000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  // SIGXFSZ would end the process here if it were not held back.
  VcdWriter writer(std::make_unique<FileSink>(path), Timescale{});
  record(writer, 40'000);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(writer.failure(), path + ": File too large");
  const std::string text = read_whole_file(path);
  EXPECT_LE(text.size(), 100'000u);
  EXPECT_GT(text.size(), 99'900u);
  EXPECT_EQ(read_vcd(text).times.back() + 1, writer.lost_from());
}

TEST_F(VcdFile, FullDiskEndsAtATimeStepAndLeavesRoomForResults) {
  if (mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=2m") != 0)
    GTEST_SKIP() << "a small disk to fill needs the right to mount one";
  {
    const std::string path = (folder_ / "waves.vcd").string();
    VcdWriter writer(std::make_unique<FileSink>(path), Timescale{});
    record(writer, 100'000);
    EXPECT_EQ(writer.failure(), path + ": No space left on device");
    EXPECT_FALSE(writer.damaged());
    const std::string text = read_whole_file(path);
    EXPECT_GT(text.size(), 1024u * 1024);
    EXPECT_EQ(read_vcd(text).times.back() + 1, writer.lost_from());
    FileSink results((folder_ / "stats.json").string());
    EXPECT_NE(results.write(text.data(), 200 * 1024), ByteSink::State::failed);
  }
}

// The disk fills up when the recording is already ending by itself: the recording is still complete.
TEST(VcdWriter, ACompleteRecordingOnAFillingDiskIsNoFailure) {
  MemoryFile file;
  file.scarce = 1;
  VcdWriter writer(std::make_unique<MemorySink>(file), Timescale{});
  record(writer, 10);
  EXPECT_EQ(writer.failure(), "");
  EXPECT_EQ(read_vcd(file.text).times.back(), 11u);
}

}  // namespace flitmend
