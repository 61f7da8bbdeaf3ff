// SPDX-License-Identifier: Apache-2.0
// results.sqlite: what is written can be read back; other schemas, other sweeps, damage and full disks.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "base/digest.h"
#include "base/errors.h"
#include "exploration/sweeps/named_files.h"
#include "exploration/sweeps/reader.h"
#include "exploration/sweeps/records.h"
#include "exploration/sweeps/writer.h"
#include "support/files.h"
#include "testbench/run_end.h"

namespace flitmend {
namespace {

using test::message_of;
using test::TemporaryFolder;
using test::write_file;

const SweepIdentity kIdentity{"1.2.3", "network: {}\n", "mesh.yaml", "base: mesh.yaml\n", "sweep.yaml"};

SweepWriter::Finished finished(std::int64_t id) {
  SweepWriter::Finished f;
  f.point.id = id;
  f.point.axes = {{"traffic.load", 0.1}, {"network.size", {4, 4}}};
  f.point.configuration = "traffic:\n  load: 0.1\n";
  f.point.exit_status = 0;
  f.point.stats = R"({"latency":{"total":{"mean":37.25}}})";
  f.point.metrics = {{"latency.total.mean", 37.25}, {"traffic.accepted", 0.1}};
  f.host.cpu_seconds = 1.5;
  f.host.started = "2026-01-01T00:00:00Z";
  return f;
}

TEST(ResultsFile, WhatIsWrittenIsRead) {
  const TemporaryFolder folder;
  const std::string path = folder / "";
  SweepWriter writer =
      SweepWriter::create(path, kIdentity, {{"load", {"traffic.load"}, {0.1, 0.2}}, {"b", {"x", "y"}, {}}});
  EXPECT_TRUE(SweepReader::has_results(path));
  SweepWriter::Finished crashed;
  crashed.point.id = 3;
  crashed.point.status = PointStatus::crashed;
  crashed.point.exit_status = 139;
  crashed.point.message = "ended by signal 11";
  writer.add({crashed, finished(1)});
  SaturationRecord curve;
  curve.curve = 0;
  curve.load = 0.4;
  curve.load_point = 1;
  writer.set_saturation(curve);

  const SweepReader reader(path);
  EXPECT_EQ(reader.meta("schema"), std::to_string(kSweepSchema));
  EXPECT_EQ(reader.meta("flitmend"), "1.2.3");
  EXPECT_EQ(reader.meta("base"), kIdentity.base);
  EXPECT_EQ(reader.meta("sweep"), kIdentity.sweep);
  EXPECT_EQ(reader.meta("nothing"), "");
  EXPECT_FALSE(reader.complete());
  writer.set_complete();
  EXPECT_TRUE(reader.complete());
  ASSERT_EQ(reader.axes().size(), 2u);
  EXPECT_EQ(reader.axes()[0].points.dump(), "[0.1,0.2]");
  EXPECT_EQ(reader.axes()[1].keys, (std::vector<std::string>{"x", "y"}));
  const std::vector<PointRecord> points = reader.points();
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].id, 1);
  EXPECT_EQ(points[0].axes.dump(), R"({"traffic.load":0.1,"network.size":[4,4]})");
  EXPECT_EQ(points[0].configuration, "traffic:\n  load: 0.1\n");
  EXPECT_EQ(points[0].metrics, finished(1).point.metrics);
  EXPECT_EQ(points[1].status, PointStatus::crashed);
  EXPECT_EQ(points[1].exit_status, 139);
  EXPECT_EQ(points[1].message, "ended by signal 11");
  EXPECT_EQ((*reader.stats(1))["latency"]["total"]["mean"], 37.25);
  EXPECT_EQ(reader.stats(3), std::nullopt);
  EXPECT_EQ(reader.stats(4), std::nullopt);
  EXPECT_EQ(reader.point(4), std::nullopt);
  EXPECT_EQ(reader.point(1)->stats, finished(1).point.stats);
  EXPECT_EQ(reader.host(1)->cpu_seconds, 1.5);
  EXPECT_EQ(reader.host(1)->wall_seconds, std::nullopt);
  ASSERT_EQ(reader.saturation().size(), 1u);
  EXPECT_EQ(reader.saturation()[0].load, 0.4);
  EXPECT_EQ(reader.saturation()[0].throughput, std::nullopt);
  EXPECT_EQ(reader.saturation()[0].status, SaturationStatus::found);
}

TEST(ResultsFile, KeepsWhatIsThere) {
  const TemporaryFolder folder;
  SweepWriter::create(folder / "", kIdentity, {}).add({finished(1)});
  SweepWriter again = SweepWriter::resume(folder / "", kIdentity, {});
  EXPECT_EQ(again.finished(), (std::set<std::int64_t>{1}));
  SweepWriter::Finished other = finished(1);
  other.point.message = "another";
  again.add({other, finished(2)});
  EXPECT_EQ(again.finished(), (std::set<std::int64_t>{1, 2}));
  EXPECT_EQ(SweepReader(folder / "").points()[0].message, "");
}

TEST(ResultsFile, ResumedItForgetsWhatTheMachineCouldNotRun) {
  const TemporaryFolder folder;
  SweepWriter::Finished impossible = finished(1), not_now = finished(2);
  for (SweepWriter::Finished* f : {&impossible, &not_now}) f->point.status = PointStatus::refused;
  impossible.point.exit_status = to_int(ExitStatus::bad_usage);
  not_now.point.exit_status = to_int(ExitStatus::unfinished);
  SweepWriter writer = SweepWriter::create(folder / "", kIdentity, {});
  writer.add({finished(0), impossible, not_now});
  SaturationRecord curve;
  curve.status = SaturationStatus::stopped;
  writer.set_saturation(curve);
  SweepWriter again = SweepWriter::resume(folder / "", kIdentity, {});
  EXPECT_EQ(again.finished(), (std::set<std::int64_t>{0, 1}));
  EXPECT_TRUE(SweepReader(folder / "").saturation().empty());
  again.add({finished(2)});
  EXPECT_EQ(SweepReader(folder / "").point(2)->status, PointStatus::done);
}

// Somebody has deleted rows by hand.
TEST(ResultsFile, ResumedItMendsRowsWithoutTheirPoint) {
  const TemporaryFolder folder;
  const std::vector<AxisRecord> axes = {{"load", {"traffic.load"}, {0.1, 0.2}}};
  SweepWriter::create(folder / "", kIdentity, axes).add({finished(0), finished(1)});
  Database(folder / kSweepFile, Database::Mode::write)
      .execute("DELETE FROM points WHERE id = 1; DELETE FROM axes");
  SweepWriter again = SweepWriter::resume(folder / "", kIdentity, axes);
  EXPECT_EQ(again.finished(), (std::set<std::int64_t>{0}));
  again.add({finished(1)});
  const SweepReader reader(folder / "");
  EXPECT_EQ(reader.point(1)->metrics, finished(1).point.metrics);
  EXPECT_EQ(reader.axes().size(), 1u);
}

TEST(ResultsFile, KnowsAFileThatChangedUnderway) {
  const std::string files = R"({"/d/a.graphml":"12","b.csv":"56","/d/later.csv":""})";
  const auto refuse = [&](const std::string& path, const std::string& digest, const std::string& known) {
    refuse_changed_inputs({{"network.graph", path, digest}}, known, "/nowhere/s");
  };
  EXPECT_NO_THROW(refuse("/d/a.graphml", "12", files));
  EXPECT_NO_THROW(refuse("/nowhere/s/b.csv", "56", files)) << "by a name relative to the sweep";
  EXPECT_NO_THROW(refuse("/d/later.csv", "34", files)) << "it could not be read then";
  EXPECT_NO_THROW(refuse("/d/a.graphml", "34", ""));
  EXPECT_NE(message_of<NotNowError>([&] {
              refuse("/d/a.graphml", "34", files);
            }).find("network.graph: '/d/a.graphml' has changed since the sweep was started"),
            std::string::npos);
  // The content of another file, and a file of which nothing is known.
  EXPECT_THROW(refuse("/d/a.graphml", "56", files), NotNowError);
  EXPECT_THROW(refuse("/nowhere/s/b.csv", "12", files), NotNowError);
  EXPECT_THROW(refuse("/e/b.csv", "56", files), NotNowError);
}

TEST(ResultsFile, KnowsAFileThatChangedAfterwards) {
  const TemporaryFolder folder;
  const std::string graph = folder / "g.graphml";
  write_file(graph, "<graphml/>");
  const std::string digest = sha256_of_file(graph);
  EXPECT_FALSE(has_changed(graph, ""));
  EXPECT_FALSE(has_changed(graph, R"({"other.graphml":"12"})"));
  EXPECT_FALSE(has_changed(graph, R"({"g.graphml":")" + digest + R"("})"));
  EXPECT_FALSE(has_changed(graph, R"({"../x/g.graphml":"12","g.graphml":")" + digest + R"("})"));
  EXPECT_TRUE(has_changed(graph, R"({"g.graphml":"12","other.graphml":")" + digest + R"("})"));
  std::filesystem::remove(graph);
  EXPECT_TRUE(has_changed(graph, R"({"g.graphml":")" + digest + R"("})"));
}

TEST(ResultsFile, EveryStatusHasItsWord) {
  for (const char* word :
       {"done", "deadlock", "contract-broken", "unfinished", "refused", "crashed", "timed-out"})
    EXPECT_EQ(to_word(point_status(word)), word);
  for (const char* word : {"found", "not-reached", "at-start", "stopped"})
    EXPECT_EQ(to_word(saturation_status(word)), word);
  EXPECT_EQ(message_of<ConfigurationError>([] { point_status("well"); }),
            "unknown status 'well' in the results of a sweep");
}

TEST(ResultsFile, RefusesAnotherSweep) {
  const TemporaryFolder folder;
  const std::string path = folder / "";
  SweepWriter::create(path, kIdentity, {});
  const std::string file = path + kSweepFile;
  const auto refusal = [&](const SweepIdentity& identity) {
    return message_of<ConfigurationError>([&] { SweepWriter::resume(path, identity, {}); });
  };
  EXPECT_EQ(message_of<ConfigurationError>([&] { SweepWriter::create(path, kIdentity, {}); }),
            file +
                " already holds results; --resume runs what is missing, or choose another folder "
                "with --out");
  SweepIdentity other = kIdentity;
  other.version = "2.0.0";
  EXPECT_EQ(refusal(other),
            file + " was started by flitmend 1.2.3, but this is 2.0.0; choose another folder with --out");
  other = kIdentity;
  other.sweep += "timeout: 3\n";
  EXPECT_EQ(refusal(other),
            file + " holds the results of another sweep than sweep.yaml; choose another folder with --out");
  other = kIdentity;
  other.base += "# and what it is about\n";
  other.sweep = "# ours\n" + other.sweep;
  EXPECT_NO_THROW(SweepWriter::resume(path, other, {}));
  other.base += "deadlock: {watchdog: off}\n";
  EXPECT_EQ(refusal(other),
            file +
                " holds the results of another base configuration than mesh.yaml; choose another folder "
                "with --out");
  other = kIdentity;
  other.files = R"({"ring.graphml":"12ab"})";
  EXPECT_EQ(refusal(other),
            file + " holds results from before ring.graphml changed; choose another folder with --out");
}

TEST(ResultsFile, KnowsTheFilesThatTheSweepNames) {
  EXPECT_EQ(changed_file("", ""), "");
  EXPECT_EQ(changed_file(R"({"a":"1","b":"2"})", R"({"a":"1","b":"2"})"), "");
  EXPECT_EQ(changed_file(R"({"a":"1","b":"2"})", R"({"a":"1","b":"3"})"), "b");
  EXPECT_EQ(changed_file(R"({"a":"1","b":"2"})", R"({"a":"1"})"), "a file that it named");
  const TemporaryFolder folder;
  const std::string graph = folder / "g.graphml", table = folder / "t.csv", other = folder / "u.csv";
  const std::string text = "base:\n  network: {topology: file, graph: " + graph +
                           "}\n  routing: {algorithm: table, table: " + table +
                           "}\naxes:\n  - {seeds: 2}\n  - {key: routing.table, values: [" + table + ", " +
                           other + "]}\n";
  write_file(graph, "<graphml/>");
  write_file(table, "one");
  const Sweep sweep = parse_sweep(text, "sweep.yaml", {});
  const Json before = Json::parse(named_files(sweep));
  EXPECT_EQ(before.size(), 3u) << before;
  EXPECT_EQ(before[other], "") << "it cannot be read";
  EXPECT_EQ(before[table].get<std::string>().size(), 64u);
  // Whatever a file is called.
  EXPECT_EQ(Json::parse(
                named_files(parse_sweep(
                    "base: {network: {topology: file, graph: 12}, routing: {algorithm: table, table: a<b}}\n"
                    "axes: [{key: traffic.trace, values: [34, \"c<d\"]}]\n",
                    "s.yaml", {})))
                .size(),
            4u);
  write_file(table, "two");
  EXPECT_EQ(changed_file(before.dump(), named_files(sweep)), table);
  EXPECT_EQ(named_files(parse_sweep("base: {network: {size: [4, 4]}}\naxes: [{seeds: 2}]\n", "s.yaml", {})),
            "");
}

TEST(ResultsFile, RefusesAnotherSchema) {
  const TemporaryFolder folder;
  const std::string path = folder / "";
  SweepWriter::create(path, kIdentity, {});
  Database(path + kSweepFile, Database::Mode::write)
      .execute("UPDATE meta SET value = 7 WHERE key = 'schema'");
  const std::string refusal = "cannot read " + path + kSweepFile +
                              ": its schema is 7, but this version of flitmend reads " +
                              std::to_string(kSweepSchema) + "; run the sweep again in another folder";
  EXPECT_EQ(message_of<ConfigurationError>([&] { SweepReader reader(path); }), refusal);
  EXPECT_EQ(message_of<ConfigurationError>([&] { SweepWriter::resume(path, kIdentity, {}); }), refusal);
}

TEST(ResultsFile, RefusesWhatIsNoResultsFile) {
  const TemporaryFolder folder;
  EXPECT_FALSE(SweepReader::has_results(folder / ""));
  EXPECT_EQ(message_of<ConfigurationError>([&] { SweepReader reader(folder / "nowhere"); }),
            "no results of a sweep in " + (folder / "nowhere") + ": it has no results.sqlite");
  test::write_file(folder / kSweepFile, std::string(5000, 'x'));
  EXPECT_EQ(message_of<ConfigurationError>([&] { SweepReader reader(folder / ""); }),
            "cannot read " + (folder / kSweepFile) +
                ": file is not a database; it is not a results file of flitmend, or it is damaged");
  test::write_file(folder / kSweepFile, "");
  EXPECT_EQ(message_of<ConfigurationError>([&] { SweepReader reader(folder / ""); }),
            "cannot read " + (folder / kSweepFile) + ": it is not a results file of a sweep");
}

TEST(ResultsFile, SaysWhatIsDamaged) {
  const auto refusal = [](const char* damage, const auto& read) {
    const TemporaryFolder folder;
    const std::string path = folder / "";
    {
      SweepWriter writer = SweepWriter::create(path, kIdentity, {{"load", {"traffic.load"}, {0.1}}});
      writer.add({finished(1)});
      writer.set_saturation({});
    }
    Database(path + kSweepFile, Database::Mode::write).execute(damage);
    std::string message = message_of<ConfigurationError>([&] { read(SweepReader(path)); });
    const std::string before = "cannot read " + path + kSweepFile + ": ",
                      after = "; it is not a results file of flitmend, or it is damaged";
    EXPECT_TRUE(message.starts_with(before) && message.ends_with(after)) << message;
    return message.substr(before.size(), message.size() - before.size() - after.size());
  };
  const auto points = [](const SweepReader& r) { r.points(); };
  const auto axes = [](const SweepReader& r) { r.axes(); };
  const auto stats = [](const SweepReader& r) { r.stats(1); };
  const auto saturation = [](const SweepReader& r) { r.saturation(); };
  EXPECT_EQ(refusal("DROP TABLE points", points), "no such table: points");
  EXPECT_EQ(refusal("ALTER TABLE points DROP COLUMN message", points), "no such column: message");
  EXPECT_EQ(refusal("UPDATE points SET axes = '{'", points), "the value in column axes is not JSON");
  EXPECT_EQ(refusal("UPDATE points SET axes = '[]'", points), "the value in column axes is not an object");
  EXPECT_EQ(refusal("UPDATE points SET status = 'well'", points),
            "unknown status 'well' in the results of a sweep");
  EXPECT_EQ(refusal("UPDATE points SET stats = '{'", stats), "the value in column stats is not JSON");
  EXPECT_EQ(refusal("UPDATE axes SET points = ''", axes), "the value in column points is not JSON");
  EXPECT_EQ(refusal("UPDATE axes SET keys = '[3]'", axes), "the value in column keys is not a list of texts");
  EXPECT_EQ(refusal("UPDATE saturation SET axes = '7'", saturation),
            "the value in column axes is not an object");
  EXPECT_EQ(refusal("UPDATE saturation SET status = ''", saturation),
            "unknown status '' in the results of a sweep");
}

TEST(ResultsFile, AFullDiskLosesNothing) {
  const TemporaryFolder folder;
  SweepWriter writer = SweepWriter::create(folder / "", kIdentity, {});
  writer.add({finished(1)});
  const rlimit limit{200'000, RLIM_INFINITY};
  std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  SweepWriter::Finished large = finished(2);
  large.point.configuration = std::string(1'000'000, 'x');
  const std::string message = message_of<WriteError>([&] { writer.add({large}); });
  EXPECT_EQ(message.rfind("cannot write " + (folder / kSweepFile) + ": ", 0), 0u) << message;
  const rlimit free{RLIM_INFINITY, RLIM_INFINITY};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &free), 0);
  EXPECT_EQ(SweepReader(folder / "").points().size(), 1u);
  writer.add({finished(2)});
  EXPECT_EQ(SweepReader(folder / "").points().size(), 2u);
}

}  // namespace
}  // namespace flitmend
