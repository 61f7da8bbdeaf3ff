// SPDX-License-Identifier: Apache-2.0
// The folder of a run: whose it is, and of which run its files are.
#include <sys/stat.h>
#include <csignal>
#include <thread>

#include "support/program_fixture.h"

namespace flitmend {
namespace {

constexpr const char* kShort = "network: {size: [3, 3]}\nsimulation: {measure: 300}\n";
constexpr const char* kEndless = "network: {size: [3, 3]}\nsimulation: {measure: 1000000000}\n";

class RunFolderOf : public ProgramFixture {
 protected:
  std::vector<std::string> endless() {
    return {"run", folder_.write("endless.yaml", kEndless), "--quiet", "--out", folder_ / "o"};
  }
  /// Until a run has begun in the folder with that line in its effective configuration.
  void wait_for(const std::string& line) const {
    for (int i = 0; i < 600 && read_file(folder_ / "o/config.yaml").find(line) == std::string::npos; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "o"))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
};

TEST_F(RunFolderOf, TakesOneRunAtATime) {
  ProgramProcess first(endless());
  wait_for("measure: 1000000000");
  EXPECT_EQ(run(kShort, {"--out", folder_ / "o"}), 2);
  EXPECT_EQ(err_, "flitmend: another run or sweep is writing to " + (folder_ / "o") +
                      "; wait until it ends, or choose another folder with --out\n");
  first.signal(SIGINT);
  EXPECT_EQ(first.wait(), 5);
  EXPECT_EQ(stats("o")["status"]["outcome"], "interrupted");
  EXPECT_NE(folder_.read("o/config.yaml").find("measure: 1000000000"), std::string::npos);
}

TEST_F(RunFolderOf, HoldsNothingOfAnEarlierRunWhenTheFirstCycleBegins) {
  ASSERT_EQ(run(kShort, {"--out", folder_ / "o", "--waves"}), 0) << err_;
  folder_.write("o/report.html", "of the first run");
  folder_.write("o/stats.json.tmp4711", "of a run that was killed");
  folder_.write("o/notes.txt", "the user's own");
  ProgramProcess second(endless());
  wait_for("measure: 1000000000");
  EXPECT_EQ(files(), (std::vector<std::string>{"check.txt", "config.yaml", "notes.txt"}));
  second.signal(SIGKILL);
  second.wait();
  EXPECT_EQ(files(), (std::vector<std::string>{"check.txt", "config.yaml", "notes.txt"}));
}

TEST_F(RunFolderOf, ARefusedRunLeavesTheOldResults) {
  ASSERT_EQ(run(kShort, {"--out", folder_ / "o"}), 0) << err_;
  const std::string old = folder_.read("o/stats.json");
  EXPECT_EQ(run("traffic: {load: 2}", {"--out", folder_ / "o"}), 2);
  EXPECT_EQ(folder_.read("o/stats.json"), old);
  std::filesystem::create_directory(folder_ / "o/waves.fst");
  EXPECT_EQ(run(kShort, {"--out", folder_ / "o"}), 2);
  EXPECT_EQ(err_, "flitmend: cannot write " + (folder_ / "o/waves.fst") +
                      ": Is a directory; remove it, or choose another output folder\n");
  EXPECT_EQ(folder_.read("o/stats.json"), old);
}

TEST_F(RunFolderOf, KeepsFilesThatAreNotItsOwn) {
  ASSERT_EQ(run(kShort, {"--out", folder_ / "o", "--waves"}), 0) << err_;
  const std::vector<std::string> own = {"config.yaml.tmpl", "config.yaml.tmp1.bak",
                                        "config.yaml.tmp",  "stats.json.tmp-backup",
                                        "report.html.old",  "waves.filters/mine"};
  for (const std::string& name : own) folder_.write("o/" + name, "mine");
  std::filesystem::create_directory(folder_ / "o/stats.json.tmp1");
  ASSERT_EQ(mkfifo((folder_ / "o/stats.json.tmp2").c_str(), 0600), 0);
  folder_.write("o/stats.json.tmp3", "of a run that was killed");
  folder_.write("o/waves.filters/link.filter.tmp3", "of a run that was killed");
  ASSERT_EQ(run(kShort, {"--out", folder_ / "o"}), 0) << err_;
  for (const std::string& name : own) EXPECT_EQ(folder_.read("o/" + name), "mine") << name;
  EXPECT_EQ(files(), (std::vector<std::string>{"check.txt", "config.yaml", "config.yaml.tmp",
                                               "config.yaml.tmp1.bak", "config.yaml.tmpl", "report.html.old",
                                               "stats.json", "stats.json.tmp-backup", "stats.json.tmp1",
                                               "stats.json.tmp2", "waves.filters"}));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "o/waves.filters"), {}), 1);
}

TEST_F(RunFolderOf, WritesWhereSymbolicLinksLead) {
  std::vector<std::string> links = {"stats.json", "config.yaml", "waves.vcd", "waves.gtkw"};
  std::filesystem::create_directory(folder_ / "o");
  std::filesystem::create_directory(folder_ / "elsewhere");
  for (const std::string& name : links)
    std::filesystem::create_symlink("../elsewhere/" + name, folder_ / "o/" + name);
  for (const char* measure : {"300", "301"}) {
    ASSERT_EQ(run(kShort,
                  {"--out", folder_ / "o", "--waves", "--set", std::string("simulation.measure=") + measure}),
              0)
        << err_;
    for (const std::string& name : links) {
      EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "o/" + name)) << name;
      EXPECT_TRUE(std::filesystem::is_regular_file(folder_ / "elsewhere/" + name)) << name;
    }
    EXPECT_NE(folder_.read("elsewhere/config.yaml").find(std::string("measure: ") + measure),
              std::string::npos);
  }
  ASSERT_EQ(run(kShort, {"--out", folder_ / "o"}), 0) << err_;
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "o/waves.vcd"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "elsewhere/waves.vcd")) << "the waves of an earlier run";
}

TEST_F(RunFolderOf, RefusesWhatItCannotRemove) {
  if (!std::filesystem::is_regular_file("/proc/version"))
    GTEST_SKIP() << "no file here that nobody can remove";
  std::filesystem::create_directory(folder_ / "o");
  std::filesystem::create_symlink("/proc/version", folder_ / "o/report.html");
  EXPECT_EQ(run(kShort, {"--out", folder_ / "o"}), 2);
  EXPECT_TRUE(err_.starts_with("flitmend: cannot remove /proc/version, the result of an earlier run: "))
      << err_;
  EXPECT_TRUE(err_.ends_with("; remove it, or choose another folder with --out\n")) << err_;
  EXPECT_EQ(files(), (std::vector<std::string>{"report.html"}));
}

// Not after a deadlock check of minutes.
TEST_F(RunFolderOf, IsRefusedBeforeTheDeadlockCheck) {
  std::filesystem::create_directories(folder_ / "o/stats.json");
  EXPECT_EQ(
      run("network: {topology: torus, size: [4, 4]}\nrouting: {algorithm: tfar}", {"--out", folder_ / "o"}),
      2);
  EXPECT_EQ(err_, "flitmend: cannot write " + (folder_ / "o/stats.json") +
                      ": Is a directory; remove it, or choose another output folder\n");
}

TEST_F(RunFolderOf, IsNotThatOfASweep) {
  std::filesystem::create_directory(folder_ / "o");
  folder_.write("o/results.sqlite", "");
  EXPECT_EQ(run(kShort, {"--out", folder_ / "o"}), 2);
  EXPECT_EQ(err_, "flitmend: folder " + (folder_ / "o") +
                      " holds the results of a sweep (results.sqlite); choose another one with --out\n");
}

TEST_F(RunFolderOf, IsNotWhereItsOwnConfigurationStands) {
  folder_.write("config.yaml", std::string("# my notes\n") + kShort);
  EXPECT_EQ(start({"run", folder_ / "config.yaml", "--quiet", "--out", folder_.path().string()}), 2);
  EXPECT_EQ(err_, "flitmend: the run would write its effective configuration over its own, " +
                      (folder_ / "config.yaml") + "; choose another folder with --out\n");
  EXPECT_EQ(folder_.read("config.yaml").find("# my notes"), 0u);
}

// A sweep does not get in either.
TEST_F(RunFolderOf, TakesNoSweepBesideARun) {
  ProgramProcess first(endless());
  wait_for("measure: 1000000000");
  folder_.write("c.yaml", kShort);
  EXPECT_EQ(start({"sweep", folder_.write("s.yaml", "base: c.yaml\naxes: [{seeds: 1}]\n"), "--quiet", "--out",
                   folder_ / "o"}),
            2);
  EXPECT_EQ(err_.find("flitmend: another run or sweep is writing to "), 0u) << err_;
  first.signal(SIGINT);
  first.wait();
}

}  // namespace
}  // namespace flitmend
