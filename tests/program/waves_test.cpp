// SPDX-License-Identifier: Apache-2.0
// flitmend run --waves: what is written, what is refused, full disks, signals.
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "support/program.h"
#include "support/vcd_reader.h"

namespace flitmend {
namespace {

const char* const kSmall =
    "network: {topology: mesh, size: [3, 3]}\nsimulation: {warmup: 100, measure: 300, seed: 5}\n";
// Writes at least 40 MB of waves, in some tens of seconds.
const char* const kLong =
    "network: {topology: mesh, size: [4, 4]}\nsimulation: {warmup: 100, measure: 1000000, seed: 5}\n";
// Writes some MB.
const char* const kMiddle =
    "network: {topology: mesh, size: [4, 4]}\nsimulation: {warmup: 100, measure: 4000, seed: 5}\n";

class Waves : public testing::Test {
 protected:
  void TearDown() override { umount((folder_ / "disk").c_str()); }

  int run(const std::string& text, const std::vector<std::string>& more,
          const ProgramProcess::Options& options = {}) {
    ProgramProcess process(words(text, more), options);
    const int status = process.wait();
    out_ = process.out();
    err_ = process.err();
    return status;
  }
  std::vector<std::string> words(const std::string& text, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"run", folder_.write("c.yaml", text), "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // stats.json without what may differ between two runs.
  std::string results(const std::string& out) const {
    auto stats = nlohmann::ordered_json::parse(read_file(out + "/stats.json"));
    stats.erase("host");
    return stats.dump();
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  std::string at(const std::string& rest) const { return "flitmend: " + (folder_ / "c.yaml") + rest + "\n"; }

  ScratchFolder folder_;
  std::string out_;
  std::string err_;
};

// The cycle before which the recording ends, according to the error message; 0 if there is none.
std::uint64_t end_said(const std::string& err) {
  const std::string words = "the recording ends before cycle ";
  const std::size_t found = err.find(words);
  return found == err.npos ? 0 : std::stoull(err.substr(found + words.size()));
}

}  // namespace

TEST_F(Waves, AreWhatTheResultsSay) {
  ASSERT_EQ(run(kSmall, {"--waves", "--out", folder_ / "o"}), 0) << err_;
  EXPECT_EQ(err_, "");
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "o"))
    files.insert(entry.path().filename());
  EXPECT_EQ(files, (std::set<std::string>{"check.txt", "config.yaml", "stats.json", "waves.filters",
                                          "waves.gtkw", "waves.vcd"}));
  EXPECT_TRUE(exists("o/waves.filters/route_fsm.filter"));
  const auto stats = nlohmann::json::parse(folder_.read("o/stats.json"));
  const VcdDump dump = read_vcd(folder_.read("o/waves.vcd"));
  EXPECT_EQ(dump.timescale, "1 ns");
  EXPECT_EQ(dump.times.back(), stats["simulation"]["cycles"].get<std::uint64_t>());
  std::uint64_t hops = 0;
  for (const auto& [name, signal] : dump.signals)
    if (name.ends_with(".input_flit.kind") && name.find(".local.") == name.npos)
      for (std::uint64_t t = 0; t <= dump.times.back(); ++t) hops += signal.at(t).value != 0;
  EXPECT_EQ(hops, stats["simulation"]["flit_hops"].get<std::uint64_t>());
  EXPECT_GT(hops, 1000u);
}

TEST_F(Waves, ChangeNoResult) {
  const char* const configurations[] = {
      kMiddle,
      "network: {topology: torus, size: [4, 4]}\nrouter: {preset: kary-ncube}\nsimulation: {measure: 500}\n",
      "network: {topology: hypercube, dimensions: 3}\nrouting: {algorithm: duato}\ntraffic: {load: 0.6}\n"
      "simulation: {measure: 500}\n",
      "network: {topology: kns, k: 4, n: 2}\nrouter: {preset: kns}\nsimulation: {measure: 500}\n",
      "network: {topology: mesh, size: [3, 2]}\nrouter: {preset: sbrp}\nlink: {latency: 4}\n"
      "simulation: {measure: 500, drain: false}\n"};
  for (const std::string text : configurations) {
    ASSERT_EQ(run(text, {"--out", folder_ / "without"}), 0) << err_;
    const std::string words = out_.substr(0, out_.find("host "));
    ASSERT_EQ(run(text, {"--out", folder_ / "with", "--waves"}), 0) << err_;
    EXPECT_EQ(results(folder_ / "with"), results(folder_ / "without")) << text;
    EXPECT_EQ(out_.substr(0, out_.find("host ")), words);
    EXPECT_GT(read_vcd(folder_.read("with/waves.vcd")).times.size(), 500u) << text;
  }
}

TEST_F(Waves, AScopeAndAWindow) {
  const std::string text =
      std::string(kSmall) +
      "waves: {enabled: true, scope: [fabric.router_1_1.east, '*.route_fsm'], from: 150, to: 250}\n";
  ASSERT_EQ(run(text, {"--out", folder_ / "o"}), 0) << err_;
  const VcdDump dump = read_vcd(folder_.read("o/waves.vcd"));
  EXPECT_EQ(dump.times.front(), 150u);
  EXPECT_EQ(dump.times.back(), 251u);
  for (const auto& [name, signal] : dump.signals)
    EXPECT_TRUE(name.starts_with("fabric.router_1_1.east.") || name.ends_with(".route_fsm")) << name;
  EXPECT_TRUE(dump.signals.contains("fabric.router_1_1.east.vc0.input_buffer"));
  EXPECT_TRUE(dump.signals.contains("fabric.router_0_0.local.vc3.route_fsm"));

  // The option's globs replace those of the file; the window stays.
  ASSERT_EQ(run(text, {"--waves=*.west.vc[01].input_buffer,*.injector.source_queue", "--out", folder_ / "p"}),
            0)
      << err_;
  const VcdDump other = read_vcd(folder_.read("p/waves.vcd"));
  EXPECT_EQ(other.signals.size(), 6u * 2 + 9);
  ASSERT_EQ(run(text, {"--waves=*.west.vc[01].input_buffer", "--waves=*.injector.source_queue", "--out",
                       folder_ / "q"}),
            0)
      << err_;
  EXPECT_EQ(read_vcd(folder_.read("q/waves.vcd")).signals.size(), other.signals.size());
  EXPECT_EQ(other.times.front(), 150u);
  // The effective configuration gives the same again.
  ASSERT_EQ(run(folder_.read("p/config.yaml"), {"--out", folder_ / "q"}), 0) << err_;
  EXPECT_EQ(folder_.read("q/waves.vcd"), folder_.read("p/waves.vcd"));
}

TEST_F(Waves, AFlagInFrontOfTheFileIsNoGlob) {
  ProgramProcess process(
      {"run", "--waves", folder_.write("c.yaml", kSmall), "--quiet", "--out", folder_ / "o"});
  EXPECT_EQ(process.wait(), 0) << process.err();
  EXPECT_TRUE(exists("o/waves.vcd"));
}

TEST_F(Waves, AWindowBehindTheRunIsSaid) {
  EXPECT_EQ(run(kSmall, {"--waves", "--set", "waves.from=100000", "--out", folder_ / "o"}), 0);
  const auto stats = nlohmann::json::parse(folder_.read("o/stats.json"));
  EXPECT_EQ(err_, "flitmend: waves: nothing was recorded: waves.from is cycle 100000, but the run has only " +
                      stats["simulation"]["cycles"].dump() + " cycles\n");
  EXPECT_GT(read_vcd(folder_.read("o/waves.vcd")).signals.size(), 1000u);
}

TEST_F(Waves, RefusedBeforeAnythingIsWritten) {
  EXPECT_EQ(run(kSmall, {"--waves"}), 2);
  EXPECT_EQ(err_, "flitmend: --waves: waves.enabled: a waveform needs an output folder; give --out DIR\n");
  EXPECT_EQ(run(kSmall, {"--waves=fabric.router_1_1.esat", "--out", folder_ / "o"}), 2);
  EXPECT_EQ(err_,
            "flitmend: --waves: waves.scope: 'fabric.router_1_1.esat' names no signal (did you mean "
            "fabric.router_1_1.east, fabric.router_1_1.west?)\n");
  EXPECT_EQ(run(std::string(kSmall) + "waves: {enabled: true, scope: [fabric.router_7_7]}",
                {"--out", folder_ / "o"}),
            2);
  EXPECT_TRUE(err_.starts_with("flitmend: " + (folder_ / "c.yaml") +
                               ":3:31: waves.scope: 'fabric.router_7_7' names no signal (did you mean "
                               "fabric.router_0_0, fabric.router_1_0, "))
      << err_;
  EXPECT_EQ(run(std::string(kSmall) + "waves: {from: 10, to: 9}", {"--out", folder_ / "o", "--waves"}), 2);
  EXPECT_EQ(err_, at(":3:23: waves.to: cycle 9 is before waves.from: 10; give a later cycle, or 0 for the "
                     "last of the run"));
  EXPECT_EQ(run(kSmall, {"--set", "waves.format=vcdd"}), 2);
  EXPECT_NE(err_.find("waves.format"), std::string::npos);
  EXPECT_NE(err_.find("fst"), std::string::npos) << err_;
  EXPECT_FALSE(exists("o"));
  EXPECT_EQ(out_, "");
}

TEST_F(Waves, SomethingInTheWayIsRefused) {
  std::filesystem::create_directories(folder_.path() / "o" / "waves.vcd");
  EXPECT_EQ(run(kSmall, {"--waves", "--out", folder_ / "o"}), 2);
  EXPECT_EQ(err_, "flitmend: cannot write " + (folder_ / "o/waves.vcd") +
                      ": Is a directory; remove it, or choose another output folder\n");
  EXPECT_FALSE(exists("o/stats.json"));
  std::filesystem::create_directories(folder_.path() / "p");
  folder_.write("p/waves.filters", "");
  EXPECT_EQ(run(kSmall, {"--waves", "--out", folder_ / "p"}), 2);
  EXPECT_EQ(err_, "flitmend: cannot write " + (folder_ / "p/waves.filters") +
                      ": Not a directory; remove it, or choose another output folder\n");
}

TEST_F(Waves, FstNeedsItsProgram) {
  setenv("PATH", folder_.path().c_str(), 1);
  EXPECT_EQ(run(kSmall, {"--waves", "--set", "waves.format=fst", "--out", folder_ / "o"}), 2);
  EXPECT_EQ(err_,
            "flitmend: --set #1: waves.format: fst needs the program vcd2fst, which is not on the PATH; "
            "install it (Debian: gtkwave) or use vcd\n");
  EXPECT_FALSE(exists("o"));
  EXPECT_EQ(run(kSmall, {"--set", "waves.format=fst", "--out", folder_ / "o"}), 0) << "no waves are wanted";
}

TEST_F(Waves, AsFst) {
  if (std::system("command -v vcd2fst fst2vcd >/dev/null") != 0)
    GTEST_SKIP() << "vcd2fst and fst2vcd (Debian: gtkwave) are not installed";
  ASSERT_EQ(run(kMiddle, {"--waves", "--set", "waves.format=fst", "--out", folder_ / "o"}), 0) << err_;
  EXPECT_FALSE(exists("o/waves.vcd"));
  ASSERT_EQ(run(kMiddle, {"--waves", "--out", folder_ / "p"}), 0) << err_;
  EXPECT_EQ(results(folder_ / "o"), results(folder_ / "p"));
  EXPECT_LT(std::filesystem::file_size(folder_ / "o/waves.fst") * 3,
            std::filesystem::file_size(folder_ / "p/waves.vcd"));
  ASSERT_EQ(std::system(("fst2vcd '" + (folder_ / "o/waves.fst") + "' -o '" + (folder_ / "back.vcd") +
                         "' >/dev/null 2>&1")
                            .c_str()),
            0);
  EXPECT_GT(std::filesystem::file_size(folder_ / "back.vcd"), 1'000'000u);
}

TEST_F(Waves, ASizeLimitLeavesAReadableVcdAndAllResults) {
  ASSERT_EQ(run(kMiddle, {"--out", folder_ / "without"}), 0) << err_;
  ProgramProcess::Options limited;
  limited.file_limit = 1'500'000;
  EXPECT_EQ(run(kMiddle, {"--waves", "--out", folder_ / "o"}, limited), 5);
  EXPECT_EQ(err_, "flitmend: waves: " + (folder_ / "o/waves.vcd") +
                      ": No space left on device; the recording ends before cycle " +
                      std::to_string(end_said(err_)) + ", everything before that is readable\n");
  EXPECT_EQ(results(folder_ / "o"), results(folder_ / "without"));
  const VcdDump dump = read_vcd(folder_.read("o/waves.vcd"));
  EXPECT_GT(dump.times.back(), 100u);
  EXPECT_LT(dump.times.back(), end_said(err_));
  EXPECT_GE(dump.times.back() + 10, end_said(err_));
}

TEST_F(Waves, AFullDiskLeavesAReadableVcdAndAllResults) {
  std::filesystem::create_directories(folder_ / "disk");
  if (mount("tmpfs", (folder_ / "disk").c_str(), "tmpfs", 0, "size=3m") != 0)
    GTEST_SKIP() << "a small disk to fill needs the right to mount one";
  ASSERT_EQ(run(kMiddle, {"--out", folder_ / "without"}), 0) << err_;
  const bool has_fst = std::system("command -v vcd2fst fst2vcd >/dev/null") == 0;
  for (const std::string format : {"vcd", "fst"}) {
    if (format == "fst" && !has_fst) continue;
    const std::string out = folder_ / "disk/" + format;
    // Much is written as FST before a disk of 3 MB is full.
    EXPECT_EQ(run(format == "vcd" ? kMiddle : kLong, {"--waves", "--set", "waves.format=" + format, "--set",
                                                      "simulation.time_limit_seconds=20", "--out", out}),
              5)
        << format;
    EXPECT_NE(err_.find("flitmend: waves: " + out + "/waves." + format + ": No space left on device; "),
              std::string::npos)
        << err_;
    EXPECT_GT(end_said(err_), 100u) << err_;
    EXPECT_TRUE(std::filesystem::exists(out + "/stats.json")) << err_;
    if (format == "vcd") {
      EXPECT_EQ(results(out), results(folder_ / "without"));
      const VcdDump dump = read_vcd(read_whole_file(out + "/waves.vcd"));
      EXPECT_LT(dump.times.back(), end_said(err_));
    } else {
      EXPECT_EQ(std::system(("fst2vcd '" + out + "/waves.fst' >/dev/null 2>&1").c_str()), 0);
    }
    std::filesystem::remove_all(out);
  }
}

TEST_F(Waves, NoRoomAtAllIsSaidBeforeTheRun) {
  ProgramProcess::Options limited;
  limited.file_limit = 60'000;  // the view and the names of this network take more
  EXPECT_EQ(run(kMiddle, {"--waves", "--out", folder_ / "o"}, limited), 5);
  EXPECT_NE(err_.find("flitmend: "), std::string::npos);
  EXPECT_NE(err_.find("o/waves."), std::string::npos) << err_;
  EXPECT_EQ(out_, "");
}

// The channels of the reported cycle hold their heads until the end.
TEST_F(Waves, ADeadlockCanBeSeen) {
  EXPECT_EQ(run("network: {topology: mesh, size: [4, 4]}\nrouting: {algorithm: tfar}\n"
                "router: {virtual_channels: 1}\ntraffic: {load: 0.9, message_length: 16}\n",
                {"--allow-deadlock", "--waves", "--out", folder_ / "o"}),
            4);
  const VcdDump dump = read_vcd(folder_.read("o/waves.vcd"));
  const auto stats = nlohmann::json::parse(folder_.read("o/stats.json"));
  EXPECT_EQ(dump.times.back(), stats["simulation"]["cycles"].get<std::uint64_t>());
  unsigned stuck = 0;
  for (std::size_t at = 0; (at = err_.find("\n  router_", at)) != err_.npos; ++at) {
    const std::string name = "fabric." + err_.substr(at + 3, err_.find(' ', at + 3) - at - 3);
    EXPECT_NE(dump[name + ".input_buffer"].changes.back().value, 0u) << name;
    EXPECT_FALSE(dump[name + ".head.id"].at(dump.times.back()).absent) << name;
    ++stuck;
  }
  EXPECT_GE(stuck, 4u) << err_;
  EXPECT_EQ(stats["deadlock"]["cycle"].size(), stuck);
}

TEST_F(Waves, TheViewOfADeadlockBeginsWithWhatWaits) {
  EXPECT_EQ(run("network: {topology: mesh, size: [4, 4]}\nrouting: {algorithm: tfar}\n"
                "router: {virtual_channels: 1}\ntraffic: {load: 0.9, message_length: 16}\n",
                {"--allow-deadlock", "--waves", "--out", folder_ / "o"}),
            4);
  const auto cycle = nlohmann::json::parse(folder_.read("o/stats.json"))["deadlock"]["cycle"];
  ASSERT_GE(cycle.size(), 4u);
  const std::string view = folder_.read("o/waves.gtkw");
  std::size_t at = view.find("@800200\n-The deadlock: ");
  ASSERT_NE(at, view.npos);
  EXPECT_EQ(view.find("@800200"), at) << "the first group";
  EXPECT_EQ(view.find("@800200", at + 1), view.npos) << "and the only one that is open";
  const std::size_t end = view.find("@1000200\n-The deadlock: ");
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const std::string name = cycle[i]["router"].get<std::string>() + "." +
                             cycle[i]["port"].get<std::string>() + ".vc" +
                             std::to_string(cycle[i]["vc"].get<int>());
    at = view.find("@200\n-" + std::to_string(i + 1) + ": ", at);
    ASSERT_LT(at, end) << name;
    for (const char* signal : {".stage", ".output_port", ".input_buffer"}) {
      at = view.find("fabric." + name + signal, at);
      EXPECT_LT(at, end) << name << signal;
    }
  }
}

TEST_F(Waves, CtrlCLeavesAReadableVcdAndTheResults) {
  ProgramProcess process(words(kLong, {"--waves", "--out", folder_ / "o"}));
  const std::filesystem::path dump = folder_ / "o/waves.vcd";
  for (int i = 0; i < 6000; ++i) {
    std::error_code none;
    const auto size = std::filesystem::file_size(dump, none);
    if (!none && size > 1'000'000) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  process.signal(SIGINT);
  EXPECT_EQ(process.wait(), 5);
  EXPECT_EQ(process.err().find("flitmend: stopped by a signal in cycle "), 0u) << process.err();
  const auto stats = nlohmann::json::parse(folder_.read("o/stats.json"));
  EXPECT_EQ(read_vcd(read_whole_file(dump.string())).times.back(),
            stats["simulation"]["cycles"].get<std::uint64_t>());
}

}  // namespace flitmend
