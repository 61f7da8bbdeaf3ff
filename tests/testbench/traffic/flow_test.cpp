// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/flow.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/text.h"
#include "support/files.h"
#include "support/text_mutator.h"
#include "testbench/configuration/loader.h"
#include "testbench/traffic/permutation.h"
#include "topologies/registry.h"
#include "traces/messages/trace_reader.h"

namespace flitmend {
namespace {

class FlowTest : public testing::Test {
 protected:
  /// The flows of a configuration; its parts live as long as this.
  const FlowTraffic& flows(const std::string& network, const std::string& traffic) {
    configuration = parse_configuration(
        "network: " + network + "\nrouter: {preset: iq}\ntraffic: " + traffic + "\n", "c.yaml", {});
    topology = make_topology(configuration.network);
    made = std::make_unique<FlowTraffic>(configuration, *topology,
                                         HardwareParameters::from(configuration.hardware));
    return *made;
  }
  /// Flits per cycle on each channel by (router, port), over the shortest paths with the lowest ports.
  using Loads = std::map<std::pair<RouterId, PortId>, double>;
  void add_path(Loads& loads, NodeId from, NodeId to, double load) {
    const std::vector<unsigned>& distance = distances(to);
    for (RouterId at = from; at != to;) {
      PortId port = 0;
      while (!topology->neighbour(at, port) ||
             distance[topology->neighbour(at, port)->router] >= distance[at])
        ++port;
      loads[{at, port}] += load;
      at = topology->neighbour(at, port)->router;
    }
  }
  /// Of all routers to a node, switches included.
  const std::vector<unsigned>& distances(NodeId to) {
    std::vector<unsigned>& distance = distances_to[to];
    if (!distance.empty()) return distance;
    distance.assign(topology->router_count(), ~0u);
    distance[to] = 0;
    std::vector<RouterId> reached = {to};
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (PortId port = 0; port < topology->port_count(reached[i]); ++port)
        if (const auto next = topology->neighbour(reached[i], port); next && distance[next->router] == ~0u) {
          distance[next->router] = distance[reached[i]] + 1;
          reached.push_back(next->router);
        }
    return distance;
  }

  test::TemporaryFolder folder;
  Configuration configuration;
  std::unique_ptr<Topology> topology;
  std::unique_ptr<FlowTraffic> made;
  std::map<NodeId, std::vector<unsigned>> distances_to;
};

/// A ring of seven nodes with two chords.
constexpr const char* kChordedRing =
    "{topology: file, graph: \"<graphml><graph><node id='a'/><node id='b'/><node id='c'/><node id='d'/><node "
    "id='e'/><node id='f'/><node id='g'/><edge source='a' target='b'/><edge source='b' target='c'/><edge "
    "source='c' target='d'/><edge source='d' target='e'/><edge source='e' target='f'/><edge source='f' "
    "target='g'/><edge source='g' target='a'/><edge source='a' target='d'/><edge source='c' target='f'/>"
    "</graph></graphml>\"}";

TEST_F(FlowTest, AMatrixLikeAPatternLoadsTheChannelsAsThePatternDoes) {
  constexpr double kLoad = 0.15, kLength = 5;
  constexpr unsigned kDraws = 4000, kCycles = 40000;
  unsigned compared = 0;
  for (const char* const network :
       {"{topology: mesh, size: [4, 4]}", "{topology: mesh, size: [3, 5]}", "{topology: torus, size: [4, 4]}",
        "{topology: torus, size: [5, 3]}", "{topology: hypercube, dimensions: 4}",
        "{topology: kns, k: 4, n: 2}", "{topology: kns, k: 3, n: 2}",
        "{topology: kns, k: 4, n: 2, subnetwork: fat-tree, arity: 2}", kChordedRing}) {
    distances_to.clear();
    topology =
        make_topology(parse_configuration(std::string("network: ") + network + "\n", "c.yaml", {}).network);
    const NodeId nodes = topology->node_count();
    const Participants all(nodes);
    for (const PatternEntry& entry : traffic_patterns().entries()) {
      if ((entry.applies_to && !entry.applies_to(*topology)) || entry.name == "permutation") continue;
      TrafficSettings settings;
      std::unique_ptr<DestinationPattern> pattern;
      try {
        pattern = make_pattern(entry, {*topology, settings, all});
      } catch (const ConfigurationError&) {
        continue;  // every node would be its own partner
      }
      std::vector<double> rates(std::size_t{nodes} * nodes);
      for (NodeId source = 0; source < nodes; ++source) {
        RandomStream random(1, RandomPurpose::test, source);
        for (unsigned draw = 0; draw < kDraws && pattern->sends(source); ++draw)
          rates[std::size_t{source} * nodes + pattern->destination(source, random)] += kLoad / kDraws;
      }
      std::string file;
      Loads expected;
      for (NodeId source = 0; source < nodes; ++source)
        for (NodeId to = 0; to < nodes; ++to) {
          const double rate = rates[std::size_t{source} * nodes + to];
          file += number_text(rate) + (to + 1 < nodes ? "," : "\n");
          if (rate > 0) add_path(expected, source, to, rate);
        }
      test::write_file(folder / "m.csv", file);
      const FlowTraffic& traffic = flows(network, "{matrix: " + (folder / "m.csv") + "}");
      Loads found;
      for (NodeId source = 0; source < nodes; ++source)
        for (const auto messages = traffic.source(source, 7); messages->next_arrival() < kCycles;) {
          const NewMessage message = messages->take();
          ASSERT_NE(message.destination, source);
          add_path(found, source, message.destination, kLength / kCycles);
        }
      ASSERT_EQ(found.size(), expected.size()) << network << ", " << entry.name;
      for (const auto& [channel, load] : expected)
        EXPECT_NEAR(found[channel], load, 5 * std::sqrt(load * kLength / kCycles))
            << network << ", " << entry.name;
      ++compared;
    }
  }
  EXPECT_GE(compared, 50u);
}

TEST_F(FlowTest, DestinationsOfAListShareTheRate) {
  const FlowTraffic& traffic =
      flows("{size: [4, 4]}", "{flows: [{from: all, to: \"2;3;5\", rate: .3, length: 1}]}");
  std::map<NodeId, unsigned> count;
  for (const auto messages = traffic.source(3, 1); messages->next_arrival() < 20000;)
    ++count[messages->take().destination];
  ASSERT_EQ(count.size(), 2u) << "node 3 does not send to itself";
  EXPECT_NEAR(count[2], 3000, 220);
  EXPECT_NEAR(count[5], 3000, 220);
}

TEST_F(FlowTest, NamesOfTheAddressMapAreNodes) {
  configuration = parse_configuration(
      "network: {size: [4, 4]}\ntlm: {address_map: [{name: ram, first: 0, last: 0xfff, node: [3, 1]}, {name: "
      "both, "
      "first: 0x1000, last: 0x1fff, nodes: [0, 1], interleave: 64}]}\n"
      "traffic: {flows: [{from: ram, to: router_0_2, rate: .1}]}\n",
      "c.yaml", {});
  topology = make_topology(configuration.network);
  const HardwareParameters hardware = HardwareParameters::from(configuration.hardware);
  const FlowTraffic traffic(configuration, *topology, hardware);
  EXPECT_EQ(traffic.flows().front()->rate(7), .1);
  EXPECT_EQ(traffic.source(7, 1)->take().destination, 8u);
  configuration.traffic.options.set(
      "flows",
      FlowList{.file = {}, .listed = {{{.fields = {{"from", "both"}, {"to", "2"}, {"rate", ".1"}}}}}});
  EXPECT_NE(test::message_of<ConfigurationError>([&] {
              FlowTraffic(configuration, *topology, hardware);
            }).find("'both' of the address map has 2 nodes; name one of them"),
            std::string::npos);
}

// A node that sends once in ten billion periods does not look at each of them.
TEST_F(FlowTest, ANoximTableWithShortWindowsAndTinyRatesIsQuick) {
  test::write_file(folder / "t.txt", "0 1 1e-12 1e-12 0 2 4\n2 3 1e-4 0 0 2 4\n2 1 1e-4 0 1 4 4\n");
  const std::string network = "{size: [2, 2]}", table = "{noxim_table: " + (folder / "t.txt") + "}";
  const FlowTraffic& traffic = flows(network, table + "\nsimulation: {measure: 9000000000000000}");
  double cycles = 0;
  constexpr unsigned kNodes = 300;
  for (unsigned seed = 0; seed < kNodes; ++seed) {
    const Cycle next = traffic.source(0, seed)->next_arrival();
    ASSERT_NE(next, kNever);
    EXPECT_EQ(next % 4, 1u);
    cycles += static_cast<double>(next);
  }
  EXPECT_NEAR(cycles / kNodes, 4e12, 4 * 4e12 / std::sqrt(kNodes));
  // Cycles 1, 2 and 3 of four have the same probability.
  std::map<std::pair<Cycle, NodeId>, unsigned> count;
  const auto messages = traffic.source(2, 1);
  for (unsigned i = 0; i < 3000; ++i) {
    const Cycle phase = messages->next_arrival() % 4;
    ++count[{phase, messages->take().destination}];
  }
  ASSERT_EQ(count.size(), 3u);
  for (const auto& [what, times] : count) EXPECT_NEAR(times, 1000, 110) << what.first;
  EXPECT_NEAR(static_cast<double>(messages->next_arrival()) / 3001, 4e4 / 3, 4 * 4e4 / 3 / std::sqrt(3000));
}

// Each is read, or refused with a line of it or, if only a sum is wrong, with the node.
TEST_F(FlowTest, DamagedFilesAreReadOrRefused) {
  const std::string flow_file =
      "from,to,rate,length,class,process,start,stop,name,target_p99\n0,1,.1,5,a,poisson,0,100,x,50\n"
      "2;3,all,.02,2,b,,,,\"y, z\",\nrouter_1_1,2,1e-3\n";
  const std::string matrix = "0,.1,0,.2\n.1,0,0,0\n0,0,0,.3\n.2,.2,.2,0\n";
  const std::string table = "% table\n0 1 0.02\n2 3 0.01 0.05 100 5000 10000\n1 2\n";
  const std::string trace =
      "cycle,source,destination,bytes,class,id,after,delay\n0,0,1,8,request,1,,\n0,1,0,72,reply,2,1,20\n"
      "5,2,3,0,,3,1;2,\n";
  const std::pair<const char*, std::string> cases[] = {
      {"flows", flow_file}, {"matrix", matrix}, {"noxim_table", table}, {"trace", trace}};
  test::TextMutator mutator(5);
  for (const auto& [key, good] : cases) {
    const std::string network = "{size: [2, 2]}", file = folder / std::string(key) + ".csv";
    unsigned refused = 0;
    for (unsigned round = 0; round < 800; ++round) {
      test::write_file(file, round == 0 ? good : mutator.mutate_table(good));
      try {
        if (std::string_view(key) == "trace")
          scan_trace(
              file,
              [](std::string_view text, const Place& place) -> NodeId {
                if (text.size() != 1 || text[0] < '0' || text[0] > '3')
                  throw ConfigurationError(place, "no such node; mend it");
                return static_cast<NodeId>(text[0] - '0');
              },
              8);
        else
          for (NodeId node = 0; node < 4; ++node)
            flows(network, "{" + std::string(key) + ": " + file + "}").source(node, round)->next_arrival();
      } catch (const KeyError& error) {
        EXPECT_NE(std::string(error.what()).find("add up to"), std::string::npos) << error.what();
      } catch (const ConfigurationError& error) {
        ++refused;
        EXPECT_NE(round, 0u) << error.what();
        const std::string what = error.what();
        EXPECT_TRUE(error.place() && what.find(std::string(key) + ".csv:") != what.npos) << what;
        EXPECT_TRUE(what.find("; ") != what.npos || what.find("(did you mean") != what.npos) << what;
      }
    }
    EXPECT_GT(refused, 150u) << key;
    EXPECT_LT(refused, 790u) << key;
  }
}

}  // namespace
}  // namespace flitmend
