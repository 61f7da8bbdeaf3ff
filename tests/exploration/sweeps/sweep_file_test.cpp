// SPDX-License-Identifier: Apache-2.0
// SWEEP.yaml: all kinds of axes, and every kind of mistake.
#include <gtest/gtest.h>

#include <chrono>

#include "base/errors.h"
#include "exploration/sweeps/metrics.h"
#include "exploration/sweeps/plan.h"
#include "support/files.h"
#include "testbench/configuration/writer.h"

namespace flitmend {
namespace {

Sweep parse_text(const std::string& text, const std::string& base = "network: {size: [4, 4]}") {
  return parse_sweep(text, "s.yaml", [&](const std::string&) { return base; });
}

Sweep parse_axes(const std::string& axes) {
  return parse_text("base: b.yaml\naxes:\n  - " + axes + "\n");
}

std::string sweep_refusal(const std::string& text) {
  return test::message_of<ConfigurationError>([&] { parse_text(text); });
}

std::string axis_refusal(const std::string& axis) {
  return test::message_of<ConfigurationError>([&] { parse_axes(axis); });
}

std::string points_of(const std::string& axis) {
  return parse_axes(axis).axes.at(0).record().points.dump();
}

TEST(SweepFile, RangesAreWhatTheirAuthorWrote) {
  EXPECT_EQ(points_of("{key: traffic.load, from: 0.1, to: 0.3, step: 0.1}"), "[0.1,0.2,0.3]");
  EXPECT_EQ(points_of("{key: traffic.load, from: 0.05, to: 0.4, step: 0.05}"),
            "[0.05,0.1,0.15,0.2,0.25,0.3,0.35,0.4]");
  EXPECT_EQ(points_of("{key: traffic.load, from: 0.1, to: 0.35, step: 0.1}"), "[0.1,0.2,0.3]");
  EXPECT_EQ(points_of("{key: traffic.load, from: 0, to: 1, count: 5}"), "[0,0.25,0.5,0.75,1]");
  EXPECT_EQ(points_of("{key: router.virtual_channels, from: 2, to: 8, step: 2}"), "[2,4,6,8]");
  EXPECT_EQ(points_of("{key: router.virtual_channels, from: 1, to: 4, count: 4}"), "[1,2,3,4]");
  EXPECT_EQ(points_of("{key: traffic.load, from: 0.2, to: 0.2, step: 1}"), "[0.2]");
}

TEST(SweepFile, CombinationsMayHaveSeedsOfTheirOwn) {
  const std::string axes =
      "base: b.yaml\naxes: [{seeds: [5, 9]}, {key: traffic.load, values: [0.1, 0.2]}, "
      "{key: recovery.protocol, values: [none, end-to-end]}]\n";
  const auto seeds = [](const Sweep& sweep) {
    const SweepPlan plan(sweep);
    std::vector<int> all;
    for (std::int64_t unit = 0; unit < plan.units(); ++unit)
      all.push_back(plan.point(unit).axes()["simulation.seed"].get<int>());
    return all;
  };
  EXPECT_EQ(seeds(parse_text(axes)), (std::vector<int>{5, 5, 5, 5, 9, 9, 9, 9}));
  EXPECT_EQ(seeds(parse_text(axes + "seeds_shared_by: [recovery.protocol]")),
            (std::vector<int>{5, 5, 6, 6, 7, 7, 8, 8}));
  EXPECT_EQ(seeds(parse_text(axes + "seeds_shared_by: []")), (std::vector<int>{5, 6, 7, 8, 9, 10, 11, 12}));
  EXPECT_NE(sweep_refusal(axes + "seeds_shared_by: [link.latency]")
                .find("s.yaml:3:18: seeds_shared_by: no axis sets "
                      "'link.latency'"),
            std::string::npos)
      << sweep_refusal(axes + "seeds_shared_by: [link.latency]");
  EXPECT_NE(sweep_refusal("base: b.yaml\naxes: [{key: traffic.load, values: [0.1]}]\nseeds_shared_by: []")
                .find("there is no axis of seeds"),
            std::string::npos);
}

TEST(SweepFile, ListsZippedAxesAndSeeds) {
  EXPECT_EQ(points_of("{key: routing.algorithm, values: [dimension-order, west-first]}"),
            R"(["dimension-order","west-first"])");
  EXPECT_EQ(points_of("{key: simulation.drain, values: [true, false]}"), "[true,false]");
  EXPECT_EQ(points_of("{key: simulation.measure, values: [1e4, 0x10]}"), "[10000,16]");
  EXPECT_EQ(points_of("{keys: [network.size, traffic.load], values: [[[4, 4], 0.1], [[8, 8], 0.2]]}"),
            "[[[4,4],0.1],[[8,8],0.2]]");
  EXPECT_EQ(points_of("{key: router, values: [{preset: iq}, {preset: sbrp}]}"),
            R"([{"preset":"iq"},{"preset":"sbrp"}])");
  EXPECT_EQ(points_of("{seeds: 3}"), "[1,2,3]");
  EXPECT_EQ(points_of("{seeds: [7, 11]}"), "[7,11]");
  EXPECT_EQ(parse_axes("{seeds: 3}").axes[0].keys, std::vector<std::string>{"simulation.seed"});
  EXPECT_EQ(parse_axes("{seeds: 3, name: replicas}").axes[0].name, "replicas");
  EXPECT_EQ(parse_axes("{keys: [traffic.load, link.latency], values: [[0.1, 1]]}").axes[0].name,
            "traffic.load, link.latency");
}

TEST(SweepFile, TheLastAxisGoesFastest) {
  const Sweep sweep =
      parse_text("base: b.yaml\naxes:\n  - {key: router.virtual_channels, values: [2, 4]}\n  - {seeds: 3}\n");
  const SweepPlan plan(sweep);
  EXPECT_EQ(plan.units(), 6);
  EXPECT_EQ(plan.stride(), 1);
  EXPECT_EQ(plan.point(0).axes().dump(), R"({"router.virtual_channels":2,"simulation.seed":1})");
  EXPECT_EQ(plan.point(1).axes().dump(), R"({"router.virtual_channels":2,"simulation.seed":2})");
  EXPECT_EQ(plan.point(5).axes().dump(), R"({"router.virtual_channels":4,"simulation.seed":3})");
  const Configuration c = plan.configuration(plan.point(5));
  EXPECT_EQ(c.hardware.router.virtual_channels, 4);
  EXPECT_EQ(c.simulation.seed, 3);
  EXPECT_EQ(c.network.size, (std::vector<std::int64_t>{4, 4}));
}

TEST(SweepFile, TheBaseMayStandInTheSweep) {
  const Sweep sweep = parse_text("base: {network: {topology: torus, size: [4, 4]}}\naxes: [{seeds: 2}]");
  EXPECT_EQ(SweepPlan(sweep).configuration(SweepPlan(sweep).point(0)).network.topology, "torus");
}

TEST(SweepFile, OtherKeys) {
  const Sweep plain = parse_axes("{seeds: 1}");
  EXPECT_EQ(plain.timeout_seconds, 0);
  EXPECT_FALSE(plain.allow_deadlock);
  EXPECT_TRUE(plain.keep.stats);
  const Sweep all = parse_text(
      "base: b.yaml\naxes: [{seeds: 1}]\ntimeout_seconds: 2.5\nallow_deadlock: true\n"
      "keep: {metrics: [latency.total.*, traffic.accepted], stats: false}\n"
      "slurm: {points_per_task: 5, cpus_per_task: 2, options: [--partition=long]}\n");
  EXPECT_EQ(all.timeout_seconds, 2.5);
  EXPECT_TRUE(all.allow_deadlock);
  EXPECT_FALSE(all.keep.stats);
  EXPECT_EQ(all.keep.metrics, (std::vector<std::string>{"latency.total.*", "traffic.accepted"}));
  EXPECT_EQ(all.slurm.points_per_task, 5);
  EXPECT_EQ(all.slurm.cpus_per_task, 2);
  EXPECT_EQ(all.slurm.options, std::vector<std::string>{"--partition=long"});
}

TEST(SweepFile, RefusesEmptyAxes) {
  EXPECT_EQ(
      sweep_refusal("base: b.yaml\naxes: []"),
      "s.yaml:2:7: axes: none; give at least one, like {key: traffic.load, from: 0.1, to: 0.4, step: 0.1}");
  EXPECT_EQ(axis_refusal("{key: traffic.load, values: []}"),
            "s.yaml:3:33: axes[0].values: empty; an axis needs at least one value");
  EXPECT_EQ(axis_refusal("{seeds: []}"),
            "s.yaml:3:13: axes[0].seeds: empty; an axis needs at least one value");
  EXPECT_EQ(axis_refusal("{key: traffic.load, from: 0.4, to: 0.1, step: 0.1}"),
            "s.yaml:3:5: axes[0]: empty range: from 0.4 is above to 0.1; exchange them");
  EXPECT_EQ(axis_refusal("{keys: [], values: [[]]}"),
            "s.yaml:3:12: axes[0].keys: empty; an axis needs at least one key");
}

// A million values are not checked one by one, and yet none gets through.
TEST(SweepFile, ChecksALongRangeAtItsEnds) {
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(axis_refusal("{key: link.flit_bytes, from: 1, to: 900000, step: 1}"),
            "s.yaml:3:5: link.flit_bytes: 900000 is out of range (1 to 4096 bytes)");
  EXPECT_EQ(axis_refusal("{key: link.latency, from: 1, to: 4, step: 0.5}"),
            "s.yaml:3:5: link.latency: expected an integer (1 to 1024 cycles), found '1.5'");
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
}

TEST(SweepFile, RefusesUnknownKeysWithTheNearest) {
  EXPECT_EQ(axis_refusal("{key: trafic.load, values: [0.1, 0.2]}"),
            "s.yaml:3:11: trafic.load: unknown key (did you mean 'traffic.load'?)");
  EXPECT_EQ(axis_refusal("{key: traffic.lod, values: [0.1]}"),
            "s.yaml:3:11: traffic.lod: unknown key (did you mean 'traffic.load'?)");
  EXPECT_EQ(axis_refusal("{key: load, values: [0.1]}"),
            "s.yaml:3:11: load: unknown key (did you mean 'traffic.load'?)");
  EXPECT_EQ(axis_refusal("{keys: [link.latency, bananas], values: [[1, 2], [3, 4]]}"),
            "s.yaml:3:27: bananas: unknown key; flitmend reference lists all keys");
  EXPECT_EQ(axis_refusal("{key: traffic.load, valus: [0.1], values: [0.2]}"),
            "s.yaml:3:25: axes[0].valus: unknown key (did you mean 'values'?)");
  EXPECT_EQ(sweep_refusal("base: b.yaml\naxs: [{seeds: 1}]\naxes: [{seeds: 1}]"),
            "s.yaml:2:1: axs: unknown key (did you mean 'axes'?)");
  EXPECT_EQ(sweep_refusal("base: b.yaml\naxes: [{seeds: 1}]\nkeep: {stat: true}"),
            "s.yaml:3:8: keep.stat: unknown key (did you mean 'stats'?)");
  EXPECT_EQ(sweep_refusal("base: b.yaml\naxes: [{seeds: 1}]\nkeep: {metrics: [latency.total.maen]}"),
            "s.yaml:3:17: keep.metrics: unknown metric 'latency.total.maen' (did you mean "
            "'latency.total.mean'?)");
}

TEST(SweepFile, RefusesValuesOutOfRange) {
  EXPECT_EQ(axis_refusal("{key: router.virtual_channels, values: [2, 99]}"),
            "s.yaml:3:48: router.virtual_channels: 99 is out of range (1 to 64 virtual channels)");
  EXPECT_EQ(
      axis_refusal("{key: router.virtual_channels, from: 1, to: 2, count: 3}"),
      "s.yaml:3:5: router.virtual_channels: expected an integer (1 to 64 virtual channels), found '1.5'");
  EXPECT_EQ(axis_refusal("{keys: [traffic.load, link.latency], values: [[0.1, 1], [0.2]]}"),
            "s.yaml:3:61: axes[0].values: expected a list of 2 values, one per key, found one of 1");
  EXPECT_EQ(axis_refusal("{key: traffic.load, values: [0.1, 0.10]}"),
            "s.yaml:3:39: axes[0].values: 0.1 is given twice");
  EXPECT_EQ(sweep_refusal("base: b.yaml\naxes: [{seeds: 1}]\ntimeout_seconds: -1"),
            "s.yaml:3:18: timeout_seconds: -1 is out of range (0 to 1e+09 seconds)");
}

TEST(SweepFile, RefusesAxesThatSayNothingOrTooMuch) {
  EXPECT_EQ(axis_refusal("{key: traffic.load}"),
            "s.yaml:3:5: axes[0]: no values; give values: [...], from, to and step or count, or until: "
            "saturation");
  EXPECT_EQ(axis_refusal("{values: [1]}"),
            "s.yaml:3:5: axes[0]: no key; give key: KEY, keys: [KEY, KEY], or seeds: COUNT");
  EXPECT_EQ(axis_refusal("{key: traffic.load, seeds: 2}"),
            "s.yaml:3:5: axes[0]: give one of key, keys and seeds");
  EXPECT_EQ(axis_refusal("{key: traffic.load, from: 0.1, to: 0.2}"),
            "s.yaml:3:5: axes[0]: a range needs from, to and one of step and count");
  EXPECT_EQ(axis_refusal("{key: traffic.load, from: 0, to: 1, step: 1e-9}"),
            "s.yaml:3:5: axes[0]: more than 1000000 points; use a larger step");
  EXPECT_EQ(axis_refusal("{key: traffic.load, from: 0, to: 1, step: 0}"),
            "s.yaml:3:47: axes[0].step: 0 must be above 0");
  EXPECT_EQ(sweep_refusal("base: b.yaml\naxes: [{seeds: 4000}, {key: simulation.warmup, from: 1, to: 4000, "
                          "step: 1}]"),
            "s.yaml: axes: more than 10000000 points; use shorter axes");
  EXPECT_EQ(sweep_refusal("base: b.yaml\naxes: [{seeds: 2}, {key: simulation.seed, values: [1]}]"),
            "s.yaml:2:7: axes: simulation.seed is set twice; remove one of the axes");
  EXPECT_EQ(sweep_refusal("base: b.yaml\naxes: [{key: router, values: [{preset: iq}]}, {key: router.preset, "
                          "values: [iq]}]"),
            "s.yaml:2:7: axes: router.preset and router overlap; remove one of the axes");
  EXPECT_EQ(axis_refusal("{key: link.latency, until: saturation, from: 1, step: 1}"),
            "s.yaml:3:32: axes[0].until: only the load can be searched; write key: traffic.load");
  EXPECT_EQ(axis_refusal("{key: traffic.load, until: saturation}"),
            "s.yaml:3:5: axes[0]: until: saturation needs from and step");
}

TEST(SweepFile, RefusesBaseConfigurationsThatAreNone) {
  EXPECT_EQ(
      sweep_refusal("axes: [{seeds: 1}]"),
      "s.yaml: base: missing; name the configuration that every point starts from, like base: mesh.yaml");
  EXPECT_EQ(test::message_of<ConfigurationError>(
                [] { parse_text("base: b.yaml\naxes: [{seeds: 1}]", "network: {topolgy: mesh}"); }),
            "b.yaml:1:11: network.topolgy: unknown key (did you mean 'topology'?)");
  EXPECT_EQ(sweep_refusal("base: {network: {topolgy: mesh}}\naxes: [{seeds: 1}]"),
            "s.yaml:1:18: network.topolgy: unknown key (did you mean 'topology'?)");
  EXPECT_EQ(sweep_refusal("[1, 2]"), "s.yaml:1:1: expected a section of keys, found a list");
  EXPECT_EQ(sweep_refusal("base: [1\n"),
            "s.yaml:2:1: not YAML: the braces or brackets are not closed here; check that each { has its } "
            "and each [ its ], "
            "with commas between the entries");
}

TEST(SweepFile, APointThatDoesNotGoTogetherSaysWhichValueIsAtFault) {
  const Sweep sweep =
      parse_text("base: b.yaml\naxes:\n  - {seeds: 1}\n  - {key: routing.algorithm, values: [hybrid-dor]}");
  const SweepPlan plan(sweep);
  const std::string message =
      test::message_of<ConfigurationError>([&] { plan.configuration(plan.point(0)); });
  EXPECT_EQ(
      message.rfind("s.yaml:4:39: routing.algorithm: hybrid-dor is defined for kns, not for a 4x4 mesh", 0),
      0u)
      << message;
}

TEST(SweepFile, AValueInTheSweepsOwnBaseIsShownWhereItStands) {
  const Sweep sweep = parse_text(
      "base:\n  network: {topology: torus,\n            size: [1, 4]}\naxes: [{key: traffic.load, values: "
      "[0.1]}]");
  const SweepPlan plan(sweep);
  const std::string message =
      test::message_of<ConfigurationError>([&] { plan.configuration(plan.point(0)); });
  EXPECT_EQ(message.rfind("s.yaml:3:19: network.size: dimension 0 has radix 1", 0), 0u) << message;
}

TEST(SweepFile, MetricsAreTheNumbersOfStats) {
  const Json stats = Json::parse(
      R"({"schema":1,"a":{"n":2,"none":null,"holds":true,"b":{"x":0.5}},"channels":[{"flits":3}],"host":{"s":1}})");
  EXPECT_EQ(metrics_of(stats), (std::map<std::string, double>{{"a.n", 2}, {"a.b.x", .5}}));
  EXPECT_EQ(unknown_metric("latency.*"), "");
  EXPECT_EQ(unknown_metric("host.*").rfind("unknown metric 'host.*'", 0), 0u);
}

// However the numbers of their values divide each other.
TEST(SweepFile, NoKeyIsCalledUnusedThatAValueOfAnAxisReads) {
  const auto unused = [](const std::string& axes) {
    const Sweep sweep = parse_text("base: b.yaml\naxes: [" + axes + "]\n",
                                   "network: {size: [2, 2]}\ntraffic: {burst_load: 0.5, trace_region: 0}\n");
    std::vector<std::string> paths;
    for (const UnusedKey& key : unused_keys(SweepPlan(sweep))) paths.push_back(key.path);
    return paths;
  };
  const std::vector<std::string> both = {"traffic.burst_load", "traffic.trace_region"},
                                 one = {"traffic.trace_region"};
  const std::string injection = "{key: traffic.injection, values: [bernoulli, bursty]}",
                    loads = "{key: traffic.load, from: 0.001, to: 0.4, count: 500}",
                    sizes = "{key: traffic.message_length, from: 1, to: 5, step: 1}";
  EXPECT_EQ(unused("{seeds: 500}"), both);
  EXPECT_EQ(unused(loads + ", " + sizes), both);
  EXPECT_EQ(unused(injection), one);
  EXPECT_EQ(unused(injection + ", {seeds: 500}"), one);
  EXPECT_EQ(unused("{seeds: 500}, " + injection), one);
  EXPECT_EQ(unused(loads + ", " + injection), one);
  EXPECT_EQ(unused(injection + ", " + loads), one);
  EXPECT_EQ(unused(sizes + ", " + loads + ", " + injection + ", {seeds: 500}"), one);
  EXPECT_EQ(unused("{key: traffic.load, from: 0.0001, to: 0.4, count: 3000}, " + injection), one);
}

}  // namespace
}  // namespace flitmend
