// SPDX-License-Identifier: Apache-2.0
// flitmend report: the file that it writes, and its errors.
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include "support/program.h"

namespace flitmend {
namespace {

class ReportCommand : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(
        flitmend({"run",
                  folder_.write(
                      "c.yaml",
                      "network: {topology: mesh, size: [3, 3]}\nsimulation: {warmup: 10, measure: 200}\n"),
                  "--quiet", "--out", folder_ / "run"}),
        0)
        << err_;
    if (flitmend({"report", folder_ / "run"}) == 2 && err_.find("without the plotting library") != err_.npos)
      GTEST_SKIP() << err_;
  }
  void TearDown() override { umount((folder_ / "disk").c_str()); }

  int flitmend(const std::vector<std::string>& words, const ProgramProcess::Options& options = {}) {
    ProgramProcess process(words, options);
    const int status = process.wait();
    out_ = process.out();
    err_ = process.err();
    return status;
  }

  ScratchFolder folder_;
  std::string out_;
  std::string err_;
};

TEST_F(ReportCommand, WritesIntoTheFolderOrWhereItIsTold) {
  EXPECT_EQ(out_, (folder_ / "run/report.html") + "\n");
  const std::string page = folder_.read("run/report.html");
  EXPECT_EQ(page.find("<!doctype html>"), 0u);
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_NE(page.find("<h1>Run of 3x3 mesh</h1>"), page.npos);
  EXPECT_EQ(flitmend({"report", folder_ / "run", "-o", folder_ / "other.html"}), 0) << err_;
  EXPECT_EQ(folder_.read("other.html"), page);
  ProgramProcess::Options inside;
  inside.folder = folder_ / "run";
  EXPECT_EQ(flitmend({"report", ".", "--output", "here.html"}, inside), 0) << err_;
  EXPECT_EQ(out_, "here.html\n");
  EXPECT_EQ(folder_.read("run/here.html"), page);
}

TEST_F(ReportCommand, RefusesWhatIsNoRunAndNoSweep) {
  EXPECT_EQ(flitmend({"report", folder_ / "nowhere"}), 2);
  EXPECT_EQ(err_, "flitmend: there is no folder " + (folder_ / "nowhere") +
                      "; name the one that flitmend run, sweep or study wrote to (--out)\n");
  std::filesystem::create_directory(folder_ / "empty");
  EXPECT_EQ(flitmend({"report", folder_ / "empty"}), 2);
  EXPECT_EQ(err_, "flitmend: nothing to report on in " + (folder_ / "empty") +
                      ": it has none of stats.json (flitmend run), results.sqlite (flitmend sweep) and "
                      "study.sqlite (flitmend study)\n");
  folder_.write("empty/stats.json", "{\"schema\": 1}");
  EXPECT_EQ(flitmend({"report", folder_ / "empty"}), 2);
  EXPECT_NE(err_.find("its schema is 1, but this version of flitmend reads 2"), err_.npos) << err_;
  EXPECT_EQ(flitmend({"report"}), 2);
  EXPECT_EQ(err_, "flitmend: DIR is required; see flitmend report --help\n");
  EXPECT_EQ(out_, "");
  EXPECT_EQ(folder_.read("empty/stats.json"), "{\"schema\": 1}");
}

TEST_F(ReportCommand, RefusesWhereItCannotWrite) {
  EXPECT_EQ(flitmend({"report", folder_ / "run", "-o", folder_ / "no/such/folder.html"}), 2);
  EXPECT_EQ(err_, "flitmend: cannot write " + (folder_ / "no/such/folder.html") + ": there is no folder " +
                      (folder_ / "no/such") + "; choose another file with -o\n");
  EXPECT_EQ(flitmend({"report", folder_ / "run", "-o", folder_ / "run"}), 2);
  EXPECT_EQ(err_, "flitmend: cannot write " + (folder_ / "run") +
                      ": it is a folder; choose another file with -o\n");
}

// A slip of the completion key: -o out/stats.json.
TEST_F(ReportCommand, NeverWritesOverResults) {
  for (const std::string name : {"stats.json", "config.yaml"}) {
    const std::string before = folder_.read("run/" + name);
    EXPECT_EQ(flitmend({"report", folder_ / "run", "-o", folder_ / "run/" + name}), 2);
    EXPECT_EQ(err_, "flitmend: cannot write " + (folder_ / "run/" + name) +
                        ": the file exists and is not a report of flitmend; choose another file with -o\n");
    EXPECT_EQ(folder_.read("run/" + name), before);
    std::filesystem::create_symlink(folder_ / "run/" + name, folder_ / name + ".html");
    EXPECT_EQ(flitmend({"report", folder_ / "run", "-o", folder_ / name + ".html"}), 2);
    EXPECT_EQ(folder_.read("run/" + name), before);
  }
  EXPECT_EQ(flitmend({"report", folder_ / "run", "-o", folder_ / "page"}), 0) << err_;
  EXPECT_EQ(flitmend({"report", folder_ / "run", "-o", folder_ / "page"}), 0) << err_;
}

TEST_F(ReportCommand, PrintsThePageWhereTheFileIsADash) {
  const std::string page = folder_.read("run/report.html");
  EXPECT_EQ(flitmend({"report", folder_ / "run", "-o", "-"}), 0) << err_;
  EXPECT_EQ(out_, page);
  EXPECT_EQ(err_, "");
}

TEST_F(ReportCommand, SaysWhereStatisticsCannotBeRead) {
  const auto said = [&](const std::string& text) {
    folder_.write("run/stats.json", text);
    EXPECT_EQ(flitmend({"report", folder_ / "run"}), 2);
    return err_;
  };
  const std::string file = "flitmend: cannot read " + (folder_ / "run/stats.json");
  EXPECT_EQ(said("{\"schema\": 1,\n \"hops\": {\"mean\": 1e999}}"),
            file + ":2:19: 1e999 is larger than any double; run the simulation again\n");
  EXPECT_EQ(said("{\"schema\": 1,\n \"hops\": }"), file + ":2:10: invalid JSON; run the simulation again\n");
  EXPECT_EQ(said(std::string(1'000'000, '[')),
            file + ": nested more than 64 deep; run the simulation again\n");
}

TEST_F(ReportCommand, RefusesWithoutPermission) {
  std::string why = "Permission denied";
  std::filesystem::create_directories(folder_ / "disk");
  if (geteuid() == 0) {  // root may write everywhere except on read-only mounts
    if (mount("tmpfs", (folder_ / "disk").c_str(), "tmpfs", MS_RDONLY, "size=200k") != 0)
      GTEST_SKIP() << "a folder that root cannot write to needs the right to mount one";
    why = "Read-only file system";
  } else {
    std::filesystem::permissions(folder_ / "disk",
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  }
  EXPECT_EQ(flitmend({"report", folder_ / "run", "-o", folder_ / "disk/r.html"}), 2);
  EXPECT_EQ(err_, "flitmend: cannot write " + (folder_ / "disk/r.html") + ": " + why +
                      "; choose another file with -o\n");
}

TEST_F(ReportCommand, AFullDiskIsSaidAndLeavesTheOldReport) {
  ProgramProcess::Options limited;
  limited.file_limit = 100'000;
  folder_.write("old.html", "the report of yesterday");
  EXPECT_EQ(flitmend({"report", folder_ / "run", "-o", folder_ / "old.html"}, limited), 5);
  EXPECT_EQ(err_, "flitmend: cannot write " + (folder_ / "old.html") + ": File too large\n");
  EXPECT_EQ(folder_.read("old.html"), "the report of yesterday");

  std::filesystem::create_directories(folder_ / "disk");
  if (mount("tmpfs", (folder_ / "disk").c_str(), "tmpfs", 0, "size=200k") != 0)
    GTEST_SKIP() << "a small disk to fill needs the right to mount one";
  EXPECT_EQ(flitmend({"report", folder_ / "run", "-o", folder_ / "disk/r.html"}), 5);
  EXPECT_EQ(err_, "flitmend: cannot write " + (folder_ / "disk/r.html") + ": No space left on device\n");
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "disk"));
}

}  // namespace
}  // namespace flitmend
