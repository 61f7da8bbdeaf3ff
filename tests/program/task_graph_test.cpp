// SPDX-License-Identifier: Apache-2.0
// traffic.task_graph: tasks that compute and send.
#include <algorithm>
#include <map>

#include "base/random_stream.h"
#include "support/program_fixture.h"
#include "support/text_mutator.h"
#include "testbench/run_end.h"
#include "testbench/task_graphs/task_graph.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

const std::string kGraphs = FLITMEND_SOURCE_DIR "/examples/task-graphs/";
constexpr const char* kPublished[] = {"vopd-16", "vopd-12", "mpeg4", "mwd", "mwd-b", "pip"};

/// The cycles that one iteration occupies parts of the network, worked out without it: every flit moves on
/// at once. A message of P flits over h hops arrives 5h + 6 + P cycles after its creation (preset iq); the
/// messages of a node leave back to back.
class IdealExecution {
 public:
  IdealExecution(const TaskGraph& graph, const std::vector<NodeId>& nodes, const Topology& topology)
      : graph_(graph), nodes_(nodes), topology_(topology), fires_(graph.tasks.size(), kUnknown) {
    for (TaskId task = 0; task < graph.tasks.size(); ++task) last = std::max(last, fire(task));
    for (auto& [part, times] : busy_) {
      std::ranges::sort(times);
      for (std::size_t i = 1; i < times.size(); ++i)
        contention |= times[i].source != times[i - 1].source && times[i].first <= times[i - 1].last + 2;
    }
  }
  bool contention = false;
  std::uint64_t last = 0;  ///< cycle

 private:
  static constexpr std::uint64_t kUnknown = ~std::uint64_t{0};
  /// Cycles in which messages of a node use a channel; those of one node follow each other.
  struct Use {
    std::uint64_t first, last;
    NodeId source;
    auto operator<=>(const Use&) const = default;
  };

  /// The last cycle of its firing and of the messages that it sends.
  std::uint64_t fire(TaskId task) {
    if (fires_[task] != kUnknown) return 0;
    std::uint64_t start = 0, end = 0;
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
      const TaskEdge& edge = graph_.edges[e];
      if (edge.to != task || edge.tokens > 0) continue;
      end = std::max(end, fire(edge.from));
      start = std::max(start, arrivals_.at(e) + 1);
    }
    fires_[task] = start;
    std::uint64_t leaves = start + graph_.tasks[task].cycles;
    end = std::max(end, leaves - (leaves > 0));
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
      const TaskEdge& edge = graph_.edges[e];
      if (edge.from != task) continue;
      const std::uint64_t flits = 2 + (edge.bytes + 7) / 8;
      arrivals_[e] = leaves + travel(nodes_[edge.from], nodes_[edge.to], flits, leaves);
      end = std::max(end, arrivals_[e]);
      leaves += flits;
    }
    return end;
  }
  /// Latency of a message that follows dimension order on a mesh.
  std::uint64_t travel(NodeId from, NodeId to, std::uint64_t flits, std::uint64_t leaves) {
    std::uint64_t hops = 0;
    NodeId here = from;
    for (unsigned d = 0, step = 1; d < topology_.dimensions(); step *= topology_.radix(d++))
      while (topology_.coordinate(here, d) != topology_.coordinate(to, d)) {
        const NodeId next =
            topology_.coordinate(here, d) < topology_.coordinate(to, d) ? here + step : here - step;
        busy_[{here, next}].push_back({leaves + 5 * hops, leaves + 5 * hops + flits, from});
        ++hops;
        here = next;
      }
    busy_[{to, to}].push_back({leaves + 5 * hops, leaves + 5 * hops + flits, from});
    return 5 * hops + 6 + flits;
  }

  const TaskGraph& graph_;
  const std::vector<NodeId>& nodes_;
  const Topology& topology_;
  std::vector<std::uint64_t> fires_;
  std::map<std::size_t, std::uint64_t> arrivals_;  ///< of edges
  std::map<std::pair<NodeId, NodeId>, std::vector<Use>> busy_;
};

class TaskGraphRuns : public ProgramFixture {
 protected:
  /// Statistics of a graph on a network.
  nlohmann::ordered_json execute(const std::string& graph, const std::string& network,
                                 const std::string& traffic = "", const std::string& more = "") {
    EXPECT_EQ(run("network: " + network + "\nrouter: {preset: iq}\ntraffic: {task_graph: " + graph + traffic +
                      "}\n" + more,
                  {"--out", folder_ / "o"}),
              0)
        << err_;
    return stats("o");
  }
  std::string graph(const std::string& text) { return folder_.write("graph.yaml", text); }
  /// A graph of the examples with other computation times, on these nodes.
  std::string staggered(TaskGraph& graph, const std::vector<NodeId>& nodes, RandomStream& random) {
    std::string text = "tasks:\n";
    for (Task& task : graph.tasks) {
      task.cycles = random.below(8000);
      text += "  - {name: " + task.name + ", cycles: " + std::to_string(task.cycles) + "}\n";
    }
    text += "edges:\n";
    for (const TaskEdge& edge : graph.edges)
      text += "  - {from: " + graph.tasks[edge.from].name + ", to: " + graph.tasks[edge.to].name +
              ", bytes: " + std::to_string(edge.bytes) + ", tokens: " + std::to_string(edge.tokens) + "}\n";
    return text + task_mapping_text(graph, nodes, "");
  }
};

// The longest path of computation and latency, one message after the other: on meshes of several sizes, each
// graph with placements and computation times for which no two messages meet.
TEST_F(TaskGraphRuns, EndWhenTheLongestPathEnds) {
  struct Mesh {
    const char* size;
    std::vector<std::int64_t> radices;
  };
  for (const char* const name : kPublished)
    for (const Mesh& size : {Mesh{"[4, 4]", {4, 4}}, Mesh{"[7, 3]", {7, 3}}, Mesh{"[3, 2, 3]", {3, 2, 3}}}) {
      NetworkSettings settings;
      settings.size = size.radices;
      const auto topology = make_topology(settings);
      TaskGraph graph = read_task_graph(kGraphs + name + ".yaml");
      RandomStream random(7, RandomPurpose::test, topology->node_count());
      unsigned compared = 0;
      for (unsigned tries = 0; compared < 2 && tries < 20000; ++tries) {
        std::vector<NodeId> all(topology->node_count());
        for (NodeId node = 0; node < all.size(); ++node) all[node] = node;
        for (std::uint32_t i = 0; i + 1 < all.size(); ++i)
          std::swap(all[i], all[i + random.below(static_cast<std::uint32_t>(all.size()) - i)]);
        all.resize(graph.tasks.size());
        const std::string text = staggered(graph, all, random);
        const IdealExecution ideal(graph, all, *topology);
        if (ideal.contention) continue;
        ++compared;
        const auto results = execute(this->graph(text), "{size: " + std::string(size.size) + "}");
        EXPECT_EQ(results["task_graph"]["makespan"], ideal.last) << name << " on " << size.size;
        EXPECT_EQ(results["task_graph"]["complete"], 1);
      }
      EXPECT_EQ(compared, 2u) << name << " on " << size.size << ": no placement without contention";
    }
}

// Two messages meet at the ejection of mem: the order of the edges of one task decides which comes first.
TEST_F(TaskGraphRuns, SendInTheOrderOfTheFile) {
  const auto makespan = [&](const std::string& first, const std::string& second) {
    const std::string text =
        "tasks: [hs, a, b, jug2, vs, jug1, mem, disp]\nedges:\n  - {from: a, to: " + first +
        ", bytes: 72}\n  - {from: a, to: " + second +
        ", bytes: 72}\n  - {from: hs, to: vs, bytes: 72}\n  - {from: vs, to: jug1, bytes: 72}\n  - {from: "
        "jug1, to: mem, bytes: 72}\n  - {from: b, to: jug2, bytes: 72}\n  - {from: jug2, to: mem, bytes: "
        "72}\n  - {from: mem, to: disp, bytes: 72}\nmapping: {hs: 0, a: 1, b: 2, jug2: 3, vs: 4, jug1: 5, "
        "mem: 6, disp: 7}\n";
    return execute(graph(text), "{size: [4, 2]}")["task_graph"]["makespan"];
  };
  EXPECT_EQ(makespan("b", "hs"), 125);
  EXPECT_EQ(makespan("hs", "b"), 118);
}

/// Flits of each channel of a mesh, from the routes of the edges.
std::map<std::pair<std::string, std::string>, std::uint64_t> mapped_flits(const TaskGraph& graph,
                                                                          const std::vector<NodeId>& nodes,
                                                                          const Topology& topology) {
  std::map<std::pair<std::string, std::string>, std::uint64_t> flits;
  for (const TaskEdge& edge : graph.edges) {
    NodeId here = nodes[edge.from];
    const NodeId to = nodes[edge.to];
    for (unsigned d = 0, step = 1; d < topology.dimensions(); step *= topology.radix(d++))
      while (topology.coordinate(here, d) != topology.coordinate(to, d)) {
        const NodeId next =
            topology.coordinate(here, d) < topology.coordinate(to, d) ? here + step : here - step;
        flits[{topology.router_name(here), topology.router_name(next)}] +=
            std::uint64_t{edge.messages} * (2 + (edge.bytes + 7) / 8);
        here = next;
      }
  }
  return flits;
}

// … also with one virtual channel, buffers of one flit and long links.
TEST_F(TaskGraphRuns, GiveEachLinkTheFlitsMappedOverIt) {
  NetworkSettings settings;
  settings.size = {4, 4};
  const auto topology = make_topology(settings);
  const std::string narrow = "link: {latency: 3}\n";
  for (const char* const name : kPublished)
    for (const std::string& more : {std::string(), narrow}) {
      const TaskGraph graph = read_task_graph(kGraphs + name + ".yaml");
      const auto nodes = nodes_of_tasks(graph, graph.mapping, graph.file, *topology, {});
      const std::string router = more.empty() ? "" : ", virtual_channels: 1, input_buffer: 1";
      ASSERT_EQ(run("network: {size: [4, 4]}\nrouter: {preset: iq" + router + "}\n" + more +
                        "traffic: {task_graph: " + graph.file +
                        ", iterations: 7, overlap: 3}\nstatistics: {channels: true, flows: true}\n",
                    {"--out", folder_ / "o"}),
                0)
          << err_;
      const auto results = stats("o");
      EXPECT_EQ(results["task_graph"]["complete"], 7);
      EXPECT_EQ(results["messages"]["delivered"], 7 * graph.edges.size());
      auto expected = mapped_flits(graph, nodes, *topology);
      for (const auto& channel : results["channels"]) {
        const std::string from = channel["from"], to = channel["to"];
        EXPECT_EQ(channel["flits"], (7 * expected[{from, to}])) << name << ", " << from << " to " << to;
      }
      ASSERT_EQ(results["flows"].size(), graph.edges.size());
      for (const auto& flow : results["flows"]) EXPECT_EQ(flow["delivered"], 7) << flow["name"];
    }
}

// A pair on neighbouring nodes, L = 5 + 6 + P with P = 3.
TEST_F(TaskGraphRuns, OverlapAsFarAsTokensAndTheLimitAllow) {
  const auto pair = [&](const std::string& back, const std::string& traffic) {
    return execute(graph("tasks: [{name: a, cycles: 40}, {name: b, cycles: 10}]\nedges:\n  - {from: a, to: "
                         "b, bytes: 8}\n" +
                         back + "mapping: {a: 0, b: 1}\n"),
                   "{size: [2]}", traffic)["task_graph"];
  };
  // Alone: a computes 40, b starts 14 + 1 cycles later and computes 10.
  EXPECT_EQ(pair("", "")["makespan"], 40 + 15 + 10 - 1);
  // The slowest task gives the pace.
  EXPECT_EQ(pair("", ", iterations: 11")["makespan"], 40 * 11 + 15 + 10 - 1);
  EXPECT_EQ(pair("", ", iterations: 11")["throughput"], 1.0 / 40);
  // With one iteration at a time, each takes as long as the first.
  EXPECT_EQ(pair("", ", iterations: 11, overlap: 1")["makespan"], 65 * 11 - 1);
  // A message back closes a cycle of 40 + 15 + 10 + 15 cycles for each token.
  const auto back = [](int tokens) {
    return "  - {from: b, to: a, bytes: 8, tokens: " + std::to_string(tokens) + "}\n";
  };
  EXPECT_EQ(pair(back(1), ", iterations: 11")["makespan"], 80 * 11 - 1);
  EXPECT_EQ(pair(back(1), ", iterations: 11")["throughput"], 1.0 / 80);
  EXPECT_EQ(pair(back(2), ", iterations: 11")["throughput"], 1.0 / 40);
  const auto tasks = pair(back(2), ", iterations: 11")["tasks"];
  EXPECT_EQ(tasks[0]["busy"], 440);
  EXPECT_EQ(tasks[1]["firings"], 11);
}

TEST_F(TaskGraphRuns, LetTasksOfANodeTakeTurns) {
  // Three tasks on a node: c is ready with a and b, and fires after them; d needs both messages of b.
  const auto results =
      execute(graph("tasks: [{name: a, cycles: 5}, {name: b, cycles: 7}, {name: c, cycles: 11}, d]\nedges:\n"
                    "  - {from: a, to: d, bytes: 8}\n  - {from: b, to: d, bytes: 8, messages: 2}\n  - {from: "
                    "c, to: d, bytes: 8}\nmapping: {a: 0, b: 0, c: 0, d: 1}\n"),
              "{size: [2]}", ", iterations: 2");
  // a and b end in 5 and 12, c in 23, then a, b and c again until 46; the last message takes 14.
  EXPECT_EQ(results["task_graph"]["makespan"], 46 + 14);
  EXPECT_EQ(results["messages"]["delivered"], 8);
  // Both tasks on one node: the message goes through the local port.
  EXPECT_EQ(execute(graph("tasks: [a, b]\nedges: [{from: a, to: b, bytes: 8}]\nmapping: {a: 1, b: 1}\n"),
                    "{size: [2]}")["task_graph"]["makespan"],
            6 + 3);
}

TEST_F(TaskGraphRuns, SayWhichTasksNeverEnd) {
  EXPECT_EQ(run("network: {size: [4, 4]}\nrouter: {preset: iq}\ntraffic: {task_graph: " + kGraphs +
                    "mwd.yaml, iterations: 50}\nfaults: {events: [{cycle: 300, node: 8, duration: "
                    "permanent}]}\nrecovery: {protocol: end-to-end}\n",
                {"--out", folder_ / "o", "--strict"}),
            to_int(ExitStatus::unfinished))
      << err_;
  const auto results = stats("o");
  EXPECT_EQ(results["status"]["outcome"], "incomplete");
  const std::string complete = std::to_string(results["task_graph"]["complete"].get<int>());
  EXPECT_TRUE(results["status"]["reason"].get<std::string>().starts_with(
      complete + " of 50 iterations are complete; iteration " + complete + ": 1 message of vs->jug1 is lost"))
      << results["status"];
  EXPECT_NE(err_.find("1 message of vs->jug1 is lost"), err_.npos) << err_;
  EXPECT_EQ(results["task_graph"]["makespan"], nullptr);
  EXPECT_LT(results["task_graph"]["complete"], 50);
  std::map<std::string, std::string> why;
  for (const auto& task : results["task_graph"]["tasks"]) why[task["name"]] = task["unfinished"];
  EXPECT_EQ(why.at("vs"), "its node has died");
  EXPECT_EQ(why.at("jug1"), "waits for vs->jug1");
  EXPECT_EQ(why.at("blend"), "waits for se->blend");
  EXPECT_NE(out_.find("unfinished: its node has died"), out_.npos) << out_;
  EXPECT_EQ(results["contract"]["holds"], true);
}

// The last iteration lacks a token that only the next one would use, so no task waits for it.
TEST_F(TaskGraphRuns, NameTheTokenOfTheNextIteration) {
  const std::string pair = graph(
      "tasks: [{name: a, cycles: 40}, {name: b, cycles: 10}]\nedges:\n  - {from: a, to: b, bytes: 8}\n  - "
      "{from: b, to: a, bytes: 8, tokens: 1}\nmapping: {a: 0, b: 1}\n");
  // An iteration has 80 cycles; in the third the message back leaves in cycle 225.
  EXPECT_EQ(run("network: {size: [2]}\nrouter: {preset: iq}\ntraffic: {task_graph: " + pair +
                    ", iterations: 3}\nfaults: {events: [{cycle: 228, link: [0, 1], duration: 12}]}\n",
                {"--out", folder_ / "o"}),
            to_int(ExitStatus::unfinished))
      << out_;
  const auto results = stats("o");
  EXPECT_EQ(results["task_graph"]["complete"], 2);
  for (const auto& task : results["task_graph"]["tasks"]) EXPECT_EQ(task["unfinished"], "");
  EXPECT_EQ(results["task_graph"]["missing"], "iteration 2: 1 message of b->a is lost");
  EXPECT_NE(err_.find("2 of 3 iterations are complete; iteration 2: 1 message of b->a is lost"), err_.npos)
      << err_;
}

// Protocols deliver again, late and out of order; each token counts once.
TEST_F(TaskGraphRuns, CompleteEveryIterationUnderTransientFaults) {
  unsigned hit = 0;
  for (const std::string protocol : {"end-to-end", "sbrp-0", "sbrp-1", "fcr", "utp"})
    for (const char* const seed : {"1", "2", "3"}) {
      ASSERT_EQ(run("network: {size: [4, 4]}\nrecovery: {protocol: " + protocol +
                        "}\nfaults: {link_rate: 2e-4, duration: 60}\nsimulation: {seed: " + seed +
                        "}\ntraffic: {task_graph: " + kGraphs + "vopd-16.yaml, iterations: 40, overlap: 8}\n",
                    {"--out", folder_ / "o"}),
                0)
          << protocol << ": " << err_;
      const auto results = stats("o");
      hit += results["messages"]["hit"].get<unsigned>();
      EXPECT_EQ(results["task_graph"]["complete"], 40) << protocol << ", seed " << seed;
      for (const auto& task : results["task_graph"]["tasks"]) EXPECT_EQ(task["firings"], 40) << protocol;
    }
  EXPECT_GT(hit, 30u);
}

TEST_F(TaskGraphRuns, AreRefusedWithPlaceAndRemedy) {
  const std::pair<const char*, const char*> cases[] = {
      {"tasks: [a, b]\nedges: [{from: a, to: c, bytes: 1}]\n", ":2:23: edges[0].to: there is no task 'c'"},
      {"tasks: [a, a]\nedges: [{from: a, to: a, bytes: 1}]\n", ":1:12: tasks[1]: there is another task 'a'"},
      {"tasks: [a, b]\nedges: [{from: a, to: b}]\n", ":2:9: edges[0]: give one of bytes and bandwidth"},
      {"tasks: [a, b]\nedges: [{from: a, to: b, bandwidth: 3}]\n", "give period_us"},
      {"tasks: [a, b]\nedges: [{from: a, to: b, bytes: -1}]\n", "edges[0].bytes: -1 is out of range"},
      {"tasks: [a, b]\nedges: [{from: a, to: b, bytes: 1, token: 1}]\n", "did you mean 'tokens'?"},
      {"edges: []\n", "tasks is missing; give it"},
      {"tasks: [a, b]\nedges: []\n", ":2:8: edges: the list is empty; give at least one"},
      {"tasks: [a, b, c]\nedges: [{from: a, to: b, bytes: 1}, {from: b, to: c, bytes: 1}, {from: c, to: b, "
       "bytes: 1}]\n",
       ":2:65: no edge of the cycle 'b -> c -> b' has a token"},
      {"tasks: [a, b]\nedges: [{from: a, to: b, bytes: 1}]\nmapping: {a: 0}\n",
       ":3:14: mapping: task 'b' has no node; give it one"},
      {"tasks: [a, b]\nedges: [{from: a, to: b, bytes: 1}]\n",
       ":1:9: mapping: task 'a' has no node; give it one"},
      {"tasks: [a, b]\nedges: [{from: a, to: b, bytes: 1}]\nmapping: {a: 0, b: 16}\n",
       ":3:20: there is no node 16"},
      {"tasks: [a, b]\nedges: [{from: a, to: b, bytes: 1}]\nmapping: {a: 0, b: 1, c: 2}\n",
       "mapping: the graph has no task 'c'"},
      {"tasks: [a, b]\nedges: [{from: a, to: b, bytes: 800000}]\nmapping: {a: 0, b: 1}\n",
       "traffic.task_graph: the messages of edge 'a->b' have 100002 flits"},
  };
  for (const auto& [text, error] : cases) {
    EXPECT_EQ(run("network: {size: [4, 4]}\ntraffic: {task_graph: " + graph(text) + "}\n"),
              to_int(ExitStatus::bad_usage))
        << text;
    EXPECT_NE(err_.find(error), err_.npos) << text << '\n' << err_;
  }
  for (const auto& [traffic, error] : {std::pair("load: .3", "traffic.load: 0.3 has no effect with"),
                                       std::pair("overlap: 0", "0 is out of range (1 to 1024)"),
                                       std::pair("task_mapping: none.yaml", "there is no file none.yaml")}) {
    EXPECT_EQ(
        run("network: {size: [4, 4]}\ntraffic: {task_graph: " + kGraphs + "mwd.yaml, " + traffic + "}\n"),
        to_int(ExitStatus::bad_usage));
    EXPECT_NE(err_.find(error), err_.npos) << err_;
  }
  EXPECT_EQ(run("network: {size: [4, 4]}\ntraffic: {task_graph: " + kGraphs +
                "mwd.yaml}\nsimulation: {measure: 77}\n"),
            to_int(ExitStatus::bad_usage));
}

// Damaged graphs and mappings are refused with a place, or run.
TEST_F(TaskGraphRuns, SurviveDamagedFiles) {
  const std::string good =
      "period_us: 2\ntasks: [{name: a, cycles: 4}, b, c]\nedges:\n  - {from: a, to: b, bandwidth: 30}\n  - "
      "{from: b, to: c, bytes: 8, messages: 2}\n  - {from: c, to: a, bytes: 8, tokens: 1}\n";
  const std::string places = "mapping: {a: 0, b: [1, 0], c: router_1_1}\n";
  unsigned refused = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    test::TextMutator mutator(seed);
    folder_.write("graph.yaml", seed % 2 ? good : mutator.mutate(good));
    folder_.write("map.yaml", seed % 2 ? mutator.mutate(places) : places);
    const int status =
        run("network: {size: [2, 2]}\nsimulation: {time_limit_seconds: 5}\ntraffic: {task_graph: "
            "graph.yaml, task_mapping: map.yaml, iterations: 3}\n");
    refused += status == to_int(ExitStatus::bad_usage);
    EXPECT_TRUE(status == 0 || status == to_int(ExitStatus::bad_usage) ||
                status == to_int(ExitStatus::unfinished))
        << "seed " << seed << ": " << status << ' ' << err_;
    const bool says_where = status != to_int(ExitStatus::bad_usage) || err_.find(".yaml") != err_.npos;
    EXPECT_TRUE(says_where) << err_;
  }
  EXPECT_GT(refused, 60u);
}

TEST_F(TaskGraphRuns, OfTheExampleComplete) {
  ASSERT_EQ(
      start({"run", FLITMEND_SOURCE_DIR "/examples/task-graph.yaml", "--quiet", "--out", folder_ / "o"}), 0)
      << err_;
  EXPECT_EQ(stats("o")["task_graph"]["complete"], 40);
}

}  // namespace
}  // namespace flitmend
