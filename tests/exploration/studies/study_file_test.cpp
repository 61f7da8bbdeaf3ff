// SPDX-License-Identifier: Apache-2.0
// studies/NAME.yaml: what a study says, its quick version, and every kind of mistake.
#include "exploration/studies/study_file.h"

#include <gtest/gtest.h>

#include "base/errors.h"
#include "support/files.h"

namespace flitmend {
namespace {

constexpr const char* kBase = "network: {size: [4, 4]}";
/// Two sweeps of lines 2 to 4; statements begin in line 6.
constexpr const char* kSweeps =
    "title: t\n"
    "sweeps:\n"
    "  a: {base: b.yaml, axes: [{key: router.virtual_channels, values: [1, 2, 4]}, {key: traffic.load, "
    "values: "
    "[0.1, 0.2]}, {seeds: 5}]}\n"
    "  s: {base: b.yaml, axes: [{seeds: 5}, {key: traffic.load, until: saturation, from: 0.1, step: 0.1}]}\n"
    "statements:\n";

Study study_of(const std::string& text, bool quick = false) {
  return parse_study(
      text, "folder/st.yaml", [](const std::string&) { return std::string(kBase); }, quick);
}

std::string study_refusal(const std::string& text) {
  return test::message_of<ConfigurationError>([&] { study_of(text); });
}

/// A study of one statement, after the sweeps above.
Study with_statement(const std::string& keys) {
  return study_of(kSweeps + ("  - {says: x, " + keys + "}\n"));
}
std::string statement_refusal(const std::string& keys) {
  return test::message_of<ConfigurationError>([&] { with_statement(keys); });
}

/// The comparisons, one line each.
std::string comparisons_text(const Study& study) {
  std::string text;
  for (const Comparison& c : study.statements.at(0).comparisons)
    text += c.at + " | " + c.compared() + " | " + c.wanted() + "\n";
  return text;
}

TEST(StudyFile, ReadsWhatAStudySays) {
  const Study study = study_of(std::string("about: >\n  several\n  lines\n") + kSweeps +
                               "  - {says: more channels, sweep: a, metric: latency.total.mean, ordered: "
                               "{router.virtual_channels: [4, 2, "
                               "1]}}\n");
  EXPECT_EQ(study.name, "st");
  EXPECT_EQ(study.title, "t");
  EXPECT_EQ(study.about, "several lines");
  ASSERT_EQ(study.sweeps.size(), 2u);
  EXPECT_EQ(study.sweeps[0]->name, "a");
  EXPECT_EQ(study.sweeps[0]->plan.units(), 30);
  EXPECT_TRUE(study.sweeps[1]->plan.adaptive());
  ASSERT_EQ(study.statements.size(), 1u);
  EXPECT_EQ(study.statements[0].says, "more channels");
  EXPECT_EQ(study.statements[0].judged, "latency.total.mean: router.virtual_channels 4 < 2 < 1");
  EXPECT_EQ(comparisons_text(study),
            "traffic.load=0.1 | 4 < 2 | below 0\ntraffic.load=0.1 | 2 < 1 | below 0\n"
            "traffic.load=0.2 | 4 < 2 | below 0\ntraffic.load=0.2 | 2 < 1 | below 0\n");
  // Units: virtual channels, loads, seeds; the last varies fastest.
  const Comparison& c = study.statements[0].comparisons[2];
  EXPECT_EQ(c.left.units.at("3"), std::vector<std::int64_t>{2 * 10 + 1 * 5 + 2});
  EXPECT_EQ(c.right.units.at("3"), std::vector<std::int64_t>{1 * 10 + 1 * 5 + 2});
  EXPECT_EQ(c.left.units.size(), 5u);
}

TEST(StudyFile, KindsOfStatements) {
  const std::string metric = "sweep: a, metric: hops.mean, ";
  const auto compared = [&](const std::string& keys) {
    return comparisons_text(with_statement(metric + keys));
  };
  const std::string at = "where: {traffic.load: 0.2}, ";
  const std::string one = "{router.virtual_channels: 1}", two = "{router.virtual_channels: 2}";
  EXPECT_EQ(compared(at + "below: [" + one + ", " + two + "]"),
            " | virtual_channels=1 < virtual_channels=2 | below 0\n");
  EXPECT_EQ(compared(at + "above: [" + one + ", " + two + "]"),
            " | virtual_channels=2 < virtual_channels=1 | below 0\n");
  EXPECT_EQ(compared(at + "below: [" + one + ", 7.5]"), " | virtual_channels=1 < 7.5 | below 0\n");
  EXPECT_EQ(compared(at + "below: [" + one + ", " + two + "], tolerance: 1 %"),
            " | virtual_channels=1 / virtual_channels=2 | at most 1.01\n");
  EXPECT_EQ(compared(at + "below: [" + one + ", " + two + "], tolerance: 0.5"),
            " | virtual_channels=1 < virtual_channels=2 | at most 0.5\n");
  EXPECT_EQ(compared(at + "tie: {router.virtual_channels: [1, 2, 4]}, within: 3 %"),
            " | 1 / 2 | 0.97 to 1.03\n | 1 / 4 | 0.97 to 1.03\n | 2 / 4 | 0.97 to 1.03\n");
  EXPECT_EQ(compared(at + "tie: [" + one + ", " + two + "], within: 2"),
            " | virtual_channels=1 = virtual_channels=2 | -2 to 2\n");
  EXPECT_EQ(compared(at + "ratio: [" + one + ", " + two + "], at_most: 1.11"),
            " | virtual_channels=1 / virtual_channels=2 | at most 1.11\n");
  EXPECT_EQ(compared(at + "value: " + one + ", near: 4, within: 25%"), " | virtual_channels=1 | 3 to 5\n");
  EXPECT_EQ(compared(at + "value: " + one + ", near: 4, within: \"25 %\""),
            " | virtual_channels=1 | 3 to 5\n");
  EXPECT_EQ(compared(at + "value: " + one + ", at_least: 1, at_most: 2"), " | virtual_channels=1 | 1 to 2\n");
  EXPECT_EQ(
      compared("value: " + one + ", near: {traffic.load: {0.1: 4, 0.2: 5}}, within: 1"),
      "traffic.load=0.1 | virtual_channels=1 | 3 to 5\ntraffic.load=0.2 | virtual_channels=1 | 4 to 6\n");
  EXPECT_EQ(compared("where: {traffic.load: [0.1, 0.2], router.virtual_channels: 1}, at_least: 3"),
            "traffic.load=0.1 |  | at least 3\ntraffic.load=0.2 |  | at least 3\n");
  EXPECT_EQ(comparisons_text(with_statement("sweep: s, metric: saturation.load, at_least: 0.3")),
            " |  | at least 0.3\n");
  const Study table = with_statement("table: kns-lemmas");
  EXPECT_EQ(table.statements[0].table, "kns-lemmas");
  EXPECT_TRUE(table.statements[0].comparisons.empty());
}

TEST(StudyFile, AveragesAreMadeOfTheSamePointsForEachSeed) {
  const Study study = with_statement(
      "sweep: a, metric: hops.mean, below: [{router.virtual_channels: 4}, {router.virtual_channels: 1}], "
      "average: traffic.load");
  EXPECT_EQ(comparisons_text(study), " | virtual_channels=4 < virtual_channels=1 | below 0\n");
  EXPECT_EQ(study.statements[0].comparisons[0].left.units.at("2"), (std::vector<std::int64_t>{21, 26}));
  EXPECT_EQ(study.statements[0].judged,
            "hops.mean: virtual_channels=4 < virtual_channels=1; averaged over traffic.load");
}

TEST(StudyFile, NamedCurvesMayBeOfDifferentSweeps) {
  const Study study = study_of(
      "title: t\nsweeps:\n"
      "  a: {base: b.yaml, axes: [{key: traffic.load, values: [0.1, 0.2]}, {seeds: 3}]}\n"
      "  b: {base: {network: {topology: torus, size: [4, 4]}}, axes: [{seeds: 3}, {key: traffic.load, "
      "values: "
      "[0.2, 0.1]}]}\n"
      "curves: {mesh: {sweep: a}, torus: {sweep: b, metric: latency.network.mean}}\n"
      "statements: [{says: x, metric: latency.total.mean, below: [torus, mesh]}]\n");
  EXPECT_EQ(comparisons_text(study),
            "traffic.load=0.2 | torus < mesh | below 0\ntraffic.load=0.1 | torus < mesh | below 0\n");
  const Comparison& c = study.statements[0].comparisons[0];
  EXPECT_EQ(c.left.sweep, 1u);
  EXPECT_EQ(c.left.metric, "latency.network.mean");
  EXPECT_EQ(c.left.units.at("2"), std::vector<std::int64_t>{2});
  EXPECT_EQ(c.right.units.at("2"), std::vector<std::int64_t>{4});
  EXPECT_EQ(study.statements[0].judged, "latency.network.mean, latency.total.mean: torus < mesh");
}

constexpr const char* kQuick =
    "title: t\nsweeps:\n"
    "  a:\n    base: {network: {size: [4, 4]}, simulation: {measure: 9000}}\n"
    "    axes: [{key: traffic.load, values: [0.1, 0.2]}, {seeds: 5}]\n"
    "    quick: {base: {simulation: {measure: 700}}, axes: [{key: traffic.load, values: [0.2]}, {seeds: "
    "2}]}\n"
    "  slow: {base: b.yaml, axes: [{seeds: 5}], quick: false}\n"
    "statements:\n"
    "  - {says: x, sweep: a, metric: hops.mean, near: {traffic.load: {0.1: 3, 0.2: 4}}, within: 1 %, quick: "
    "{within: 5 %}}\n"
    "  - {says: y, sweep: slow, metric: hops.mean, at_most: 3, quick: false}\n";

TEST(StudyFile, TheQuickVersionIsSmaller) {
  const Study full = study_of(kQuick), quick = study_of(kQuick, true);
  EXPECT_FALSE(full.quick);
  EXPECT_EQ(full.sweeps.size(), 2u);
  EXPECT_EQ(full.statements.size(), 2u);
  EXPECT_EQ(comparisons_text(full),
            "traffic.load=0.1 |  | 2.97 to 3.03\ntraffic.load=0.2 |  | 3.96 to 4.04\n");
  EXPECT_TRUE(quick.quick);
  ASSERT_EQ(quick.sweeps.size(), 1u);
  EXPECT_EQ(quick.sweeps[0]->plan.units(), 2);
  EXPECT_EQ(quick.sweeps[0]->plan.configuration(quick.sweeps[0]->plan.point(0)).simulation.measure, 700);
  EXPECT_EQ(full.sweeps[0]->plan.configuration(full.sweeps[0]->plan.point(0)).simulation.measure, 9000);
  EXPECT_EQ(comparisons_text(quick), "traffic.load=0.2 |  | 3.8 to 4.2\n");
  EXPECT_NE(full.sweeps[0]->sweep.text, quick.sweeps[0]->sweep.text);
}

/// A reference, in line 7.
std::string with_reference(const std::string& keys) {
  return kSweeps +
         ("  - {says: x, sweep: a, metric: hops.mean, at_most: 3}\nreferences:\n  - {" + keys + "}\n");
}

TEST(StudyFile, ReferencesAreNumbersToShowNextToCurves) {
  const Study study = study_of(with_reference(
      "name: model, sweep: a, metric: hops.mean, values: {traffic.load: {0.2: 4, 0.15: 3.5}}"));
  ASSERT_EQ(study.references.size(), 1u);
  EXPECT_EQ(study.references[0].name, "model");
  EXPECT_EQ(study.references[0].sweep, "a");
  EXPECT_EQ(study.references[0].metric, "hops.mean");
  EXPECT_EQ(study.references[0].key, "traffic.load");
  EXPECT_EQ(study.references[0].points, (std::vector<std::pair<double, double>>{{0.15, 3.5}, {0.2, 4}}));
  const Study quick = study_of(std::string(kQuick) +
                                   "references:\n  - {name: m, sweep: slow, metric: hops.mean, values: "
                                   "{simulation.seed: {1: 2}}}\n",
                               true);
  EXPECT_TRUE(quick.references.empty()) << "the quick version does not have the sweep";
}

TEST(StudyFile, RefusesWrongReferencesAtTheirPlace) {
  const auto refused = [](const std::string& keys) { return study_refusal(with_reference(keys)); };
  EXPECT_EQ(refused("name: m, sweep: a, metric: hops.mean"),
            "folder/st.yaml:8:5: references[0]: values: missing");
  EXPECT_EQ(refused("name: m, sweep: b, metric: hops.mean, values: {traffic.load: {0.1: 3}}"),
            "folder/st.yaml:8:5: references[0]: sweep: there is no sweep 'b'; name one of the study's");
  EXPECT_EQ(refused("name: m, sweep: a, metric: hops.mean, values: {traffic.load: 3}"),
            "folder/st.yaml:8:52: references[0].values: expected one key with its values and numbers: "
            "{traffic.load: {0.1: 38.9, 0.2: 42}}");
  EXPECT_EQ(refused("name: m, sweep: a, metric: hops.mean, values: {link.latency: {1: 3}}"),
            "folder/st.yaml:8:52: references[0].values: no axis of sweep 'a' sets 'link.latency'");
  EXPECT_EQ(refused("name: m, sweep: a, metric: hops.mean, values: {traffic.load: {low: 3}}"),
            "folder/st.yaml:8:68: references[0].values: expected a number, found 'low'");
  EXPECT_EQ(
      refused("name: m, sweep: a, metric: hops.maen, values: {traffic.load: {0.1: 3}}"),
      "folder/st.yaml:8:33: references[0].metric: unknown metric 'hops.maen' (did you mean 'hops.mean'?)");
  EXPECT_EQ(refused("name: '', sweep: a, metric: hops.mean, values: {traffic.load: {0.1: 3}}"),
            "folder/st.yaml:8:5: references[0]: name: empty; give the legend a word");
  EXPECT_EQ(refused("name: m, metric: hops.mean, values: {traffic.load: {0.1: 3}}"),
            "folder/st.yaml:8:5: references[0]: sweep: missing; the study has several sweeps");
  EXPECT_EQ(refused("name: m, sweep: a, metric: hops.mean, values: {traffic.load: {1: 1}}, valeus: 1")
                .find("folder/st.yaml:8:76: references[0].valeus: unknown key (did you mean 'values'?)"),
            0u);
  EXPECT_EQ(study_refusal(kSweeps + std::string("  - {says: x, sweep: a, metric: hops.mean, at_most: 3}\n"
                                                "references: 3\n")),
            "folder/st.yaml:7:13: references: expected a list of references, found '3'");
}

TEST(StudyFile, RefusesWhatIsNoStudy) {
  EXPECT_EQ(study_refusal(""), "folder/st.yaml: expected a section of keys, found nothing");
  EXPECT_EQ(study_refusal("statements: [{says: x, table: kns-lemmas}]"),
            "folder/st.yaml: title: missing; say in one line what the study is about");
  EXPECT_EQ(study_refusal("title: t"), "folder/st.yaml: statements: none; a study needs at least one");
  EXPECT_EQ(study_refusal("title: t\nstatements: []"),
            "folder/st.yaml:2:13: statements: none; a study needs at least one");
  EXPECT_EQ(study_refusal("title: t\nstatements: {a: 1}"),
            "folder/st.yaml:2:13: statements: expected a list of statements, found a section of keys");
  EXPECT_EQ(study_refusal("title: t\nstatement: []\n").substr(0, 75),
            "folder/st.yaml:2:1: statement: unknown key (did you mean 'statements'?)");
  EXPECT_EQ(study_refusal("title: t\nstatements: [{says: x, table: kns-lemmas, quick: false}]"),
            "folder/st.yaml:2:13: statements: none in the quick version; a study needs at least one");
  EXPECT_EQ(study_refusal("title: t\nsweeps: [a]\nstatements: [{says: x, table: kns-lemmas}]"),
            "folder/st.yaml:2:9: sweeps: expected names with their sweeps, found a list");
  EXPECT_EQ(
      study_refusal("title: t\nsweeps: {../x: {}}\nstatements: [{says: x, table: kns-lemmas}]"),
      "folder/st.yaml:2:10: sweeps: '../x' cannot be the name of a folder; use letters, digits, -, _ and .");
}

TEST(StudyFile, RefusesWrongSweepsAtTheirPlace) {
  const auto sweep = [](const std::string& text) {
    return study_refusal("title: t\nsweeps:\n  a: " + text +
                         "\nstatements: [{says: x, sweep: a, metric: hops.mean, at_most: 3}]\n");
  };
  EXPECT_EQ(sweep("{base: b.yaml, axes: [{key: traffic.load, values: []}, {seeds: 5}]}"),
            "folder/st.yaml:3:56: sweeps.a.axes[0].values: empty; an axis needs at least one value");
  EXPECT_EQ(sweep("{base: b.yaml, axes: []}"),
            "folder/st.yaml:3:27: sweeps.a.axes: none; give at least one, like {key: traffic.load, from: "
            "0.1, to: 0.4, "
            "step: 0.1}");
  EXPECT_EQ(sweep("{base: b.yaml, axes: [{seeds: 5}], sedes: 1}")
                .find("folder/st.yaml:3:41: sweeps.a.sedes: unknown key; known: base, "),
            0u);
  EXPECT_NE(sweep("{base: b.yaml, axes: [{seeds: 5}], seeds_shared_by: []}")
                .find("sweeps.a.seeds_shared_by: a study compares points with the same seed; remove it"),
            std::string::npos);
  EXPECT_EQ(sweep("{base: b.yaml, axes: [{key: trafic.load, values: [0.1]}, {seeds: 5}]}"),
            "folder/st.yaml:3:34: trafic.load: unknown key (did you mean 'traffic.load'?)");
  EXPECT_EQ(sweep("{base: b.yaml, axes: [{seeds: 5}], quick: 3}"),
            "folder/st.yaml:3:48: sweeps.a.quick: expected a section of keys that differ in the quick "
            "version, or false to leave it out, found '3'");
  // A mistake in the version that was not requested.
  EXPECT_EQ(sweep("{base: b.yaml, axes: [{seeds: 5}], quick: {axes: [{seed: 3}]}}").substr(0, 56),
            "folder/st.yaml:3:56: sweeps.a.axes[0]: no key; give key:");
}

TEST(StudyFile, RefusesWrongStatementsAtTheirPlace) {
  EXPECT_EQ(study_refusal(std::string(kSweeps) + "  - {table: kns-lemmas}\n"),
            "folder/st.yaml:6:5: statements[0]: says: missing; give the statement in words, like says: more "
            "virtual "
            "channels, more throughput");
  EXPECT_EQ(statement_refusal("sweep: a, metric: hops.mean"),
            "folder/st.yaml:6:5: statements[0]: has nothing to judge; give one of ordered, below, "
            "above, "
            "tie, ratio, value and table");
  EXPECT_EQ(statement_refusal("below: [1, 2], tie: [1, 2], within: 1"),
            "folder/st.yaml:6:5: statements[0]: give one of below and tie, not both");
  EXPECT_EQ(statement_refusal("table: kns-lemma"),
            "folder/st.yaml:6:22: statements[0].table: unknown published table 'kns-lemma' (did you mean "
            "'kns-lemmas'?)");
  EXPECT_EQ(statement_refusal("table: kns-lemmas, metric: hops.mean"),
            "folder/st.yaml:6:42: statements[0].metric: cannot be combined with table");
  EXPECT_EQ(statement_refusal("table: kns-lemmas, refuted_by: counted"),
            "folder/st.yaml:6:46: statements[0].refuted_by: cannot be combined with table");
  EXPECT_EQ(statement_refusal("metric: hops.mean, sweep: a, refuted_by: '', at_least: 1"),
            "folder/st.yaml:6:56: statements[0].refuted_by: say why the claim does not hold, and by which "
            "evidence");
  EXPECT_EQ(statement_refusal("table: kns-lemmas, belwo: 1"),
            "folder/st.yaml:6:34: statements[0].belwo: unknown key (did you mean 'below'?)");
  EXPECT_EQ(statement_refusal("table: kns-lemmas, quick: 1"),
            "folder/st.yaml:6:41: statements[0].quick: expected a section of keys that differ in the quick "
            "version, "
            "or false to leave it out, found '1'");
}

TEST(StudyFile, RefusesUnknownMetricsCurvesAndSweeps) {
  const std::string pair = "below: [{router.virtual_channels: 1}, {router.virtual_channels: 2}]";
  EXPECT_EQ(statement_refusal("sweep: a, metric: latency.totl.mean, " + pair),
            "folder/st.yaml:6:33: statements[0]: metric: unknown metric 'latency.totl.mean' (did you mean "
            "'latency.total.mean'?)");
  EXPECT_EQ(statement_refusal("sweep: a, metric: 'latency.*', " + pair).substr(0, 70),
            "folder/st.yaml:6:33: statements[0]: metric: unknown metric 'latency.*'");
  EXPECT_EQ(statement_refusal("sweep: a, " + pair),
            "folder/st.yaml:6:33: statements[0]: no metric; give metric: latency.total.mean, or another of "
            "docs/statistics.md");
  EXPECT_EQ(statement_refusal("sweep: a, metric: saturation.load, " + pair),
            "folder/st.yaml:6:33: statements[0]: metric: sweep a does not measure saturation.load; that "
            "needs an axis with until: saturation");
  EXPECT_EQ(
      statement_refusal("sweep: s, metric: hops.mean, at_most: 3"),
      "folder/st.yaml:6:33: statements[0]: metric: sweep s chooses its loads itself, so its metrics are "
      "saturation.load, saturation.throughput and saturation.zero_load_latency, not hops.mean");
  EXPECT_EQ(statement_refusal("metric: hops.mean, at_most: 3"),
            "folder/st.yaml:6:5: statements[0]: no sweep; give sweep: one of a, s");
  EXPECT_EQ(statement_refusal("sweep: b, metric: hops.mean, at_most: 3"),
            "folder/st.yaml:6:5: statements[0]: unknown sweep 'b' (did you mean 'a'?)");
  EXPECT_EQ(
      statement_refusal("sweep: a, metric: hops.mean, below: [one, two]"),
      "folder/st.yaml:6:52: statements[0]: below: unknown curve 'one'; name it under curves:, or write its "
      "keys here: {KEY: VALUE}\n"
      "folder/st.yaml:6:57: statements[0]: below: unknown curve 'two'; name it under curves:, or write its "
      "keys here: {KEY: VALUE}");
  EXPECT_EQ(study_refusal("curves: {mesh: {sweep: a}, torus: 3}\n" + std::string(kSweeps) +
                          "  - {says: x, metric: hops.mean, value: mush, at_most: 3}\n"),
            "folder/st.yaml:1:35: curves.torus: expected keys with their values, found '3'\n"
            "folder/st.yaml:7:41: statements[0]: value: unknown curve 'mush' (did you mean 'mesh'?)\n"
            "folder/st.yaml:7:41: statements[0]: no sweep; give sweep: one of a, s");
  EXPECT_EQ(
      study_refusal(
          "title: t\nsweeps: {a: {base: b.yaml, axes: [{seeds: 5}], keep: {metrics: [hops.mean]}}}\n"
          "statements: [{says: x, metric: latency.total.mean, at_most: 3}]"),
      "folder/st.yaml:3:32: statements[0]: metric: sweep a does not keep latency.total.mean; add it to its "
      "keep.metrics");
}

TEST(StudyFile, RefusesPointsThatNoSweepHas) {
  const std::string metric = "sweep: a, metric: hops.mean, ";
  EXPECT_EQ(statement_refusal(metric + "value: {router.virtual_channels: 3}, at_most: 3"),
            "folder/st.yaml:6:77: statements[0]: router.virtual_channels: no point of sweep a has 3; it has "
            "1, 2, 4");
  EXPECT_EQ(
      statement_refusal(metric + "value: {router.virtual_chanels: 1}, at_most: 3"),
      "folder/st.yaml:6:76: statements[0]: router.virtual_chanels: no axis of sweep a sets it (did you mean "
      "'router.virtual_channels'?)");
  EXPECT_EQ(
      statement_refusal(metric + "value: {simulation.seed: 1}, at_most: 3"),
      "folder/st.yaml:6:69: statements[0]: simulation.seed: statements are judged over all seeds; leave it "
      "out");
  EXPECT_EQ(
      statement_refusal(metric + "where: {traffic.load: 0.1}, value: {traffic.load: 0.2}, at_most: 3"),
      "folder/st.yaml:6:52: statements[0]: where.traffic.load: the curve load=0.2 also sets it; remove one");
  EXPECT_EQ(
      statement_refusal(metric + "value: {router.virtual_channels: 1}, average: link.latency, at_most: 3"),
      "folder/st.yaml:6:90: statements[0]: average: link.latency: no axis sets it");
  EXPECT_EQ(
      statement_refusal(metric + "value: {router.virtual_channels: 1}, near: {traffic.load: {0.1: 3, 0.3: "
                                 "4}}, within: 1"),
      "folder/st.yaml:6:111: statements[0]: near: no point of the curve has traffic.load=0.3; choose a value "
      "that "
      "the sweep has");
  EXPECT_EQ(statement_refusal(metric + "below: [{router.virtual_channels: 1}, {router.virtual_channels: 2, "
                                       "traffic.load: 0.1}]"),
            "folder/st.yaml:6:5: statements[0]: virtual_channels=1 has a point at traffic.load=0.1, "
            "but virtual_channels=2, load=0.1 has none; select points with where:");
  EXPECT_EQ(
      statement_refusal(metric + "below: [{router.virtual_channels: 1, traffic.load: 0.1}, "
                                 "{router.virtual_channels: 2}]"),
      "folder/st.yaml:6:5: statements[0]: virtual_channels=1, load=0.1 is one point, but virtual_channels=2 "
      "has several; select points with where:");
}

TEST(StudyFile, RefusesComparisonsThatAreNotPaired) {
  const auto refusal = [](const std::string& first, const std::string& second) {
    return study_refusal(
        "title: t\nsweeps:\n  a: {base: b.yaml, axes: [{seeds: " + first +
        "}]}\n  b: {base: b.yaml, axes: [{seeds: " + second +
        "}]}\nstatements:\n  - {says: x, metric: hops.mean, below: [{sweep: a}, {sweep: b}]}\n");
  };
  EXPECT_EQ(refusal("3", "[1, 2, 4]"),
            "folder/st.yaml:6:5: statements[0]: a and b have different seeds; paired runs need equal seeds");
  EXPECT_EQ(refusal("1", "1"),
            "folder/st.yaml:6:5: statements[0]: sweep a has only one seed, which gives no interval; add "
            "{seeds: 5} to its axes");
}

TEST(StudyFile, RefusesKindsWithoutWhatTheyNeed) {
  const std::string metric = "sweep: a, metric: hops.mean, ", one = "{router.virtual_channels: 1}",
                    pair = "[{router.virtual_channels: 1}, {router.virtual_channels: 2}]";
  const auto refusal = [&](const std::string& keys) {
    const std::string text = statement_refusal(metric + keys);
    return text.substr(text.find("statements[0]"));
  };
  EXPECT_EQ(refusal("tie: " + pair), "statements[0]: tie needs within, like within: 3 %");
  EXPECT_EQ(refusal("ratio: " + pair),
            "statements[0]: ratio needs either near and within, or at_least, at_most or both");
  EXPECT_EQ(refusal("value: " + one + ", near: 3, within: 1, at_most: 3"),
            "statements[0]: value needs either near and within, or at_least, at_most or both");
  EXPECT_EQ(refusal("value: " + one + ", near: 3"), "statements[0]: near needs within, like within: 2 %");
  EXPECT_EQ(refusal("value: " + one + ", within: 3, at_most: 3"),
            "statements[0]: within needs near, the value to compare with");
  EXPECT_EQ(refusal("value: " + one + ", at_least: 3, at_most: 2"),
            "statements[0]: at_least is above at_most, so no value can be within");
  EXPECT_EQ(refusal("value: " + one + ", at_most: 3, tolerance: 1"),
            "statements[0].tolerance: cannot be combined with value");
  EXPECT_EQ(refusal("below: " + pair + ", at_most: 3"),
            "statements[0].at_most: cannot be combined with below");
  EXPECT_EQ(refusal("below: [" + one + "]"), "statements[0]: below: 1 given; expected 2");
  EXPECT_EQ(refusal("ordered: [" + one + "]"), "statements[0]: ordered: 1 given; expected 2 or more");
  EXPECT_EQ(refusal("below: [1, 2]"), "statements[0]: below: only numbers; at least one must be a curve");
  EXPECT_EQ(refusal("below: 3"), "statements[0]: below: expected a list of curves, found '3'");
  EXPECT_EQ(refusal("below: {a: 1, b: 2}"),
            "statements[0]: below: expected a list of curves, or one key with a list of its values");
  EXPECT_EQ(refusal("tie: " + pair + ", within: '3'"),
            "statements[0].within: expected a share like 2 % or a number of at least 0, found '3' in quotes; "
            "remove the quotes");
  EXPECT_EQ(refusal("tie: " + pair + ", within: -1 %"),
            "statements[0].within: expected a share like 2 % or a number of at least 0, found '-1 %'");
  EXPECT_EQ(refusal("value: " + one + ", near: [1], within: 1"),
            "statements[0].near: expected a number, found a list");
  EXPECT_EQ(refusal("value: " + one + ", at_most: few"),
            "statements[0].at_most: expected a number, found 'few'");
  EXPECT_EQ(refusal("value: [1], at_most: 1"),
            "statements[0]: value: expected the name of a curve or keys with their values, found a list");
}

}  // namespace
}  // namespace flitmend
