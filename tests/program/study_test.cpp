// SPDX-License-Identifier: Apache-2.0
// flitmend study, started as a user starts it.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "exploration/studies/study_database.h"
#include "exploration/sweeps/database.h"
#include "exploration/sweeps/reader.h"
#include "support/program.h"
#include "support/sweep_dump.h"

namespace flitmend {
namespace {

class StudyProgram : public testing::Test {
 protected:
  std::vector<std::string> words(const std::string& study, const std::string& out,
                                 const std::vector<std::string>& more) const {
    std::vector<std::string> w = {"study", study, "--out", folder_ / out, "--jobs", "2"};
    w.insert(w.end(), more.begin(), more.end());
    return w;
  }
  int run(const std::string& study, const std::string& out, const std::vector<std::string>& more = {}) {
    return start(words(study, out, more));
  }
  int start(const std::vector<std::string>& w) {
    ProgramProcess process(w);
    const int status = process.wait();
    out_ = process.out();
    err_ = process.err();
    return status;
  }
  bool printed(const std::string& text) const { return out_.find(text) != out_.npos; }

  /// A study of two virtual channels against one, on a small mesh.
  std::string small(const std::string& statements, const std::string& measure = "3000") const {
    return folder_.write(
        "small.yaml",
        "title: Small\nabout: Two channels against one.\nsweeps:\n  vcs:\n"
        "    base: {network: {topology: mesh, size: [4, 4]}, simulation: {warmup: 200, measure: " +
            measure +
            "}}\n"
            "    axes: [{key: router.virtual_channels, values: [1, 2]}, {key: traffic.load, values: [0.1, "
            "0.35]}, "
            "{seeds: 3}]\n"
            "statements:\n" +
            statements);
  }

  ScratchFolder folder_;
  std::string out_;
  std::string err_;
};

constexpr const char* kTrue =
    "  - {says: two are faster, metric: latency.total.mean, where: {traffic.load: 0.35}, below: "
    "{router.virtual_channels: [2, 1]}}\n";
constexpr const char* kFalse =
    "  - {says: one is faster, metric: latency.total.mean, where: {traffic.load: 0.35}, below: "
    "{router.virtual_channels: [1, 2]}}\n";
constexpr const char* kUnsure =
    "  - {says: a close tie, metric: latency.total.mean, where: {traffic.load: 0.1, router.virtual_channels: "
    "1}, "
    "near: 20, within: 0.000001, quick: {within: 1}}\n";

TEST_F(StudyProgram, RunsJudgesStoresAndReports) {
  ASSERT_EQ(run(small(kTrue), "o"), 0) << out_ << err_;
  EXPECT_EQ(out_.rfind("small: Small\n12 points in " + (folder_ / "o/vcs/results.sqlite") +
                           ": 12 done\n\nholds      two "
                           "are faster\n"
                           "  latency.total.mean: "
                           "router.virtual_channels 2 "
                           "< 1\n  2 < 1: ",
                       0),
            0u)
      << out_;
  EXPECT_TRUE(printed("\n1 of 1 statements hold\n")) << out_;
  const StudyHeader header = read_study_header(folder_ / "o");
  EXPECT_TRUE(header.complete);
  EXPECT_EQ(header.sweeps, std::vector<std::string>{"vcs"});
  if (err_.find("without the plotting library") == err_.npos) {
    EXPECT_TRUE(out_.ends_with((folder_ / "o/report.html") + "\n")) << out_;
    const std::string page = folder_.read("o/report.html");
    for (const char* part : {"<h1>Study small</h1>", "Two channels against one.", "1 of 1 statements hold.",
                             "<td>two are faster</td>", "✓ holds", "Comparisons that the statements rest on",
                             "<h2>Sweep vcs</h2>", "<h2>Curves</h2>"})
      EXPECT_NE(page.find(part), page.npos) << part;
    EXPECT_EQ(start({"report", folder_ / "o", "-o", folder_ / "again.html"}), 0) << err_;
    EXPECT_EQ(folder_.read("again.html"), page);
  }
}

TEST_F(StudyProgram, AStatementThatDoesNotHoldIsStatus7) {
  EXPECT_EQ(run(small(std::string(kTrue) + kFalse), "o"), 7) << err_;
  EXPECT_TRUE(printed("\nfails      one is faster\n")) << out_;
  EXPECT_TRUE(printed("\n1 of 2 statements hold, 1 fails\n")) << out_;
  // Statements may change; the runs need not be repeated.
  const auto before = SweepReader(folder_ / "o/vcs").host(0)->started;
  EXPECT_EQ(run(small(std::string(kTrue) + kUnsure), "o", {"--resume"}), 7) << err_;
  EXPECT_TRUE(printed("\nundecided  a close tie\n") || printed("\nfails      a close tie\n")) << out_;
  EXPECT_EQ(run(small(kTrue), "o", {"--resume"}), 0) << err_;
  EXPECT_EQ(SweepReader(folder_ / "o/vcs").host(0)->started, before);
}

TEST_F(StudyProgram, ARefutedClaimIsNoFailureUnlessItHolds) {
  const auto refuted = [](std::string statement) {
    return statement.insert(statement.rfind("}\n"), ", refuted_by: one has half the buffers");
  };
  EXPECT_EQ(run(small(kTrue + refuted(kFalse)), "o"), 0) << err_;
  EXPECT_TRUE(printed("\nrefuted    one is faster\n")) << out_;
  EXPECT_TRUE(printed("\n  refuted by: one has half the buffers\n")) << out_;
  EXPECT_TRUE(printed("\n1 of 2 statements hold, 1 is refuted\n")) << out_;
  if (err_.find("without the plotting library") == err_.npos) {
    const std::string page = folder_.read("o/report.html");
    for (const char* part :
         {"1 of 2 statements hold, 1 is refuted.", "⊘ refuted", "one has half the buffers"})
      EXPECT_NE(page.find(part), page.npos) << part;
  }
  EXPECT_EQ(run(small(refuted(kTrue) + refuted(kFalse)), "o", {"--resume"}), 7) << err_;
  EXPECT_TRUE(printed("\nfails      two are faster\n")) << out_;
  EXPECT_TRUE(printed("holds, although refuted_by says that it does not; remove refuted_by: ")) << out_;
}

TEST_F(StudyProgram, ARefusedResumeKeepsWhatWasJudged) {
  ASSERT_EQ(run(small(kTrue), "o"), 0) << err_;
  const auto count_of_statements = [&] {
    const Database database(folder_ / "o/study.sqlite", Database::Mode::read);
    Statement select = database.prepare("SELECT count(*) FROM statements");
    return select.step() ? select.integer(0) : -1;
  };
  ASSERT_EQ(count_of_statements(), 1);
  EXPECT_EQ(run(small(kTrue, "3001"), "o", {"--resume"}), 2);
  EXPECT_EQ(err_, "flitmend: " + (folder_ / "o/vcs/results.sqlite") +
                      " holds the results of another sweep than small/vcs; choose another folder with "
                      "--out\n");
  EXPECT_EQ(out_, "");
  EXPECT_EQ(run(small(kTrue), "o", {"--resume", "--quick"}), 2);
  EXPECT_EQ(err_, "flitmend: " + (folder_ / "o/study.sqlite") +
                      " holds the full version of the study; choose another folder with --out\n");
  EXPECT_TRUE(read_study_header(folder_ / "o").complete);
  EXPECT_EQ(count_of_statements(), 1);
}

TEST_F(StudyProgram, RefusesFilesOfAnotherSchema) {
  ASSERT_EQ(run(small(kTrue), "o"), 0) << err_;
  const auto schema = [&](const char* file, int number) {
    Database(folder_ / file, Database::Mode::write)
        .execute(("UPDATE meta SET value = " + std::to_string(number) + " WHERE key = 'schema'").c_str());
  };
  schema("o/vcs/results.sqlite", 2);
  const std::string of_sweep =
      "flitmend: cannot read " + (folder_ / "o/vcs/results.sqlite") +
      ": its schema is 2, but this version of flitmend reads 1; run the sweep again in another folder\n";
  EXPECT_EQ(run(small(kTrue), "o", {"--resume"}), 2);
  EXPECT_EQ(err_, of_sweep);
  EXPECT_EQ(start({"report", folder_ / "o"}), 2);
  schema("o/vcs/results.sqlite", 1);
  schema("o/study.sqlite", 3);
  const std::string of_study =
      "flitmend: cannot read " + (folder_ / "o/study.sqlite") +
      ": its schema is 3, but this version of flitmend reads 1; run the study again in another folder\n";
  EXPECT_EQ(run(small(kTrue), "o", {"--resume"}), 2);
  EXPECT_EQ(err_, of_study);
  schema("o/study.sqlite", 1);
  EXPECT_EQ(run(small(kTrue), "o", {"--resume"}), 0) << "nothing was lost: " << err_;
}

TEST_F(StudyProgram, ADiskThatIsFullAtOnceIsAsClear) {
  ProgramProcess::Options limited;
  limited.file_limit = 6'000;
  ProgramProcess process(words(small(kTrue), "o", {}), limited);
  EXPECT_EQ(process.wait(), 5);
  EXPECT_TRUE(process.err().starts_with("flitmend: cannot write " + (folder_ / "o/study.sqlite") + ": "))
      << process.err();
  EXPECT_TRUE(
      process.err().ends_with("\nflitmend: every recorded point is safe; --resume runs what is missing\n"))
      << process.err();
  EXPECT_EQ(run(small(kTrue), "o", {"--resume"}), 0) << err_;
}

TEST_F(StudyProgram, PointsThatEndBadlyAreNamed) {
  const std::string study = folder_.write(
      "bad.yaml",
      "title: Bad\nsweeps:\n  a:\n    base: {network: {topology: torus, size: [4, 4]}, simulation: {warmup: "
      "10, measure: "
      "500}}\n    axes: [{key: routing.algorithm, values: [dimension-order, west-first]}, {seeds: 2}]\n"
      "statements:\n  - {says: x, metric: hops.mean, where: {routing.algorithm: west-first}, at_most: 9}\n");
  EXPECT_EQ(run(study, "o"), 7) << err_;
  EXPECT_TRUE(printed("point 2 (routing.algorithm=west-first, simulation.seed=1): refused: ")) << out_;
}

TEST_F(StudyProgram, KilledAndResumedItIsTheSame) {
  const std::string study = small(kTrue, "60000");
  ASSERT_EQ(run(study, "undisturbed"), 0) << out_ << err_;
  ProgramProcess process(words(study, "killed", {}));
  using namespace std::chrono_literals;
  std::size_t points = 0;
  for (int i = 0; i < 3000 && points < 2; ++i, std::this_thread::sleep_for(5ms)) {
    try {
      points = SweepReader(folder_ / "killed/vcs").points().size();
    } catch (const std::exception&) {
      // Does not exist yet, or is busy.
    }
  }
  process.signal(SIGKILL);
  EXPECT_EQ(process.wait(), -SIGKILL);
  EXPECT_FALSE(SweepReader(folder_ / "killed/vcs").complete());
  EXPECT_FALSE(read_study_header(folder_ / "killed").complete);
  EXPECT_EQ(run(study, "killed"), 2);
  EXPECT_EQ(
      err_,
      "flitmend: " + (folder_ / "killed/study.sqlite") +
          " already holds a study; --resume runs what is missing and judges again, or choose another folder "
          "with --out\n");
  ASSERT_EQ(run(study, "killed", {"--resume"}), 0) << out_ << err_;
  EXPECT_EQ(sweep_dump(folder_ / "undisturbed/vcs"), sweep_dump(folder_ / "killed/vcs"));
  EXPECT_EQ(folder_.read("undisturbed/study.sqlite").size(), folder_.read("killed/study.sqlite").size());
  const std::string statements =
      out_.substr(out_.find("\nholds"), out_.find("\n1 of 1") - out_.find("\nholds"));
  ASSERT_EQ(run(study, "undisturbed", {"--resume"}), 0);
  EXPECT_NE(out_.find(statements), out_.npos) << out_;
}

TEST_F(StudyProgram, InterruptedItJudgesNothing) {
  ProgramProcess process(words(small(kTrue, "400000"), "o", {}));
  using namespace std::chrono_literals;
  for (int i = 0; i < 3000 && !SweepReader::has_results(folder_ / "o/vcs"); ++i)
    std::this_thread::sleep_for(5ms);
  std::this_thread::sleep_for(100ms);
  process.signal(SIGINT);
  EXPECT_EQ(process.wait(), 5);
  EXPECT_EQ(process.err(), "flitmend: stopped by a signal; --resume runs what is missing\n");
  EXPECT_FALSE(read_study_header(folder_ / "o").complete);
}

TEST_F(StudyProgram, AFullDiskLosesNothing) {
  const std::string study = small(kTrue);
  ProgramProcess::Options limited;
  limited.file_limit = 60'000;
  ProgramProcess process(words(study, "o", {}), limited);
  EXPECT_EQ(process.wait(), 5);
  EXPECT_NE(process.err().find("results.sqlite"), std::string::npos) << process.err();
  EXPECT_NE(process.err().find("every recorded point is safe; --resume runs what is missing"),
            std::string::npos)
      << process.err();
  EXPECT_FALSE(read_study_header(folder_ / "o").complete);
  ASSERT_EQ(run(study, "o", {"--resume"}), 0) << out_ << err_;
  ASSERT_EQ(run(study, "undisturbed"), 0) << err_;
  EXPECT_EQ(sweep_dump(folder_ / "undisturbed/vcs"), sweep_dump(folder_ / "o/vcs"));
}

TEST_F(StudyProgram, SaysWhatItCannotDo) {
  EXPECT_EQ(start({"study"}), 2);
  EXPECT_EQ(err_, "flitmend: study: give a study or its file, or --all, or --list\n");
  EXPECT_EQ(start({"study", "x", "--all"}), 2);
  EXPECT_EQ(err_, "flitmend: study: give only one of a study, --all and --list\n");
  EXPECT_EQ(start({"study", "boksim"}), 2);
  EXPECT_EQ(err_, "flitmend: unknown study 'boksim' (did you mean 'booksim'?)\n");
  EXPECT_EQ(run(folder_ / "none.yaml", "o"), 2);
  EXPECT_EQ(err_.rfind("flitmend: cannot read " + (folder_ / "none.yaml"), 0), 0u) << err_;
  EXPECT_EQ(run(small("  - {says: x, metric: hops.men, at_most: 1}\n"), "o"), 2);
  EXPECT_NE(err_.find("unknown metric 'hops.men' (did you mean 'hops.mean'?)"), err_.npos) << err_;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o")) << "nothing was begun";
}

TEST_F(StudyProgram, ListsTheStudiesThatCameWithIt) {
  EXPECT_EQ(start({"study", "--list"}), 0) << err_;
  std::size_t studies = 0;
  for (const auto& file : std::filesystem::directory_iterator(FLITMEND_SOURCE_DIR "/studies")) {
    if (file.is_directory()) continue;  // data
    EXPECT_TRUE(printed("\n" + file.path().stem().string() + " ")) << out_;
    ++studies;
  }
  EXPECT_GE(studies, 5u);
}

}  // namespace
}  // namespace flitmend
