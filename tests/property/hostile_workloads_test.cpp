// SPDX-License-Identifier: Apache-2.0
// Thousands of damaged flows, matrices, tables, traces, mappings, task graphs and settings of workloads: each
// is accepted and then runs, or refused with its file and line, or key, and a remedy.
#include <functional>

#include "support/compressed.h"
#include "support/files.h"
#include "support/hostile_input.h"
#include "support/text_mutator.h"
#include "testbench/checks/validation.h"
#include "testbench/configuration/loader.h"

namespace flitmend {
namespace {

using test::TextMutator;

constexpr unsigned kRounds = 300;  // of each format
constexpr unsigned kRunEvery = 12;

/// A file of a workload, or a part of the configuration, that is damaged.
struct Format {
  const char* name;
  const char* file;     ///< empty: the configuration itself
  const char* traffic;  ///< section of the configuration; FILE is the file
  const char* good;     ///< content of the file
  std::string (*damage)(TextMutator&, const std::string& good);
  const char* other_file = "";  ///< a valid one that it needs: OTHER
  const char* other = "";
  const char* router = "{preset: iq}";
};

std::string as_table(TextMutator& mutator, const std::string& good) {
  return mutator.mutate_table(good);
}
std::string as_yaml(TextMutator& mutator, const std::string& good) {
  return mutator.mutate(good);
}
std::string as_gzip(TextMutator& mutator, const std::string& good) {
  return mutator.below(2) ? test::gzip(mutator.mutate_table(good)) : mutator.mutate_bytes(test::gzip(good));
}
std::string as_xz(TextMutator& mutator, const std::string& good) {
  return mutator.below(2) ? test::xz(mutator.mutate_table(good)) : mutator.mutate_bytes(test::xz(good));
}

constexpr const char* kTrace =
    "cycle,source,destination,bytes,class,id,after,delay\n0,0,1,8,request,1,,\n0,1,0,72,reply,2,1,20\n"
    "5,router_0_1,\"3,0\",0,,3,1;2,\n7,15,2,64,late,,,\n";
constexpr const char* kGraph =
    "period_us: 2\ntasks: [{name: a, cycles: 4}, b, c]\nedges:\n  - {from: a, to: b, bandwidth: 30}\n  - "
    "{from: b, "
    "to: c, bytes: 8, messages: 2}\n  - {from: c, to: a, bytes: 8, tokens: 1}\nmapping: {a: 0, b: [1, 0], c: "
    "router_1_1}\n";

constexpr const char* kMatrix =
    "0,.1,0,.2,0,0,0,0,0,0,0,0,0,0,0,0\n.1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n0,0,0,.3,0,0,0,0,0,0,0,0,0,0,0,0\n"
    "0,0,0,0,.1,0,0,0,0,0,0,0,0,0,0,0\n0,0,0,0,0,.1,0,0,0,0,0,0,0,0,0,0\n0,0,0,0,0,0,.1,0,0,0,0,0,0,0,0,0\n"
    "0,0,0,0,0,0,0,.1,0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0,.1,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0,0,.1,0,0,0,0,0,0\n"
    "0,0,0,0,0,0,0,0,0,0,.1,0,0,0,0,0\n0,0,0,0,0,0,0,0,0,0,0,.1,0,0,0,0\n0,0,0,0,0,0,0,0,0,0,0,0,.1,0,0,0\n"
    "0,0,0,0,0,0,0,0,0,0,0,0,0,.1,0,0\n0,0,0,0,0,0,0,0,0,0,0,0,0,0,.1,0\n0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,.1\n"
    ".1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n";

constexpr Format kFormats[] = {
    {"flows", "f.csv", "{flows: FILE}",
     "from,to,rate,length,class,process,start,stop,name,target_p99\n0,1,.1,5,a,poisson,0,100,x,50\n"
     "2;3,all,.02,2,b,,,,\"y, z\",\nrouter_1_1,2,1e-3\n",
     as_table},
    {"bandwidths", "f.csv", "{flows: FILE, clock_mhz: 500}",
     "from,to,bandwidth,bytes,target_bandwidth\n0,1,4e7,64,3e7\n\"1,1\",\"2,1\",1e6,8\n", as_table},
    {"matrix", "m.csv", "{matrix: FILE}", kMatrix, as_table},
    {"noxim", "t.txt", "{noxim_table: FILE}",
     "% table\n0 1 0.02\n2 3 0.01 0.05 100 5000 10000\n1 2\n15 0 .1 .2 0 50 100\n", as_table},
    {"trace", "t.csv", "{trace: FILE}", kTrace, as_table},
    {"gzip", "t.csv.gz", "{trace: FILE}", kTrace, as_gzip},
    {"xz", "t.csv.xz", "{trace: FILE}", kTrace, as_xz},
    {"mapping", "m.csv", "{trace: OTHER, mapping: FILE}", "from,to\n0,10\ncpu,router_3_1\n7,\"1,2\"\n1,0\n",
     as_table, "t.csv", "0,0,cpu,8\n3,1,7,72\n"},
    {"graph", "g.yaml", "{task_graph: FILE, iterations: 3}", kGraph, as_yaml},
    {"task mapping", "p.yaml", "{task_graph: OTHER, task_mapping: FILE}",
     "mapping: {a: 3, b: [2, 1], c: router_0_1}\n", as_yaml, "g.yaml", kGraph},
    {"collectives", "",
     "{groups: {row: [0, 1, 2, 3], corner: [[0, 0], [3, 0], 12]}, collectives: [{collective: all-reduce, "
     "algorithm: "
     "ring, group: row, bytes: 4096, combine_time: 8, start: 10}, {name: weights, collective: broadcast, "
     "group: "
     "all, root: [1, 2], bytes: 1024, repetitions: 10}, {collective: all-gather, group: corner, bytes: 9}]}",
     "", as_yaml},
    {"collectives with flows", "",
     "{collectives: [{collective: all-gather, bytes: 256}], flows: [{pattern: uniform, load: .1}, {name: x, "
     "from: 3, "
     "to: [1, 2], rate: .05, length: 4}], message_length: 7}",
     "", as_yaml},
    {"closed loop", "",
     "{mode: closed-loop, pattern: uniform, outstanding: 4, message_length: 3, reply_length: 11, "
     "service_time: 20, "
     "think_time: 5}",
     "", as_yaml},
    {"batch", "",
     "{mode: batch, pattern: transpose, outstanding: 2, requests: 50, message_length: 5, reply_length: 0}",
     "", as_yaml},
    {"classes", "",
     "{classes: [{name: request, virtual_channels: 0-1, priority: 3, weight: 2}, {name: reply, "
     "virtual_channels: own}, {name: other, virtual_channels: shared, weight: 9}], class_dependencies: "
     "request "
     "-> reply, starvation_limit: 20, class: other, flows: [{pattern: uniform, load: .1, class: request}, "
     "{from: "
     "0, to: 5, rate: .1, class: reply}, {from: 3, to: [1, 2], rate: .05}]}",
     "", as_yaml, "", "", "{preset: iq, virtual_channels: 6, arbitration: strict}"},
    {"classes behind output buffers", "",
     "{classes: [{name: a, virtual_channels: own, weight: 7}, {name: b, virtual_channels: own}], flows: "
     "[{pattern: uniform, load: .2, class: a}, {pattern: transpose, load: .2, class: b}]}",
     "", as_yaml, "", "", "{preset: sbrp, arbitration: weighted}"},
    {"classes of a trace", "t.csv",
     "{classes: [{name: request}, {name: reply}, {name: late}], class: late, trace: FILE}", kTrace, as_table},
    {"classes of a graph", "g.yaml",
     "{classes: [{name: x}, {name: y}], class: x, task_graph: FILE, iterations: 2}",
     "tasks: [a, b, c]\nedges:\n  - {from: a, to: b, bytes: 30, class: y}\n  - {from: b, to: c, bytes: 8, "
     "name: "
     "last}\nmapping: {a: 0, b: [1, 0], c: router_1_1}\n",
     as_yaml},
    {"classes of collectives", "",
     "{classes: [{name: all-reduce, virtual_channels: 0-2}, {name: flow, virtual_channels: own}], "
     "collectives: "
     "[{collective: all-reduce, bytes: 256, group: [0, 1, 2, 3]}], flows: [{pattern: uniform, load: .1, "
     "class: "
     "flow, start: 100}]}",
     "", as_yaml},
    {"matrices of flows", "m.csv",
     "{flows: [{matrix: FILE, class: a, start: 20}, {matrix: OTHER, bytes: 8}]}", kMatrix, as_table, "o.csv",
     kMatrix},
};

void replace(std::string& text, const std::string& word, const std::string& by) {
  if (const std::size_t at = text.find(word); at != text.npos) text.replace(at, word.size(), by);
}

class HostileWorkloads : public HostileInput, public testing::WithParamInterface<Format> {};

TEST_P(HostileWorkloads, AreAcceptedAndRunOrRefused) {
  const Format& format = GetParam();
  const test::TemporaryFolder folder;
  const std::string file = folder / format.file;
  std::string traffic = format.traffic;
  replace(traffic, "FILE", file);
  if (*format.other) {
    replace(traffic, "OTHER", folder / format.other_file);
    test::write_file(folder / format.other_file, format.other);
  }
  const bool in_configuration = !*format.file;
  for (unsigned round = 0; round < kRounds; ++round) {
    TextMutator mutator(20261127 + round);
    const std::string good = in_configuration ? traffic : format.good;
    std::string damaged = format.damage(mutator, good);
    if (round == 0) damaged = good;
    if (!in_configuration) test::write_file(file, damaged);
    const std::string text = std::string("network: {size: [4, 4]}\nrouter: ") + format.router +
                             "\ntraffic: " + (in_configuration ? damaged : traffic) + "\n";
    std::optional<Configuration> configuration;
    const bool accepted = accepts(text + "--- " + damaged, {"c.yaml", file, folder / format.other_file}, [&] {
      configuration = parse_configuration(text, "c.yaml", {});
      validate(*configuration);
    });
    EXPECT_TRUE(accepted || round > 0) << "the undamaged one is refused";
    if (accepted && round % kRunEvery == 0) run(*configuration, text + "--- " + damaged);
  }
  EXPECT_GT(tried_ - accepted_, static_cast<int>(kRounds / 5));
  EXPECT_GE(accepted_, 3);
}

INSTANTIATE_TEST_SUITE_P(Formats, HostileWorkloads, testing::ValuesIn(kFormats), [](const auto& test) {
  std::string name = test.param.name;
  std::erase(name, ' ');
  return name;
});

// Thousands of names that nobody knows take no longer than one.
TEST_F(HostileInput, ManyUnknownNames) {
  const test::TemporaryFolder folder;
  const std::string file = folder / "g.yaml";
  std::string text = "tasks: [";
  constexpr unsigned kNames = 5000;
  for (unsigned i = 0; i < kNames; ++i)
    text += (i > 0 ? ", task_with_a_name_" : "task_with_a_name_") + std::to_string(i);
  text += "]\nedges:\n";
  for (unsigned i = 0; i < kNames; ++i)
    text +=
        "  - {from: task_with_another_name_" + std::to_string(i) + ", to: task_with_a_naem_1, bytes: 8}\n";
  test::write_file(file, text);
  accepts("many names", {"c.yaml", file}, [&] {
    const Configuration c =
        parse_configuration("network: {size: [4, 4]}\ntraffic: {task_graph: " + file + "}\n", "c.yaml", {});
    validate(c);
  });
  EXPECT_EQ(accepted_, 0);
}

}  // namespace
}  // namespace flitmend
