// SPDX-License-Identifier: Apache-2.0
// Inputs that are not regular files, output over input, text that a terminal would obey.
#include <sys/stat.h>

#include <algorithm>

#include "support/program_fixture.h"
#include "testbench/run_end.h"

namespace flitmend {
namespace {

constexpr const char* kTriangle =
    R"(<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/><node id="c"/>)"
    R"(<edge source="a" target="b"/><edge source="b" target="c"/><edge source="c" target="a"/></graph></graphml>)";
constexpr int kBadUsage = to_int(ExitStatus::bad_usage);

class HostileFiles : public ProgramFixture {
 protected:
  std::string pipe(const std::string& name) const {
    const std::string path = folder_ / name;
    EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
    return path;
  }
};

// Nobody writes into these pipes.
TEST_F(HostileFiles, APipeIsRefusedWhereverAFileIsRead) {
  const std::string p = pipe("p");
  const std::string said = "it is a pipe, not a regular file";
  const auto refused = [&](const std::vector<std::string>& words) {
    EXPECT_EQ(start(words), kBadUsage) << out_ << err_;
    EXPECT_NE(err_.find(said), err_.npos) << err_;
  };
  refused({"check", p});
  refused({"run", p});
  refused({"sweep", p, "--out", folder_ / "o"});
  refused({"study", p, "--out", folder_ / "o"});
  refused({"campaign", p, "--out", folder_ / "o"});
  const std::string graph = folder_.write("ring.graphml", kTriangle);
  for (const std::string& text :
       {"network: {topology: file, graph: " + p + "}\nrouting: {algorithm: up-down}",
        "network: {topology: file, graph: " + graph + "}\nrouting: {algorithm: table, table: " + p + "}",
        "network: {size: [4, 4]}\ntraffic: {pattern: permutation, permutation_file: " + p + "}",
        "network: {size: [4, 4]}\ntraffic: {trace: " + p + "}"}) {
    folder_.write("c.yaml", text);
    refused({"run", folder_ / "c.yaml"});
  }
  folder_.write("c.yaml", "network: {size: [4, 4]}");
  refused({"sweep", folder_.write("s.yaml", "base: p\naxes: [{seeds: 1}]"), "--out", folder_ / "o"});
}

TEST_F(HostileFiles, OutputNeverReplacesWhatIsRead) {
  const std::string graph = folder_.write("ring.graphml", kTriangle);
  const std::string text = "network: {topology: file, graph: " + graph + "}\nrouting: {algorithm: up-down}\n";
  const std::string config = folder_.write("c.yaml", text);
  std::filesystem::create_symlink("ring.graphml", folder_ / "link");
  const auto refused = [&](const std::vector<std::string>& words, const std::string& why) {
    EXPECT_EQ(start(words), kBadUsage) << out_ << err_;
    EXPECT_EQ(err_, "flitmend: " + why + "; name another file\n");
  };
  for (const std::string option : {"--graph", "--picture"}) {
    refused({"check", config, option, config}, option + " " + config + " would overwrite the configuration");
    refused({"check", config, option, folder_ / "link"},
            option + " " + (folder_ / "link") + " would overwrite the file of network.graph");
  }
  refused({"check", config, "--graph", folder_ / "x", "--picture", folder_ / "./x"},
          "--picture " + (folder_ / "./x") + " would overwrite what --graph writes");
  EXPECT_EQ(folder_.read("c.yaml"), text);
  EXPECT_EQ(folder_.read("ring.graphml"), kTriangle);

  std::filesystem::create_directory(folder_ / "o");
  std::filesystem::rename(graph, folder_ / "o/waves.gtkw");
  EXPECT_EQ(run("network: {topology: file, graph: " + (folder_ / "o/waves.gtkw") +
                    "}\nrouting: {algorithm: up-down}",
                {"--out", folder_ / "o"}),
            kBadUsage);
  EXPECT_NE(err_.find("network.graph: the run would write over " + (folder_ / "o/waves.gtkw")), err_.npos)
      << err_;
  EXPECT_EQ(folder_.read("o/waves.gtkw"), kTriangle);
}

/// Characters that no file may send to a terminal.
bool harmless(const std::string& text) {
  const auto control = [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f;
  };
  if (std::any_of(text.begin(), text.end(), control)) return false;
  for (const char* bidi : {"\u202e", "\u200b", "\u009b", "\u2066"})
    if (text.find(bidi) != text.npos) return false;
  return true;
}

TEST_F(HostileFiles, NothingInAFileReachesTheTerminalAsACommand) {
  // In a JSON text, which is YAML too.
  const std::string evil = "\\u001b]0;PWNED\\u0007\\u001b[2J\\u202e\\u200b\\r\\nX";
  folder_.write("base.yaml", "network: {size: [3, 3]}\nsimulation: {warmup: 0, measure: 200}\n");
  const std::string study =
      R"({"title": "t )" + evil + R"(", "about": ")" + evil +
      R"(", "sweeps": {"loads": {"base": "base.yaml", "axes": [{"key": "traffic.load", "values": [0.1, 0.2]}, )" +
      R"({"name": "n)" + evil +
      R"(", "key": "router.virtual_channels", "values": [3, 4]}, {"seeds": 2}]}}, )" + R"("curves": {"two)" +
      evil + R"(": {"router.virtual_channels": 3}, "four": {"router.virtual_channels": 4}}, )" +
      R"("statements": [{"says": "s )" + evil +
      R"(", "metric": "latency.total.mean", "below": ["four", "two)" + evil + R"("], "refuted_by": "r)" +
      evil + R"("}, {"says": "z", "metric": "latency.total.mean", "tie": ["four", "two)" + evil +
      R"("], "within": 100}]})";
  start({"study", folder_.write("s.yaml", study), "--quiet", "--out", folder_ / "o"});
  EXPECT_NE(out_.find("PWNED"), out_.npos) << out_ << err_;
  EXPECT_TRUE(harmless(out_)) << out_;
  EXPECT_TRUE(harmless(err_)) << err_;

  folder_.write("c.yaml", "{\"network\": {\"size\": [3, 3], \"k" + evil + "\": 1}, \"x" + evil + "\": 2}");
  EXPECT_EQ(start({"check", folder_ / "c.yaml"}), kBadUsage);
  EXPECT_NE(err_.find("PWNED"), err_.npos);
  EXPECT_TRUE(harmless(err_)) << err_;

  folder_.write("sweep.yaml",
                "{\"base\": {\"network\": {\"size\": [3, 3]}}, \"axes\": [{\"key\": "
                "\"recovery.protocol\", \"values\": [\"none\", \"" +
                    evil + "\"]}]}");
  start({"sweep", folder_ / "sweep.yaml", "--quiet", "--out", folder_ / "p"});
  EXPECT_TRUE(harmless(out_ + err_)) << out_ << err_;
  EXPECT_EQ(start({"check", "no\x1b[2J\u202e.yaml"}), kBadUsage);
  EXPECT_TRUE(harmless(err_)) << err_;
  EXPECT_EQ(start({"list", "\x1b[2J"}), kBadUsage);
  EXPECT_TRUE(harmless(err_)) << err_;
}

TEST_F(HostileFiles, OptionsForSlurmNameNoScriptAndNoFile) {
  const auto complaint = [&](const std::string& options) {
    folder_.write("s.yaml",
                  "base: {network: {size: [3, 3]}}\naxes: [{seeds: 2}]\nslurm: {options: [" + options + "]}");
    EXPECT_EQ(start({"sweep", folder_ / "s.yaml", "--quiet", "--out", folder_ / "o"}), kBadUsage) << options;
    return err_;
  };
  const auto says = [&](const std::string& options, const std::string& what) {
    const std::string text = complaint(options);
    EXPECT_NE(text.find("s.yaml:3:18: slurm.options: " + what), text.npos) << text;
  };
  says("evil.sh", "'evil.sh' is not a long option of sbatch");
  says("--reboot", "'--reboot' is not among the options of sbatch that a sweep can set");
  says("--nodelist=./nodes", "'--nodelist=./nodes' names a file; write the nodes themselves");
  says("--exclude=/etc/passwd", "'--exclude=/etc/passwd' names a file; write the nodes themselves");
  says("--wrap=touch x", "'--wrap' is not among the options of sbatch that a sweep can set");
  says("--wra=touch x", "'--wra' is not among");
  says("--output=x", "'--output' is not among");
  says("-p", "'-p' is not a long option");
  says("''", "'' is not a long option");
  says("'-'", "'-' is not a long option");
  says("--mem", "'--mem' has no value; write --mem=VALUE");
  says("--mem=", "'--mem=' has no value");
  says("--hold=x", "--hold takes no value");
  folder_.write("s.yaml",
                "base: {network: {size: [3, 3]}}\naxes: [{seeds: 1}]\n"
                "slurm: {options: [--partition=long, --mem=2G, --exclusive, \"--comment=$(touch x)\"]}");
  EXPECT_EQ(start({"sweep", folder_ / "s.yaml", "--quiet", "--out", folder_ / "o"}), 0) << err_;
}

}  // namespace
}  // namespace flitmend
