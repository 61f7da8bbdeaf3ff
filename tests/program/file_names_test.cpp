// SPDX-License-Identifier: Apache-2.0
// Names of files in a file are relative to it, those on the command line to the working directory; and files
// of the wrong kind.
#include <filesystem>

#include "support/program_fixture.h"

namespace flitmend {
namespace {

constexpr const char* kRing = R"(<graphml><graph edgedefault="undirected">
<node id="a"/><node id="b"/><node id="c"/>
<edge source="a" target="b"/><edge source="b" target="c"/></graph></graphml>)";

class FileNames : public ProgramFixture {
 protected:
  FileNames() {
    for (const char* name : {"networks", "runs", "elsewhere"})
      std::filesystem::create_directory(folder_ / name);
    folder_.write("networks/line.graphml", kRing);
    folder_.write("networks/pairs.txt", "0 1\n1 2\n");
    configuration_ =
        folder_.write("runs/c.yaml",
                      "network: {topology: file, graph: ../networks/line.graphml}\n"
                      "traffic: {pattern: permutation, permutation_file: ../networks/pairs.txt}\n"
                      "simulation: {warmup: 0, measure: 100}\n");
  }
  /// The program, started in that folder.
  int start_in(const std::string& folder, const std::vector<std::string>& words) {
    ProgramProcess::Options options;
    options.folder = folder_ / folder;
    return start(words, options);
  }

  std::string configuration_;
};

TEST_F(FileNames, AreRelativeToTheFileThatGivesThem) {
  for (const char* folder : {"elsewhere", "runs", "networks"})
    EXPECT_EQ(start_in(folder, {"run", configuration_, "--quiet"}), 0) << folder << ": " << err_;
  EXPECT_EQ(start_in("runs", {"check", "c.yaml"}), 0) << err_;
}

TEST_F(FileNames, OnTheCommandLineAreRelativeToTheWorkingDirectory) {
  EXPECT_EQ(start_in("networks", {"run", configuration_, "--quiet", "--set", "network.graph=line.graphml"}),
            0)
      << err_;
  EXPECT_EQ(start_in("elsewhere", {"run", configuration_, "--quiet", "--set", "network.graph=line.graphml"}),
            2);
  EXPECT_EQ(err_, "flitmend: --set #1: network.graph: there is no file line.graphml in " +
                      (folder_ / "elsewhere") + ", the working directory; create it, or correct its name\n");
}

TEST_F(FileNames, TheErrorSaysWhatTheyAreRelativeTo) {
  folder_.write("elsewhere/here.graphml", kRing);
  const std::string file = folder_.write("runs/d.yaml", "network: {topology: file, graph: here.graphml}\n");
  EXPECT_EQ(start_in("elsewhere", {"run", "../runs/d.yaml"}), 2);
  EXPECT_EQ(err_,
            "flitmend: ../runs/d.yaml:1:34: network.graph: there is no file here.graphml in " +
                (folder_ / "runs") +
                ", the folder of ../runs/d.yaml; there is one in the working directory: give its name from "
                "that folder\n");
}

TEST_F(FileNames, OfFilesThatAreNotReadNeedNotExist) {
  const std::string text =
      "network: {topology: file, graph: ../networks/line.graphml}\nsimulation: {warmup: 0, measure: 40}\n";
  const std::string unread = folder_.write("runs/u.yaml", text + "traffic: {permutation_file: no.txt}\n");
  for (const char* command : {"run", "check"}) {
    EXPECT_EQ(start({command, unread, "--quiet"}), 0) << err_;
    EXPECT_NE(err_.find("u.yaml:3:29: traffic.permutation_file has no effect"), err_.npos) << err_;
  }
  const std::string read =
      folder_.write("runs/u.yaml", text + "traffic: {pattern: permutation, permutation_file: no.txt}\n");
  for (const char* command : {"run", "check"}) {
    EXPECT_EQ(start({command, read, "--quiet"}), 2);
    EXPECT_NE(err_.find("u.yaml:3:51: traffic.permutation_file: there is no file no.txt in " +
                        (folder_ / "runs") + ", the folder of "),
              err_.npos)
        << err_;
  }
}

// What begins like a graph is a table's name anyway; a table itself has several lines.
TEST_F(FileNames, MayBeginLikeTheContentOfAnotherKey) {
  const std::string hops =
      "router,destination,next\nrouter_a,router_b,router_b\nrouter_a,router_c,router_b\n"
      "router_b,router_a,router_a\nrouter_b,router_c,router_c\nrouter_c,router_a,router_b\n"
      "router_c,router_b,router_b\n";
  folder_.write("runs/<t>.csv", hops);
  const std::string file = folder_.write("runs/t.yaml",
                                         "network: {topology: file, graph: ../networks/line.graphml}\n"
                                         "routing: {algorithm: table, table: <t>.csv}\n"
                                         "simulation: {warmup: 0, measure: 100}\n");
  ASSERT_EQ(start_in("elsewhere", {"run", file, "--quiet", "--out", folder_ / "o"}), 0) << err_;
  const nlohmann::ordered_json inputs = stats("o")["host"]["inputs"];
  ASSERT_EQ(inputs.size(), 2u) << inputs;
  EXPECT_EQ(inputs[1]["key"], "routing.table");
  EXPECT_EQ(inputs[1]["path"], folder_ / "runs/<t>.csv");
  std::filesystem::remove(folder_ / "runs/<t>.csv");
  EXPECT_EQ(start_in("elsewhere", {"run", file, "--quiet"}), 2);
  EXPECT_NE(err_.find("t.yaml:2:36: routing.table: there is no file <t>.csv in "), err_.npos) << err_;
}

TEST_F(FileNames, AResultsConfigurationRunsFromAnywhere) {
  ASSERT_EQ(start_in("elsewhere", {"run", "../runs/c.yaml", "--quiet", "--out", "o"}), 0) << err_;
  for (const char* folder : {"elsewhere/o", "runs"})
    EXPECT_EQ(
        start_in(folder, {"run", folder_ / "elsewhere/o/config.yaml", "--quiet", "--out", folder_ / "again"}),
        0)
        << err_;
  EXPECT_EQ(read_file(folder_ / "again/config.yaml"), read_file(folder_ / "elsewhere/o/config.yaml"));
}

TEST_F(FileNames, ASweepsAreRelativeToIt) {
  folder_.write("runs/s.yaml",
                "base: c.yaml\naxes: [{key: network.graph, values: [../networks/line.graphml]}]\n");
  folder_.write("s.yaml",
                "base: runs/c.yaml\naxes: [{key: network.graph, values: [networks/line.graphml]}]\n");
  folder_.write("t.yaml", "base: runs/c.yaml\naxes: [{seeds: 2}]\n");
  EXPECT_EQ(start_in("elsewhere", {"sweep", "../runs/s.yaml", "--quiet", "--out", "1"}), 0) << out_ << err_;
  EXPECT_EQ(start_in("elsewhere", {"sweep", "../s.yaml", "--quiet", "--out", "2"}), 0) << out_ << err_;
  EXPECT_EQ(start_in("elsewhere", {"sweep", "../t.yaml", "--quiet", "--out", "3"}), 0) << out_ << err_;
  EXPECT_EQ(
      start_in("networks", {"sweep", folder_ / "t.yaml", "--quiet", "--resume", "--out", "../elsewhere/3"}),
      0)
      << err_;
  // The content of the files that it names is part of what --resume compares.
  folder_.write("networks/pairs.txt", "0 2\n1 2\n");
  EXPECT_EQ(start_in("elsewhere", {"sweep", "../t.yaml", "--quiet", "--resume", "--out", "3"}), 2);
  EXPECT_NE(err_.find("networks/pairs.txt"), std::string::npos) << err_;
}

TEST_F(FileNames, AFileOfTheWrongKindIsCalledByItsName) {
  const std::string sweep = folder_.write("s.yaml", "base: runs/c.yaml\naxes: [{seeds: 2}]\n");
  const std::string campaign =
      folder_.write("g.yaml", "base: runs/c.yaml\naxes: [{seeds: 2}]\nhits: 3\nruns: 4\n");
  const std::string study = folder_.write("y.yaml", "title: x\nsweeps: {}\nstatements: []\n");
  struct Case {
    std::vector<std::string> words;
    std::string what;
  };
  const std::string out = folder_ / "o";
  for (const Case& c :
       {Case{{"run", sweep}, "s.yaml: this is a sweep; flitmend sweep runs it"},
        Case{{"check", sweep}, "s.yaml: this is a sweep; flitmend sweep runs it"},
        Case{{"run", campaign}, "g.yaml: this is a campaign; flitmend campaign runs it"},
        Case{{"sweep", campaign, "--out", out}, "g.yaml: this is a campaign; flitmend campaign runs it"},
        Case{{"run", study}, "y.yaml: this is a study; flitmend study runs it"},
        Case{{"sweep", configuration_, "--out", out},
             "c.yaml: this is a configuration; flitmend run simulates it"},
        Case{{"study", configuration_}, "c.yaml: this is a configuration; flitmend run simulates it"},
        Case{{"campaign", configuration_, "--out", out},
             "c.yaml: this is a configuration; flitmend run simulates it"},
        Case{{"run", folder_ / "networks/line.graphml"},
             "line.graphml: this is a graph; name it with network.graph in a configuration"},
        Case{{"run", folder_ / "runs"}, "runs: this is a folder; name a file in it"}}) {
    EXPECT_EQ(start(c.words), 2) << c.what;
    EXPECT_NE(err_.find(c.what), std::string::npos) << c.words[0] << ": " << err_;
  }
}

}  // namespace
}  // namespace flitmend
