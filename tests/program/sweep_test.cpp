// SPDX-License-Identifier: Apache-2.0
// flitmend sweep, started as a user starts it: the same results for any number of parallel points and of
// interruptions; points that go wrong; folders of another sweep.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "exploration/sweeps/database.h"
#include "exploration/sweeps/reader.h"
#include "support/program.h"
#include "support/sweep_dump.h"

namespace flitmend {
namespace {

constexpr const char* kBase =
    "network: {topology: mesh, size: [4, 4]}\ntraffic: {load: 0.1}\nsimulation: {warmup: 200, measure: "
    "2000}\n";
constexpr const char* kTwelve =
    "base: base.yaml\naxes:\n  - {key: router.virtual_channels, values: [2, 4]}\n"
    "  - {key: traffic.load, from: 0.1, to: 0.3, step: 0.1}\n  - {seeds: 2}\n";

class SweepProgram : public testing::Test {
 protected:
  SweepProgram() { folder_.write("base.yaml", kBase); }

  std::vector<std::string> words(const std::string& sweep, const std::string& out,
                                 const std::vector<std::string>& more) const {
    std::vector<std::string> w = {"sweep", folder_.write("sweep.yaml", sweep), "--out", folder_ / out};
    w.insert(w.end(), more.begin(), more.end());
    return w;
  }
  int run(const std::string& sweep, const std::string& out, const std::vector<std::string>& more = {},
          const ProgramProcess::Options& options = {}) {
    ProgramProcess process(words(sweep, out, more), options);
    const int status = process.wait();
    out_ = process.out();
    err_ = process.err();
    return status;
  }
  /// Waits until that many points are recorded.
  void wait_for_points(const std::string& out, std::size_t count) const {
    using namespace std::chrono_literals;
    for (int i = 0; i < 3000; ++i, std::this_thread::sleep_for(10ms)) {
      try {
        if (SweepReader(folder_ / out).points().size() >= count) return;
      } catch (const std::exception&) {
        // Does not exist yet, or is busy.
      }
    }
    FAIL() << "no " << count << " points in time";
  }
  /// Processes of the running points.
  static std::vector<pid_t> children(pid_t process) {
    const std::string name = std::to_string(process);
    std::ifstream list("/proc/" + name + "/task/" + name + "/children");
    std::vector<pid_t> found;
    for (pid_t child; list >> child;) found.push_back(child);
    return found;
  }
  /// Waits for the process of the only running point; −1 if there is none in time.
  static pid_t running_point(const ProgramProcess& sweep) {
    for (int i = 0; i < 500; ++i) {
      if (const std::vector<pid_t> found = children(sweep.process()); found.size() == 1) return found[0];
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return -1;
  }

  ScratchFolder folder_;
  std::string out_;
  std::string err_;
};

TEST_F(SweepProgram, TheSameHoweverManyAtATime) {
  ASSERT_EQ(run(kTwelve, "one", {"--jobs", "1"}), 0) << err_;
  EXPECT_EQ(out_, "12 points in " + (folder_ / "one/results.sqlite") + ": 12 done\n");
  EXPECT_EQ(err_, "");
  ASSERT_EQ(run(kTwelve, "four", {"--jobs", "4"}), 0) << err_;
  EXPECT_EQ(sweep_dump(folder_ / "one"), sweep_dump(folder_ / "four"));
  EXPECT_EQ(folder_.files(), (std::vector<std::string>{"base.yaml", "four", "one", "sweep.yaml"}));

  // A point equals what flitmend run makes of its effective configuration.
  const SweepReader reader(folder_ / "one");
  EXPECT_TRUE(reader.complete());
  const auto point = reader.point(7);
  ASSERT_TRUE(point);
  EXPECT_EQ(point->axes.dump(), R"({"router.virtual_channels":4,"traffic.load":0.1,"simulation.seed":2})");
  ProgramProcess alone({"run", folder_.write("p.yaml", point->configuration), "--out", folder_ / "p"});
  ASSERT_EQ(alone.wait(), 0);
  Json stats = Json::parse(folder_.read("p/stats.json"));
  EXPECT_EQ(folder_.read("p/config.yaml"), point->configuration);
  stats.erase("host");
  EXPECT_EQ(stats.dump(), point->stats);
  EXPECT_EQ(point->metrics.at("latency.total.mean"), stats["latency"]["total"]["mean"]);
  EXPECT_GT(*reader.host(7)->cpu_seconds, 0);
}

constexpr const char* kSlow =
    "base: base.yaml\naxes: [{seeds: 20}, {key: simulation.measure, values: [80000]}]\n";
constexpr std::size_t kSlowPoints = 20;

TEST_F(SweepProgram, KilledAndResumedItIsTheSame) {
  ASSERT_EQ(run(kSlow, "undisturbed", {"--jobs", "2"}), 0) << err_;
  for (std::size_t points : {1, 5, 9}) {
    ProgramProcess process(words(kSlow, "killed", {"--jobs", "2", "--resume"}));
    wait_for_points("killed", points);
    process.signal(SIGKILL);
    EXPECT_EQ(process.wait(), -SIGKILL);
    EXPECT_GE(SweepReader(folder_ / "killed").points().size(), points);
    EXPECT_FALSE(SweepReader(folder_ / "killed").complete());
  }
  const auto first = SweepReader(folder_ / "killed").host(0);
  ASSERT_EQ(run(kSlow, "killed", {"--resume"}), 0) << err_;
  EXPECT_EQ(sweep_dump(folder_ / "undisturbed"), sweep_dump(folder_ / "killed"));
  // Existing points have not been run again.
  EXPECT_EQ(SweepReader(folder_ / "killed").host(0)->wall_seconds, first->wall_seconds);
}

TEST_F(SweepProgram, InterruptedItKeepsWhatIsFinished) {
  ProgramProcess process(words(kSlow, "o", {"--jobs", "2"}));
  wait_for_points("o", 2);
  process.signal(SIGINT);
  EXPECT_EQ(process.wait(), 5);
  EXPECT_EQ(process.err(), "flitmend: stopped by a signal; --resume runs what is missing\n");
  const std::size_t points = SweepReader(folder_ / "o").points().size();
  EXPECT_GE(points, 2u);
  EXPECT_LT(points, kSlowPoints);
  EXPECT_EQ(process.out().rfind(std::to_string(points) + " points in ", 0), 0u) << process.out();
}

TEST_F(SweepProgram, EndedWithItsPointsItRecordsNoCrash) {
  ProgramProcess process(words(kSlow, "o", {"--jobs", "2"}));
  wait_for_points("o", 2);
  // As a cluster ends a job: kills every process of it.
  for (const pid_t point : children(process.process())) kill(point, SIGTERM);
  for (const pid_t point : children(process.process())) kill(point, SIGKILL);
  process.signal(SIGTERM);
  EXPECT_EQ(process.wait(), 5);
  for (const PointRecord& p : SweepReader(folder_ / "o").points()) EXPECT_EQ(p.status, PointStatus::done);
}

constexpr const char* kUntilSaturation =
    "base: base.yaml\naxes:\n  - {key: router.virtual_channels, values: [1, 2]}\n"
    "  - {key: traffic.load, until: saturation, from: 0.2, step: 0.2}\nkeep: {metrics: [hops.mean], stats: "
    "false}\n";

TEST_F(SweepProgram, FindsSaturation) {
  ASSERT_EQ(run(kUntilSaturation, "one", {"--jobs", "1"}), 0) << err_;
  EXPECT_NE(out_.find("router.virtual_channels=1"), std::string::npos) << out_;
  ASSERT_EQ(run(kUntilSaturation, "two", {"--jobs", "2"}), 0) << err_;
  EXPECT_EQ(sweep_dump(folder_ / "one"), sweep_dump(folder_ / "two"));
  const SweepReader reader(folder_ / "one");
  const std::vector<SaturationRecord> curves = reader.saturation();
  ASSERT_EQ(curves.size(), 2u);
  for (const SaturationRecord& c : curves) {
    EXPECT_EQ(c.status, SaturationStatus::found);
    const auto at = reader.point(*c.load_point), beyond = reader.point(*c.throughput_point),
               zero = reader.point(*c.zero_load_point);
    EXPECT_EQ(at->axes["traffic.load"], *c.load);
    EXPECT_EQ(zero->metrics.at("latency.total.mean"), *c.zero_load_latency);
    EXPECT_LE(at->metrics.at("latency.total.mean"), 3 * *c.zero_load_latency);
    EXPECT_GE(at->metrics.at("traffic.accepted"), .97 * at->metrics.at("traffic.offered"));
    EXPECT_EQ(beyond->axes["simulation.drain"], false);
    EXPECT_EQ(beyond->metrics.at("traffic.accepted"), *c.throughput);
    EXPECT_EQ(at->metrics.size(), 4u);
  }
  EXPECT_LT(*curves[0].load, *curves[1].load);

  // After being killed in the middle of its curves, it finds the same results.
  ProgramProcess process(words(kUntilSaturation, "killed", {"--jobs", "2"}));
  wait_for_points("killed", 7);
  process.signal(SIGKILL);
  process.wait();
  ASSERT_EQ(run(kUntilSaturation, "killed", {"--resume"}), 0) << err_;
  EXPECT_EQ(sweep_dump(folder_ / "one"), sweep_dump(folder_ / "killed"));
}

// What waits outside a full queue waits, too.
TEST_F(SweepProgram, ASourceQueueDoesNotHideSaturation) {
  ASSERT_EQ(
      run("base: {network: {size: [4, 4]}, router: {virtual_channels: 2}, simulation: {warmup: 500, measure: "
          "3000}}\naxes:\n"
          "  - {key: network_interface.source_queue, values: [0, 1, 2, 4, 8, 16]}\n"
          "  - {key: traffic.load, until: saturation, from: 0.2, step: 0.2}\n",
          "o"),
      0)
      << out_ << err_;
  const std::vector<SaturationRecord> curves = SweepReader(folder_ / "o").saturation();
  ASSERT_EQ(curves.size(), 6u);
  for (const SaturationRecord& c : curves) {
    EXPECT_EQ(c.status, SaturationStatus::found);
    EXPECT_EQ(c.load, curves[0].load) << c.axes;
    EXPECT_NEAR(*c.throughput, *curves[0].throughput, 1e-9) << c.axes;
  }
}

TEST_F(SweepProgram, PointsRefusedForTheSameReasonAreOneLine) {
  EXPECT_EQ(run("base: {network: {topology: torus, size: [4, 4]}}\naxes:\n"
                "  - {key: routing.algorithm, values: [west-first]}\n  - {seeds: 3}\n",
                "o"),
            2);
  EXPECT_NE(
      out_.find(
          "\npoint 0 (routing.algorithm=west-first, simulation.seed=1) and 2 others for the same reason: "
          "refused: "),
      std::string::npos)
      << out_;
  EXPECT_EQ(out_.find("\npoint 1 "), std::string::npos) << out_;
}

TEST_F(SweepProgram, AsksNoNodeForMoreThanItCanInject) {
  // Two links per node carry more than its injection channel: saturation is near 1 flit per cycle.
  ASSERT_EQ(run("base: {network: {topology: mesh, size: [2, 2]}, simulation: {warmup: 500, measure: 5000}}\n"
                "axes: [{key: traffic.load, until: saturation, from: 0.6, step: 0.3}]\n",
                "o"),
            0)
      << out_ << err_;
  const SweepReader reader(folder_ / "o");
  const SaturationRecord curve = reader.saturation().at(0);
  EXPECT_EQ(curve.status, SaturationStatus::found);
  EXPECT_GT(1.3 * *curve.load, 1);
  EXPECT_EQ(reader.point(*curve.throughput_point)->axes["traffic.load"], 1.0);
  EXPECT_GT(*curve.throughput, *curve.load);
}

TEST_F(SweepProgram, PointsThatGoWrongDoNotStopTheRest) {
  const std::string sweep =
      "base: {network: {topology: torus, size: [4, 4]}, traffic: {load: 0.1, message_length: 16}, "
      "simulation: {warmup: 100, measure: 3000}}\n"
      "allow_deadlock: true\naxes:\n"
      "  - keys: [routing.algorithm, router.virtual_channels, traffic.load, simulation.max_cycles]\n"
      "    values: [[dimension-order, 2, 0.1, 0], [tfar, 1, 0.9, 0], [dimension-order, 2, 0.1, 500],\n"
      "             [west-first, 2, 0.1, 0], [dimension-order, 4, 0.1, 0]]\n";
  EXPECT_EQ(run(sweep, "o"), 4) << err_;
  const std::vector<PointRecord> points = SweepReader(folder_ / "o").points();
  ASSERT_EQ(points.size(), 5u);
  EXPECT_EQ(points[0].status, PointStatus::done);
  EXPECT_EQ(points[1].status, PointStatus::deadlock);
  EXPECT_EQ(points[1].exit_status, 4);
  EXPECT_EQ(points[2].status, PointStatus::unfinished);
  EXPECT_EQ(points[2].message,
            "simulation.max_cycles = 500 reached in cycle 500; the results are those up to this cycle");
  EXPECT_EQ(points[3].status, PointStatus::refused);
  EXPECT_EQ(points[3].exit_status, 2);
  EXPECT_NE(points[3].message.find("sweep.yaml:6:14: routing.algorithm: west-first is defined for mesh of 2 "
                                   "dimensions, not for a 4x4 torus"),
            std::string::npos)
      << points[3].message;
  EXPECT_EQ(points[4].status, PointStatus::done);
  EXPECT_NE(out_.find("2 done, 1 deadlock, 1 unfinished, 1 refused\n"), std::string::npos) << out_;
  EXPECT_NE(out_.find("point 1 (routing.algorithm=tfar, "), std::string::npos) << out_;
}

TEST_F(SweepProgram, WhatCanDeadlockIsRefused) {
  EXPECT_EQ(
      run("base: {network: {topology: torus, size: [4, 4]}}\naxes:\n"
          "  - {key: routing.algorithm, values: [tfar]}\n  - {key: router.virtual_channels, values: [1]}\n"
          "  - {seeds: 3}\n",
          "o"),
      2);
  for (const PointRecord& p : SweepReader(folder_ / "o").points()) {
    EXPECT_EQ(p.status, PointStatus::refused);
    EXPECT_TRUE(p.message.ends_with(
        ": routing.algorithm: tfar on a 4x4 torus with 1 virtual channel, wormhole: can deadlock; nothing "
        "was "
        "run. flitmend check says more; allow_deadlock: true in the sweep runs it anyway"))
        << p.message;
  }
}

// What a run says or refuses when routes change under messages in flight.
TEST_F(SweepProgram, WhatChangesOfTheFaultsMeanIsSaidOrRefused) {
  const auto sweep = [](const char* watchdog, const char* more) {
    return std::string(
               "base: {network: {size: [3, 3]}, routing: {algorithm: up-down}, deadlock: {watchdog: ") +
           watchdog +
           "}, recovery: {protocol: sbrp-1},\n"
           "  faults: {events: [{cycle: 50, link: [[0, 1], [0, 2]], duration: 20}]}, traffic: {load: 0.02},\n"
           "  simulation: {warmup: 0, measure: 300, max_cycles: 5000}}\n"
           "axes: [{key: routing.reconfiguration, values: [drain, immediate]}, {seeds: 2}]\n" +
           more;
  };
  const std::string note = "up-down can deadlock when the set of faults changes under messages in flight";
  EXPECT_EQ(run(sweep("stop", ""), "said"), 0) << out_ << err_;
  EXPECT_NE(out_.find("\npoint 2 (routing.reconfiguration=immediate, simulation.seed=1) and 1 other for the "
                      "same reason: done: " +
                      note),
            std::string::npos)
      << out_;
  EXPECT_EQ(out_.find("\npoint 0 "), std::string::npos) << out_;
  const std::vector<PointRecord> said = SweepReader(folder_ / "said").points();
  EXPECT_EQ(said[0].message, "");
  EXPECT_TRUE(said[3].message.starts_with(note)) << said[3].message;

  EXPECT_EQ(run(sweep("off", ""), "refused"), 0) << out_ << err_;
  const std::vector<PointRecord> refused = SweepReader(folder_ / "refused").points();
  EXPECT_EQ(refused[1].status, PointStatus::done);
  for (const std::size_t point : {2u, 3u}) {
    EXPECT_EQ(refused[point].status, PointStatus::refused);
    EXPECT_NE(refused[point].message.find("deadlock.watchdog: " + note), std::string::npos)
        << refused[point].message;
  }

  EXPECT_EQ(run(sweep("off", "allow_deadlock: true\n"), "allowed"), 0) << out_ << err_;
  EXPECT_NE(out_.find("done: up-down routes by the set of all faults."), std::string::npos) << out_;
}

constexpr const char* kEndless =
    "base: base.yaml\naxes:\n  - {key: simulation.measure, values: [1000, 1000000000]}\n";

TEST_F(SweepProgram, APointThatTakesTooLongIsTimedOut) {
  EXPECT_EQ(run(std::string(kEndless) + "timeout_seconds: 2\n", "o", {"--jobs", "1"}), 5);
  const std::vector<PointRecord> points = SweepReader(folder_ / "o").points();
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].status, PointStatus::done);
  EXPECT_EQ(points[1].status, PointStatus::timed_out);
  EXPECT_EQ(points[1].exit_status, std::nullopt);
  EXPECT_EQ(points[1].message, "not finished after timeout_seconds: 2");
}

TEST_F(SweepProgram, APointThatCrashesIsRecordedAsThat) {
  ProgramProcess process(words(kEndless, "o", {"--jobs", "1"}));
  wait_for_points("o", 1);
  const pid_t point = running_point(process);
  ASSERT_GT(point, 0);
  kill(point, SIGABRT);
  EXPECT_EQ(process.wait(), 3);
  const std::vector<PointRecord> points = SweepReader(folder_ / "o").points();
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[1].status, PointStatus::crashed);
  EXPECT_EQ(points[1].exit_status, 134);
  EXPECT_EQ(points[1].message, "its process was killed by signal 6 (Aborted)");
}

TEST_F(SweepProgram, PointsEndWithTheSweep) {
  ProgramProcess process(words(kEndless, "o", {"--jobs", "1"}));
  wait_for_points("o", 1);
  const pid_t point = running_point(process);
  ASSERT_GT(point, 0);
  process.signal(SIGKILL);
  process.wait();
  // Gone, or a zombie.
  const auto ended = [&] {
    std::string word, state;
    std::ifstream stat("/proc/" + std::to_string(point) + "/stat");
    return !(stat >> word >> word >> state) || state == "Z";
  };
  for (int i = 0; i < 500 && !ended(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(ended());
}

TEST_F(SweepProgram, RefusesResultsFromBeforeAFileChanged) {
  const std::string graph = folder_.write("two.graphml",
                                          "<graphml><graph><node id=\"a\"/><node id=\"b\"/>"
                                          "<edge source=\"a\" target=\"b\"/></graph></graphml>");
  const std::string sweep = "base:\n  network: {topology: file, graph: " + graph +
                            "}\n  simulation: {warmup: 0, measure: 100}\naxes: [{seeds: 2}]\n";
  ASSERT_EQ(run(sweep, "o"), 0) << err_;
  EXPECT_EQ(run(sweep, "o", {"--resume"}), 0) << err_;
  folder_.write("two.graphml", read_file(graph) + "\n");
  EXPECT_EQ(run(sweep, "o", {"--resume", "--no-cache"}), 2);
  EXPECT_EQ(err_, "flitmend: " + (folder_ / "o/results.sqlite") + " holds results from before " + graph +
                      " changed; choose another folder with --out\n");
}

TEST_F(SweepProgram, ResumedItTriesAgainWhatHadTooLittleMemory) {
  const std::string sweep =
      "base: {traffic: {load: 0.01}, simulation: {warmup: 0, measure: 5}}\nallow_deadlock: true\n"
      "axes: [{key: network.size, values: [[4, 4], [100, 100]]}]\n";
  ProgramProcess::Options little;
  little.memory_limit = 256'000'000;
  EXPECT_EQ(run(sweep, "o", {"--jobs", "1"}, little), 5) << out_ << err_;
  const std::vector<PointRecord> points = SweepReader(folder_ / "o").points();
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].status, PointStatus::done);
  EXPECT_EQ(points[1].status, PointStatus::refused);
  EXPECT_EQ(points[1].exit_status, 5);
  EXPECT_NE(points[1].message.find(" of memory"), std::string::npos) << points[1].message;
  EXPECT_EQ(run(sweep, "o", {"--jobs", "1", "--resume"}), 0) << out_ << err_;
  EXPECT_EQ(SweepReader(folder_ / "o").points().at(1).status, PointStatus::done);
}

TEST_F(SweepProgram, ResumedItRunsAPointWhoseRowIsGone) {
  ASSERT_EQ(run(kTwelve, "o"), 0) << err_;
  Database(folder_ / "o/results.sqlite", Database::Mode::write).execute("DELETE FROM points WHERE id = 5");
  EXPECT_EQ(run(kTwelve, "o", {"--resume"}), 0) << err_;
  ASSERT_EQ(run(kTwelve, "whole"), 0) << err_;
  EXPECT_EQ(sweep_dump(folder_ / "o"), sweep_dump(folder_ / "whole"));
}

TEST_F(SweepProgram, ATaskRunsOnlyUnitsOfItsSweep) {
  ProgramProcess asked({"--version"});
  ASSERT_EQ(asked.wait(), 0);
  const std::string words = asked.out(), version = words.substr(words.find(' ') + 1, words.size() - 10);
  const std::string manifest_end = R"(, "flitmend": ")" + version + R"(", "sweep_name": "s.yaml",
    "sweep": "base: {network: {size: [3, 3]}}\naxes: [{seeds: 3}]", "base_name": "s.yaml", "base": "{}",
    "files": "", "sweep_folder": ")" +
                                   folder_.path().string() + R"(", "use_cache": false})";
  std::filesystem::create_directories(folder_ / "o/slurm");
  for (const char* tasks : {"[[-1]]", "[[3]]", "[[0, 0]]", "[[1, 0]]", "[[9223372036854775807]]"}) {
    folder_.write("o/slurm/manifest.json", R"({"schema": 3, "tasks": )" + std::string(tasks) + manifest_end);
    ProgramProcess process({"sweep-task", folder_ / "o", "0"});
    EXPECT_EQ(process.wait(), 2) << tasks << process.err();
    EXPECT_NE(process.err().find("task 0 of the sweep in "), std::string::npos) << process.err();
  }
  folder_.write("o/slurm/manifest.json", R"({"schema": 3, "tasks": [[0, 2]])" + manifest_end);
  ProgramProcess process({"sweep-task", folder_ / "o", "0"});
  EXPECT_EQ(process.wait(), 0) << process.err();
  EXPECT_EQ(SweepReader(folder_ / "o/slurm/task_0").points().size(), 2u);
}

TEST_F(SweepProgram, RefusesFoldersThatAreNotItsOwn) {
  ASSERT_EQ(run(kTwelve, "o"), 0) << err_;
  const std::string file = folder_ / "o/results.sqlite";
  EXPECT_EQ(run(kTwelve, "o"), 2);
  EXPECT_EQ(err_, "flitmend: " + file +
                      " already holds results; --resume runs what is missing, or choose another folder "
                      "with --out\n");
  EXPECT_EQ(run(std::string(kTwelve) + "timeout_seconds: 100\n", "o", {"--resume"}), 2);
  EXPECT_EQ(err_, "flitmend: " + file + " holds the results of another sweep than " +
                      (folder_ / "sweep.yaml") + "; choose another folder with --out\n");
  EXPECT_EQ(run(kTwelve, "o", {"--resume"}), 0);
  EXPECT_EQ(run(std::string("# ours\n") + kTwelve, "o", {"--resume"}), 0) << err_;

  ProgramProcess first(words(kEndless, "busy", {"--jobs", "1"}));
  wait_for_points("busy", 1);
  EXPECT_EQ(run(kEndless, "busy", {"--resume"}), 2);
  EXPECT_EQ(err_, "flitmend: another run or sweep is writing to " + (folder_ / "busy") +
                      "; wait until it ends, or choose another folder with --out\n");
}

TEST_F(SweepProgram, RefusesDamagedResults) {
  ASSERT_EQ(run(kTwelve, "o"), 0) << err_;
  const std::string file = folder_ / "o/results.sqlite";
  Database(file, Database::Mode::write).execute("DROP TABLE points");
  EXPECT_EQ(run(kTwelve, "o", {"--resume"}), 2);
  EXPECT_EQ(err_, "flitmend: cannot read " + file +
                      ": no such table: points; it is not a results file of flitmend, or it is damaged\n");
}

TEST_F(SweepProgram, AFullDiskLosesNothing) {
  ProgramProcess process(words(kSlow, "o", {"--jobs", "2"}));
  wait_for_points("o", 2);
  process.signal(SIGINT);
  EXPECT_EQ(process.wait(), 5);
  const std::size_t before = SweepReader(folder_ / "o").points().size();

  ProgramProcess::Options small;
  small.file_limit = std::filesystem::file_size(folder_ / "o/results.sqlite");
  EXPECT_EQ(run(kSlow, "o", {"--jobs", "2", "--resume"}, small), 5);
  EXPECT_EQ(err_.rfind("flitmend: cannot write " + (folder_ / "o/results.sqlite") + ": ", 0), 0u) << err_;
  EXPECT_NE(err_.find("flitmend: every recorded point is safe; --resume runs what is missing\n"),
            std::string::npos)
      << err_;
  const std::size_t points = SweepReader(folder_ / "o").points().size();
  EXPECT_GE(points, before);
  EXPECT_LT(points, kSlowPoints);
  ASSERT_EQ(run(kSlow, "o", {"--resume"}), 0) << err_;
  ASSERT_EQ(run(kSlow, "undisturbed"), 0) << err_;
  EXPECT_EQ(sweep_dump(folder_ / "o"), sweep_dump(folder_ / "undisturbed"));
}

TEST_F(SweepProgram, ShowsProgressOnATerminal) {
  ProgramProcess::Options terminal;
  terminal.terminal = true;
  ASSERT_EQ(run(kSlow, "o", {"--jobs", "2"}, terminal), 0);
  EXPECT_NE(err_.find(" of 20 points, 2 running, 0:"), std::string::npos) << err_;
  EXPECT_NE(err_.find(" left"), std::string::npos) << err_;
  EXPECT_TRUE(err_.ends_with("\r\x1b[K")) << err_;
  ASSERT_EQ(run(kTwelve, "quiet", {"--quiet"}, terminal), 0);
  EXPECT_EQ(err_, "");
}

TEST_F(SweepProgram, BadUsage) {
  EXPECT_EQ(run("base: base.yaml\naxes: [{key: traffic.lod, values: [0.1]}]", "o"), 2);
  EXPECT_EQ(err_, "flitmend: " + (folder_ / "sweep.yaml") +
                      ":2:14: traffic.lod: unknown key (did you mean 'traffic.load'?)\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o"));
  EXPECT_EQ(run("base: nowhere.yaml\naxes: [{seeds: 2}]", "o"), 2);
  EXPECT_EQ(err_, "flitmend: " + (folder_ / "sweep.yaml") + ":1:7: base: cannot read " +
                      (folder_ / "nowhere.yaml") + ": No such file or directory\n");
  EXPECT_EQ(run(kTwelve, "o", {"--jobs", "0"}), 2);
  ProgramProcess without({"sweep", folder_ / "sweep.yaml"});
  EXPECT_EQ(without.wait(), 2);
  EXPECT_EQ(without.err(), "flitmend: --out is required; see flitmend sweep --help\n");
}

}  // namespace
}  // namespace flitmend
