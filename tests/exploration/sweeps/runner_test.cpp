// SPDX-License-Identifier: Apache-2.0
// What has ended is written even if another program keeps results.sqlite locked for a while.
#include <gtest/gtest.h>

#include "exploration/sweeps/axis.h"
#include "exploration/sweeps/plan.h"
#include "exploration/sweeps/reader.h"
#include "exploration/sweeps/runner.h"
#include "support/files.h"

namespace flitmend {
namespace {

using test::TemporaryFolder;
using namespace std::chrono_literals;

/// Reads the file like a program that takes its time: its lock keeps writers out.
class SlowReader {
 public:
  explicit SlowReader(const std::string& folder)
      : database_(std::filesystem::path(folder) / kSweepFile, Database::Mode::read) {
    database_.execute("BEGIN");
    rows_.emplace(database_.prepare("SELECT * FROM meta"));
    rows_->step();
  }
  void end() {
    rows_.reset();
    database_.execute("COMMIT");
  }

 private:
  Database database_;
  std::optional<Statement> rows_;
};

TEST(SweepWriter, ThrowsWhileTheFileIsLockedAndCanBeTriedAgain) {
  const TemporaryFolder folder;
  SweepWriter writer = SweepWriter::create(folder / "", {}, {});
  SweepWriter::Finished point;
  point.point.id = 7;
  SlowReader reader(folder / "");
  writer.set_patience(0ms);
  EXPECT_THROW(writer.add({point}), BusyError);
  reader.end();
  EXPECT_TRUE(writer.finished().empty());
  writer.add({point});
  EXPECT_EQ(writer.finished(), std::set<std::int64_t>{7});
}

/// Ends the reader when the sweep says that it waits for it.
struct EndsTheReader : SweepProgressSink {
  explicit EndsTheReader(const std::string& folder) : reader(folder) {}
  void update(const SweepProgress& p) override {
    if (!p.file_busy || told) return;
    told = true;
    EXPECT_NE(progress_text(p, 1).find("waiting for a program that keeps results.sqlite locked"),
              std::string::npos);
    reader.end();
  }
  SlowReader reader;
  bool told = false;
};

TEST(SweepRunner, WaitsForAProgramThatReadsTheFile) {
  const TemporaryFolder folder;
  const Sweep sweep = parse_sweep(R"(
base: {network: {size: [2, 2]}, simulation: {warmup: 0, measure: 20}}
allow_deadlock: true
axes: [{seeds: 6}]
)",
                                  "sweep.yaml", [](const std::string&) { return std::string(); });
  const SweepPlan plan(sweep);
  SweepWriter writer = SweepWriter::create(folder / "", {}, {});
  EndsTheReader sink(folder / "");
  const std::atomic<bool> stop{false};
  SweepRunner runner(plan, writer, folder / "", 2, VerdictCache());
  EXPECT_TRUE(runner.run({0, 1, 2, 3, 4, 5}, &sink, stop));
  EXPECT_TRUE(sink.told);
  EXPECT_EQ(writer.finished().size(), 6u);
}

}  // namespace
}  // namespace flitmend
