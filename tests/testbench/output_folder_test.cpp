// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/run_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "base/errors.h"

namespace flitmend {
namespace {

namespace fs = std::filesystem;

class OutputFolder : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }
  static std::string refusal(const fs::path& path) {
    try {
      prepare_output_folder(path);
    } catch (const ConfigurationError& e) {
      return e.what();
    }
    return "";
  }
  static std::string message(const fs::path& path, const std::string& reason) {
    return "cannot write to output folder " + path.string() + ": " + reason +
           "; choose another folder with --out";
  }
  fs::path folder_ = fs::temp_directory_path() / ("output_folder_test_" + std::to_string(getpid()));
};

TEST_F(OutputFolder, IsMadeWithThoseAboveItAndLeftEmpty) {
  EXPECT_EQ(refusal(folder_ / "a" / "b"), "");
  EXPECT_TRUE(fs::is_empty(folder_ / "a" / "b"));
  EXPECT_EQ(refusal(folder_ / "a" / "b"), "");
}

TEST_F(OutputFolder, FileInTheWay) {
  std::ofstream(folder_ / "file") << "x";
  EXPECT_EQ(refusal(folder_ / "file"), message(folder_ / "file", "Not a directory"));
  EXPECT_EQ(refusal(folder_ / "file" / "a"), message(folder_ / "file" / "a", "Not a directory"));
}

TEST_F(OutputFolder, NoPermission) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(refusal(folder_), message(folder_, "Permission denied"));
  EXPECT_EQ(refusal(folder_ / "a"), message(folder_ / "a", "Permission denied"));
}

TEST_F(OutputFolder, FolderThatTakesNoFiles) {
  if (!fs::is_directory("/proc/self")) GTEST_SKIP() << "no /proc here";
  EXPECT_NE(refusal("/proc/self"), "");
}

}  // namespace
}  // namespace flitmend
