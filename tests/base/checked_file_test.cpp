// SPDX-License-Identifier: Apache-2.0
#include "base/checked_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "base/errors.h"

namespace flitmend {
namespace {

namespace fs = std::filesystem;

class CheckedFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("checked_file_test_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  static std::string read(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  /// The message of the WriteError when writing `bytes` bytes to `path`, "" if there is none.
  static std::string message(const fs::path& path, std::size_t bytes = 10) {
    try {
      write_checked(path, std::string(bytes, 'x'));
    } catch (const WriteError& e) {
      return e.what();
    }
    return "";
  }
  fs::path folder_;
};

TEST_F(CheckedFileTest, WritesWholeFileAndLeavesNothingElse) {
  const std::string content(200'000, 'a');
  write_checked(folder_ / "a", content);
  EXPECT_EQ(read(folder_ / "a"), content);
  EXPECT_EQ(files(), 1u);
}

TEST_F(CheckedFileTest, ReplacesOnlyAtCommit) {
  write_checked(folder_ / "a", "old");
  {
    CheckedFile file(folder_ / "a");
    file.write("new");
    EXPECT_EQ(read(folder_ / "a"), "old");
  }
  EXPECT_EQ(read(folder_ / "a"), "old");
  EXPECT_EQ(files(), 1u);
  write_checked(folder_ / "a", "new");
  EXPECT_EQ(read(folder_ / "a"), "new");
}

TEST_F(CheckedFileTest, KeepsASymbolicLink) {
  write_checked(folder_ / "a", "old");
  fs::create_symlink("a", folder_ / "link");
  write_checked(folder_ / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(read(folder_ / "a"), "new");
}

TEST_F(CheckedFileTest, KeepsASymbolicLinkThatLeadsNowhereYet) {
  fs::create_directory(folder_ / "there");
  fs::create_symlink("there/b", folder_ / "chain");
  fs::create_symlink(folder_ / "chain", folder_ / "link");
  EXPECT_EQ(link_target(folder_ / "link"), folder_ / "there/b");
  write_checked(folder_ / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(read(folder_ / "there/b"), "new");
  fs::create_symlink("loop", folder_ / "loop");
  EXPECT_EQ(message(folder_ / "loop"),
            "cannot write " + (folder_ / "loop").string() + ": Too many levels of symbolic links");
}

// Whoever can write into the folder can leave a link where the temporary file might go.
TEST_F(CheckedFileTest, FollowsNoPlantedLink) {
  write_checked(folder_ / "victim", "mine");
  fs::create_symlink("victim", folder_ / ("a.tmp" + std::to_string(getpid())));
  write_checked(folder_ / "a", "new");
  EXPECT_EQ(read(folder_ / "a"), "new");
  EXPECT_EQ(read(folder_ / "victim"), "mine");
  EXPECT_FALSE(fs::is_symlink(folder_ / "a"));
}

TEST_F(CheckedFileTest, TemporaryFilesAreNewAndHaveNamesOfTheirOwn) {
  fs::path first, second;
  const int a = create_temporary(folder_ / "a", first), b = create_temporary(folder_ / "a", second);
  ASSERT_GE(a, 0);
  ASSERT_GE(b, 0);
  close(a);
  close(b);
  EXPECT_NE(first, second);
  for (const fs::path& name : {first, second}) {
    EXPECT_EQ(name.parent_path(), folder_);
    EXPECT_TRUE(is_temporary_name(name.filename().string(), "a")) << name;
    EXPECT_TRUE(fs::exists(name));
  }
}

TEST(TemporaryName, IsTheFileWithTmpAndDigits) {
  EXPECT_TRUE(is_temporary_name("stats.json.tmp4711", "stats.json"));
  for (const char* other : {"stats.json", "stats.json.tmp", "stats.json.tmpl", "stats.json.tmp12a",
                            "stats.json.tmp-1", "stats.json.bak", "my.stats.json.tmp1", "stats.jsn.tmp1"})
    EXPECT_FALSE(is_temporary_name(other, "stats.json")) << other;
}

TEST_F(CheckedFileTest, FullDevice) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_EQ(message("/dev/full"), "cannot write /dev/full: No space left on device");
  fs::create_symlink("/dev/full", folder_ / "a");
  EXPECT_EQ(message(folder_ / "a"), "cannot write " + (folder_ / "a").string() + ": No space left on device");
}

TEST_F(CheckedFileTest, SizeLimitLeavesOldFileWhole) {
  write_checked(folder_ / "a", "old");
  signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit limit{100'000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  const std::string refusal = message(folder_ / "a", 100'001);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(refusal, "cannot write " + (folder_ / "a").string() + ": File too large");
  EXPECT_EQ(read(folder_ / "a"), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(CheckedFileTest, FolderOrMissingFolder) {
  EXPECT_EQ(message(folder_), "cannot write " + folder_.string() + ": Is a directory");
  EXPECT_EQ(message(folder_ / "no" / "a"),
            "cannot write " + (folder_ / "no" / "a").string() + ": No such file or directory");
}

}  // namespace
}  // namespace flitmend
