// SPDX-License-Identifier: Apache-2.0
// flitmend map: mappings of task graphs.
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <regex>
#include <sstream>

#include "analysis/task_mapping/link_loads.h"
#include "analysis/task_mapping/mapping_search.h"
#include "support/program_fixture.h"
#include "support/text_mutator.h"
#include "testbench/run_end.h"
#include "testbench/task_graphs/task_graph.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

const std::string kGraphFolder = FLITMEND_SOURCE_DIR "/examples/task-graphs/";

class Map : public ProgramFixture {
 protected:
  /// The number that the program printed after this text.
  double printed(const std::string& text) const {
    const std::size_t at = out_.find(text);
    return at == out_.npos ? -1 : std::atof(out_.c_str() + at + text.size());
  }
};

std::unique_ptr<Topology> grid(const std::string& topology, std::vector<std::int64_t> size) {
  NetworkSettings settings;
  settings.topology = topology;
  settings.size = std::move(size);
  return make_topology(settings);
}

// The best known costs of the published graphs, with the default seed and restarts.
TEST_F(Map, ReachesTheKnownCosts) {
  struct Case {
    const char* graph;
    std::vector<std::int64_t> size;
    double cost, random_mean;
  };
  for (const Case& c :
       {Case{"vopd-16", {4, 4}, 4119, 9918}, Case{"vopd-12", {4, 3}, 3856, 8204},
        Case{"vopd-12", {4, 4}, 3834, 9313}, Case{"mpeg4", {4, 3}, 3633, 8062},
        Case{"mpeg4", {4, 4}, 3567, 9262}, Case{"mwd", {4, 3}, 1184, 2614}, Case{"mwd", {4, 4}, 1184, 2977},
        Case{"mwd-b", {4, 3}, 1216, 2608}, Case{"mwd-b", {4, 4}, 1120, 2972}, Case{"pip", {4, 2}, 640, 1156},
        Case{"pip", {4, 4}, 640, 1540}}) {
    const std::string file = kGraphFolder + c.graph + ".yaml", out = folder_ / "mapping.yaml";
    const std::string size = std::to_string(c.size[0]) + "," + std::to_string(c.size[1]);
    ASSERT_EQ(start({"map", file, "--size", size, "-o", out}), 0) << err_;
    EXPECT_EQ(printed("cost         "), c.cost) << c.graph << ' ' << size;
    EXPECT_NEAR(printed("random       mean "), c.random_mean, .03 * c.random_mean) << c.graph << ' ' << size;
    // The file has that cost, counted again, and is a mapping that runs.
    const auto topology = grid("mesh", c.size);
    const TaskGraph graph = read_task_graph(file);
    const auto nodes = nodes_of_tasks(graph, read_task_mapping(out), out, *topology, {});
    double cost = 0;
    for (const TaskEdge& edge : graph.edges)
      for (unsigned d = 0; d < 2; ++d)
        cost += edge.weight * std::abs(static_cast<int>(topology->coordinate(nodes[edge.from], d)) -
                                       static_cast<int>(topology->coordinate(nodes[edge.to], d)));
    EXPECT_EQ(cost, c.cost) << c.graph << ' ' << size;
    EXPECT_EQ(run("network: {size: [" + size + "]}\ntraffic: {task_graph: " + file +
                  ", task_mapping: " + out + "}\n"),
              0)
        << err_;
  }
}

// The mappings that come with the graphs are those that the program finds.
TEST_F(Map, OfTheExamplesIsTheBest) {
  const auto topology = grid("mesh", {4, 4});
  for (const auto& [name, cost] :
       {std::pair("vopd-16", 4119.0), std::pair("vopd-12", 3834.0), std::pair("mpeg4", 3567.0),
        std::pair("mwd", 1184.0), std::pair("mwd-b", 1120.0), std::pair("pip", 640.0)}) {
    const TaskGraph graph = read_task_graph(kGraphFolder + name + ".yaml");
    MappingProblem problem{*topology, static_cast<std::uint32_t>(graph.tasks.size()), {}};
    for (const TaskEdge& edge : graph.edges) problem.traffic.push_back({edge.from, edge.to, edge.weight});
    EXPECT_EQ(mapping_cost(problem, nodes_of_tasks(graph, graph.mapping, graph.file, *topology, {})), cost)
        << name;
  }
}

// The graphs have the bandwidths of a separate collection, if FLITMEND_DATA names its folder.
TEST_F(Map, GraphsAreThoseOfTheCollection) {
  const char* const data = std::getenv("FLITMEND_DATA");
  if (!data || !std::filesystem::exists(std::string(data) + "/workloads/graphs"))
    GTEST_SKIP() << "needs workloads/graphs in the folder that FLITMEND_DATA names";
  for (const char* const name : {"vopd-16", "vopd-12", "mpeg4", "mwd", "mwd-b", "pip"}) {
    std::vector<std::string> expected, found;
    std::istringstream lines(read_file(std::string(data) + "/workloads/graphs/" + name + ".csv"));
    for (std::string line; std::getline(lines, line);)
      if (!line.starts_with('#') && !line.starts_with("from")) expected.push_back(line);
    const TaskGraph graph = read_task_graph(kGraphFolder + name + ".yaml");
    for (const TaskEdge& edge : graph.edges) {
      std::ostringstream line;
      line << graph.tasks[edge.from].name << ',' << graph.tasks[edge.to].name << ',' << edge.weight << ','
           << edge.tokens;
      found.push_back(line.str());
    }
    EXPECT_EQ(found, expected) << name;
  }
}

TEST_F(Map, OfTheStudyIsOfTheSameGraph) {
  EXPECT_EQ(read_file(FLITMEND_SOURCE_DIR "/studies/vopd/graph.yaml"),
            read_file(kGraphFolder + "vopd-16.yaml"));
}

// Small enough to try every mapping.
TEST_F(Map, FindsTheBestOfAllMappings) {
  const std::unique_ptr<Topology> networks[] = {grid("mesh", {3, 2}), grid("torus", {6})};
  for (const auto& topology : networks)
    for (std::uint32_t round = 0; round < 8; ++round) {
      RandomStream random(5, RandomPurpose::test, round);
      MappingProblem problem{*topology, 4 + round % 3, {}};
      for (int i = 0; i < 9; ++i)
        problem.traffic.push_back(
            {random.below(problem.tasks), random.below(problem.tasks), 1.0 + random.below(90)});
      TaskPlaces places(6);
      std::iota(places.begin(), places.end(), NodeId{0});
      double best = 1e9;
      do best = std::min(best, mapping_cost(problem, places));
      while (std::next_permutation(places.begin(), places.end()));
      const MappingResults found = search_mapping(problem, {.seed = round});
      EXPECT_EQ(found.cost, best) << topology->description() << ", round " << round;
      EXPECT_EQ(mapping_cost(problem, found.best), found.cost);
      EXPECT_GE(found.random_best, best);
    }
}

TEST_F(Map, IsTheSameEveryTime) {
  const std::vector<std::string> words = {"map",        kGraphFolder + "vopd-16.yaml",
                                          "--topology", "torus",
                                          "--size",     "4,4",
                                          "--restarts", "5",
                                          "--seed",     "9"};
  ASSERT_EQ(start(words), 0) << err_;
  const std::string first = out_;
  ASSERT_EQ(start(words), 0) << err_;
  EXPECT_EQ(out_, first);
  EXPECT_EQ(start({"map", kGraphFolder + "vopd-16.yaml", "--size", "4,4", "--restarts", "0", "--seed", "1"}),
            0);
  EXPECT_NE(out_.find("a random mapping"), out_.npos) << out_;
  const std::string random = out_;
  EXPECT_EQ(start({"map", kGraphFolder + "vopd-16.yaml", "--size", "4,4", "--restarts", "0", "--seed", "2"}),
            0);
  EXPECT_NE(out_, random);
}

// Where every route is as long as the distance, the loads of all links add up to the cost.
TEST_F(Map, WorksOnOtherNetworks) {
  const std::string graph = kGraphFolder + "pip.yaml";
  const std::vector<std::string> networks[] = {
      {"--size", "5,3"},
      {"--topology", "torus", "--size", "3,3,3"},
      {"--topology", "torus", "--size", "9"},
      {"--topology", "hypercube", "--set", "network.dimensions=4"},
      {"--topology", "kns", "--set", "network.k=4", "--set", "network.n=2"},
      {"--size", "4,4", "--set", "routing.algorithm=duato", "--set", "router.virtual_channels=4"},
      {FLITMEND_SOURCE_DIR "/examples/kns-fat-tree.yaml"},
      {FLITMEND_SOURCE_DIR "/examples/chiplets.yaml"},
      {FLITMEND_SOURCE_DIR "/examples/ring.yaml"}};
  for (const auto& network : networks) {
    std::vector<std::string> words = {"map", graph};
    words.insert(words.end(), network.begin(), network.end());
    ASSERT_EQ(start(words), 0) << network.back() << err_;
    std::smatch found;
    ASSERT_TRUE(std::regex_search(out_, found, std::regex("mean ([0-9.]+) over ([0-9]+) channels"))) << out_;
    const double sum = std::stod(found[1]) * std::stod(found[2]);
    const double rounding = .001 * std::stod(found[2]) + 1e-6, cost = printed("cost         ");
    EXPECT_GE(sum, cost - rounding) << network.back() << '\n' << out_;
    const bool minimal = network.back().find("chiplets") == std::string::npos;
    if (minimal) {
      EXPECT_NEAR(sum, cost, rounding) << network.back() << '\n' << out_;
    }
    EXPECT_LT(printed("cost         "), printed("random       mean ")) << network.back();
  }
}

// Dimension order on a mesh: the busiest link, counted along the routes.
TEST_F(Map, NamesTheBusiestLink) {
  const std::string graph = folder_.write("g.yaml",
                                          "tasks: [a, b, c]\nedges: [{from: a, to: c, bytes: 10}, {from: b, "
                                          "to: c, bytes: 20, messages: 2}, {from: c, to: "
                                          "a, bytes: 7, tokens: 1}]\n");
  ASSERT_EQ(start({"map", graph, "--size", "3"}), 0) << err_;
  // Of a, b and c in a line, the best has c in the middle: b sends 40 to it.
  EXPECT_EQ(printed("cost         "), 10 + 40 + 7);
  EXPECT_EQ(printed("at most "), 40) << out_;
}

TEST_F(Map, RefusesWithPlaceAndRemedy) {
  const std::string graph = kGraphFolder + "vopd-16.yaml";
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"map", graph, "--size", "3,3"},
       "16 tasks are more than the 9 nodes of the 3x3 mesh; choose a larger network"},
      {{"map", graph, "--topology", "mash"}, "--topology: network.topology: unknown network topology 'mash'"},
      {{"map", graph, "--size", "4,x"}, "--size: network.size"},
      {{"map", graph, "--set", "routing.algorithm=e-cube"}, "--set #1: routing.algorithm: unknown"},
      {{"map", graph, "--restarts", "-1"}, "--restarts"},
      {{"map", folder_ / "none.yaml"}, "No such file"},
      {{"map", graph, "--set", "faults.static_nodes=[0]"},
       "takes every node and link as healthy; remove section faults"},
      {{"map", graph, "-o", folder_ / "none/m.yaml"}, "cannot write there; name another file"},
      {{"map", FLITMEND_SOURCE_DIR "/examples/mesh.yaml"}, "unknown key"},
      {{"map", folder_.write("g.yaml", "tasks: [a, b]\nedges: [{from: a, to: b, bytes: 8}]\n"), "-o",
        folder_ / "g.yaml"},
       "would overwrite"}};
  for (const auto& [words, error] : cases) {
    EXPECT_EQ(start(words), to_int(ExitStatus::bad_usage)) << error;
    EXPECT_NE(err_.find(error), err_.npos) << err_;
  }
  const std::string good =
      "period_us: 2\ntasks: [a, b, c]\nedges:\n  - {from: a, to: b, bandwidth: 30}\n  - {from: b, to: c, "
      "bytes: 8}\n";
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    folder_.write("g.yaml", test::TextMutator(seed).mutate(good));
    const int status = start({"map", folder_ / "g.yaml", "--size", "2,2", "--restarts", "2"});
    EXPECT_TRUE(status == 0 || status == to_int(ExitStatus::bad_usage)) << seed << ' ' << err_;
  }
}

}  // namespace
}  // namespace flitmend
