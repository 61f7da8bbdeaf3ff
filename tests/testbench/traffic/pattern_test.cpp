// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numeric>

#include "base/errors.h"
#include "contracts/every_pattern.h"
#include "support/files.h"
#include "support/statistics.h"
#include "testbench/traffic/node_names.h"
#include "testbench/traffic/pattern.h"
#include "testbench/traffic/permutation.h"
#include "topologies/hypercube.h"
#include "topologies/kns.h"
#include "topologies/mesh.h"
#include "topologies/torus.h"

namespace flitmend {
namespace {

std::vector<NodeId> composed(const std::vector<NodeId>& partner, unsigned times) {
  std::vector<NodeId> result(partner.size());
  std::iota(result.begin(), result.end(), 0u);
  for (unsigned i = 0; i < times; ++i)
    for (NodeId& node : result) node = partner[node];
  return result;
}

std::vector<NodeId> identity(NodeId nodes) {
  return composed(std::vector<NodeId>(nodes), 0);
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryPattern, testing::ValuesIn(traffic_patterns().entries()),
                         test_name<PatternEntry>);

TEST(Permutations, OfTheBitsOfANumber) {
  const Mesh mesh({8, 8});
  EXPECT_EQ(bit_reversal(mesh)[0b000001], 0b100000u);
  EXPECT_EQ(bit_reversal(mesh)[0b110100], 0b001011u);
  EXPECT_EQ(composed(bit_reversal(mesh), 2), identity(64));
  EXPECT_EQ(perfect_shuffle(mesh)[0b100110], 0b001101u);
  EXPECT_EQ(composed(perfect_shuffle(mesh), 6), identity(64));
  EXPECT_NE(composed(perfect_shuffle(mesh), 3), identity(64));
  EXPECT_EQ(butterfly(mesh)[0b100110], 0b000111u);
  EXPECT_EQ(butterfly(mesh)[0b100111], 0b100111u);
  EXPECT_EQ(composed(butterfly(mesh), 2), identity(64));
  const Mesh pair({2});
  EXPECT_EQ(butterfly(pair), identity(2));
}

TEST(Permutations, TransposeReversesTheDimensions) {
  const Mesh mesh({7, 7});
  for (NodeId y = 0; y < 7; ++y)
    for (NodeId x = 0; x < 7; ++x) EXPECT_EQ(transpose(mesh)[x + 7 * y], y + 7 * x);
  const Mesh box({4, 2, 4});
  EXPECT_EQ(transpose(box)[3 + 4 * 1 + 8 * 0], 0u + 4 * 1 + 8 * 3);
  const Kns kns(32, 2);
  EXPECT_EQ(transpose(kns)[5 + 32 * 9], 9u + 32 * 5);
}

TEST(Permutations, TransposeSwapsTheHalvesOfAHypercubeAddress) {
  const Hypercube cube5(5), cube4(4);
  EXPECT_EQ(transpose(cube5)[0b11100], 0b00111u);
  EXPECT_EQ(transpose(cube5)[0b11001], 0b01011u) << "not the bit reversal, 10011; the middle bit stays";
  EXPECT_EQ(transpose(cube4)[0b1101], 0b0111u);
}

TEST(Permutations, ComplementIsTheOppositeCorner) {
  for (const auto& size : std::vector<std::vector<std::uint32_t>>{{8, 8}, {5, 3}, {4, 2, 3}}) {
    const Mesh mesh(size);
    for (NodeId node = 0; node < mesh.node_count(); ++node)
      EXPECT_EQ(complement(mesh)[node], mesh.node_count() - 1 - node);
  }
  EXPECT_EQ(complement(Hypercube(6))[0b101100], 0b010011u);
}

TEST(Permutations, TornadoGoesJustUnderHalfwayAround) {
  const Torus even({8, 8}), odd({5, 5});
  EXPECT_EQ(tornado(even)[0], 3u + 8 * 3);
  EXPECT_EQ(tornado(even)[6 + 8 * 7], 1u + 8 * 2);
  EXPECT_EQ(tornado(odd)[4], 1u + 5 * 2);
  for (NodeId node = 0; node < 64; ++node) EXPECT_EQ(even.distance(node, tornado(even)[node]), 6u);
}

TEST(Permutations, NeighbourIsOneStepInEveryDimension) {
  const Torus torus({8, 8});
  EXPECT_EQ(neighbour(torus)[7 + 8 * 3], 0u + 8 * 4);
  EXPECT_EQ(neighbour(Mesh({4}))[3], 0u);
}

class PatternTest : public testing::Test {
 protected:
  std::unique_ptr<DestinationPattern> make(const Topology& topology, const std::vector<NodeId>& dead = {}) {
    participants = std::make_unique<Participants>(topology.node_count(), dead);
    return make_pattern({topology, settings, *participants});
  }
  std::string refusal(const Topology& topology, const std::vector<NodeId>& dead = {}) {
    return test::message_of<ConfigurationError>([&] { make(topology, dead); });
  }
  /// Number of times each node is drawn.
  static std::vector<std::uint64_t> draw(const DestinationPattern& pattern, NodeId source, NodeId nodes,
                                         int draws) {
    std::vector<std::uint64_t> counts(nodes);
    RandomStream random(5, RandomPurpose::destination, source);
    for (int i = 0; i < draws; ++i) ++counts[pattern.destination(source, random)];
    return counts;
  }
  TrafficSettings settings;
  std::unique_ptr<Participants> participants;
};

TEST_F(PatternTest, UniformLeavesOutTheNodeItself) {
  const Mesh mesh({4, 4});
  constexpr int kDraws = 150000;
  for (const bool include_self : {false, true}) {
    settings.options.set("include_self", include_self);
    const auto pattern = make(mesh);
    for (NodeId source : {0u, 7u, 15u}) {
      std::vector<double> expected(16, kDraws / (include_self ? 16.0 : 15.0));
      if (!include_self) expected[source] = 0;
      EXPECT_TRUE(pattern->sends(source));
      EXPECT_LT(test::chi_square_score(draw(*pattern, source, 16, kDraws), expected), 3.3) << source;
    }
  }
}

TEST_F(PatternTest, UniformLeavesOutDeadNodes) {
  const Mesh mesh({4, 4});
  const auto pattern = make(mesh, {0, 6, 15, 6});
  EXPECT_FALSE(pattern->sends(6));
  constexpr int kDraws = 120000;
  std::vector<double> expected(16, kDraws / 12.0);
  for (NodeId node : {0, 3, 6, 15}) expected[node] = 0;
  EXPECT_LT(test::chi_square_score(draw(*pattern, 3, 16, kDraws), expected), 3.3);
}

TEST_F(PatternTest, HotNodesGetTheirShareAndTheirPartOfTheRest) {
  const Mesh mesh({4, 4});
  settings.pattern = "hotspot";
  settings.options.set("hotspot_fraction", 0.3);
  settings.options.set("hotspot_nodes", std::vector<NodeName>{{{2}, true}, {{1, 3}, false}});
  const auto pattern = make(mesh);
  constexpr int kDraws = 200000;
  std::vector<double> expected(16, kDraws * 0.7 / 15);
  expected[5] = 0;
  expected[2] += kDraws * 0.15;
  expected[13] += kDraws * 0.15;
  EXPECT_LT(test::chi_square_score(draw(*pattern, 5, 16, kDraws), expected), 3.3);
  // A hot node sends its share to the other hot node.
  expected.assign(16, kDraws * 0.7 / 15);
  expected[2] = 0;
  expected[13] += kDraws * 0.3;
  EXPECT_LT(test::chi_square_score(draw(*pattern, 2, 16, kDraws), expected), 3.3);
  settings.options.set("include_self", true);
  expected.assign(16, kDraws * 0.7 / 16);
  expected[2] += kDraws * 0.15;
  expected[13] += kDraws * 0.15;
  EXPECT_LT(test::chi_square_score(draw(*make(mesh), 2, 16, kDraws), expected), 3.3);
}

TEST_F(PatternTest, TheOnlyHotNodeSendsUniformly) {
  const Mesh mesh({4, 4});
  settings.pattern = "hotspot";
  settings.options.set("hotspot_fraction", 1.0);
  const auto pattern = make(mesh);
  EXPECT_EQ(dynamic_cast<const HotspotPattern&>(*pattern).hot_nodes(), std::vector<NodeId>{10})
      << "the middle, (2, 2)";
  EXPECT_EQ(draw(*pattern, 3, 16, 100)[10], 100u);
  std::vector<double> expected(16, 1000);
  expected[10] = 0;
  EXPECT_LT(test::chi_square_score(draw(*pattern, 10, 16, 15000), expected), 3.3);
}

TEST_F(PatternTest, RefusesHotNodesThatCannotBe) {
  const Mesh mesh({4, 4});
  settings.pattern = "hotspot";
  settings.options.set("hotspot_nodes", std::vector<NodeName>{{{16}, true}});
  EXPECT_EQ(refusal(mesh),
            "traffic.hotspot_nodes: there is no node 16 in the 4x4 mesh; nodes are 0 to 15, or coordinates "
            "in its 2 "
            "dimensions");
  settings.options.set("hotspot_nodes", std::vector<NodeName>{{{1, 4}, false}});
  EXPECT_EQ(
      refusal(mesh),
      "traffic.hotspot_nodes: there is no node [1, 4] in the 4x4 mesh; nodes are 0 to 15, or coordinates in "
      "its 2 dimensions");
  settings.options.set("hotspot_nodes", std::vector<NodeName>{{{1, 1}, false}, {{5}, true}});
  EXPECT_EQ(refusal(mesh), "traffic.hotspot_nodes: node 5 is listed twice; list each hot node once");
  settings.options.set("hotspot_nodes", std::vector<NodeName>{{{5}, true}});
  EXPECT_EQ(refusal(mesh, {5}),
            "traffic.hotspot_nodes: every hot node is faulty from the start; list a healthy one");
}

TEST_F(PatternTest, NodesMappedToThemselvesOrToDeadNodesSendNothing) {
  const Mesh mesh({4, 4});
  settings.pattern = "transpose";
  const auto pattern = make(mesh, {4});
  for (NodeId node = 0; node < 16; ++node)
    EXPECT_EQ(pattern->sends(node), node % 5 != 0 && node != 4 && node != 1) << node;
}

TEST_F(PatternTest, RefusesNetworksThatDoNotFit) {
  const Mesh mesh({6, 5});
  settings.pattern = "shuffle";
  EXPECT_EQ(
      refusal(mesh),
      "traffic.pattern: shuffle needs 2^b nodes, which the 6x5 mesh does not have; choose another pattern or "
      "size");
  settings.pattern = "tornado";
  EXPECT_EQ(refusal(Hypercube(4)),
            "traffic.pattern: tornado needs a radix above 2, which the 4-dimensional hypercube does not "
            "have; choose "
            "another pattern or size");
  settings.pattern = "transpose";
  EXPECT_EQ(
      refusal(Mesh({5})),
      "traffic.pattern: transpose on the 5-node linear array leaves no node that sends: each is mapped to "
      "itself or to a faulty node; choose another pattern or a larger network");
  settings.pattern = "uniform";
  EXPECT_EQ(refusal(Mesh({2}), {1}),
            "traffic.pattern: uniform on the 2-node linear array leaves no node that sends: each is mapped "
            "to itself or to a faulty node; choose another pattern or a larger network");
  settings.pattern = "tornadoe";
  EXPECT_EQ(refusal(mesh), "unknown traffic pattern 'tornadoe' (did you mean 'tornado'?)");
}

class PermutationFile : public PatternTest {
 protected:
  PermutationFile() {
    settings.pattern = "permutation";
    settings.options.set("permutation_file", path);
  }
  std::string refusal_of(const std::string& text) {
    test::write_file(path, text);
    const std::string message = refusal(mesh);
    EXPECT_EQ(message.find(path), 0u) << message;
    return message.substr(path.size());
  }
  test::TemporaryFolder folder;
  const std::string path = folder / "pairs.txt";
  const Mesh mesh{{4, 4}};
};

TEST_F(PermutationFile, ReadsNumbersAndCoordinates) {
  test::write_file(path, "# pairs\n0 5\n\n  1,3 0,0   # by coordinates\n5\t1,3\n2 2\n");
  const auto pattern = make(mesh);
  RandomStream unused;
  EXPECT_EQ(pattern->destination(0, unused), 5u);
  EXPECT_EQ(pattern->destination(13, unused), 0u);
  EXPECT_EQ(pattern->destination(5, unused), 13u);
  for (NodeId node = 0; node < 16; ++node)
    EXPECT_EQ(pattern->sends(node), node == 0 || node == 13 || node == 5) << node;
}

// Some editors put a byte order mark before the text, or write UTF-16.
TEST_F(PermutationFile, ReadsUnicodeOrSaysWhy) {
  test::write_file(path,
                   "\xef\xbb\xbf"
                   "0 5\n");
  RandomStream unused;
  EXPECT_EQ(make(mesh)->destination(0, unused), 5u);
  EXPECT_EQ(refusal_of(std::string("\xff\xfe"
                                   "0\0 \0"
                                   "5\0\n\0",
                                   10)),
            ":1: the file is in UTF-16; save it as UTF-8");
}

TEST_F(PermutationFile, RefusesWhatIsNoPermutation) {
  EXPECT_EQ(refusal_of("0 1\n2 1\n"),
            ":2: node 1 receives already in line 1; in a permutation each node does so only once");
  EXPECT_EQ(refusal_of("# x\n3 1\n3 2\n"),
            ":3: node 3 sends already in line 2; in a permutation each node does so only once");
  EXPECT_EQ(refusal_of("0\n"), ":1: a line must be 'source destination'");
  EXPECT_EQ(refusal_of("0 1 2\n"), ":1: a line must be 'source destination'");
  for (const char* word : {"a", "1x", "1,", ",1", "1,,2", "0x3"})
    EXPECT_EQ(refusal_of(std::string("0 ") + word),
              std::string(":1: '") + word + "' is not a node; write a number, or coordinates like x,y");
  EXPECT_EQ(refusal_of("0 16\n"),
            ":1: there is no node 16 in the 4x4 mesh; nodes are 0 to 15, or coordinates in its 2 dimensions");
  EXPECT_EQ(refusal_of("0 -1\n"),
            ":1: there is no node -1 in the 4x4 mesh; nodes are 0 to 15, or coordinates in its 2 dimensions");
  EXPECT_EQ(refusal_of("0 1,2,0\n"),
            ":1: there is no node [1, 2, 0] in the 4x4 mesh; nodes are 0 to 15, or coordinates in its 2 "
            "dimensions");
}

TEST_F(PermutationFile, RefusesAFileThatIsNotThere) {
  EXPECT_EQ(refusal(mesh), "traffic.permutation_file: cannot read " + path +
                               ": No such file or directory; name another file");
  settings.options.set("permutation_file", "");
  EXPECT_EQ(refusal(mesh),
            "traffic.permutation_file: not set; pattern permutation needs a file with pairs of nodes");
  settings.options.set("permutation_file", folder / ".");
  EXPECT_NE(refusal(mesh).find("Is a directory; name another file"), std::string::npos);
  test::write_file(path, "# nobody\n");
  settings.options.set("permutation_file", path);
  EXPECT_NE(refusal(mesh).find("leaves no node that sends"), std::string::npos);
}

TEST(NodeNames, TheMiddleOfANetwork) {
  EXPECT_EQ(middle_node(Mesh({8, 8})), 4u + 8 * 4);
  EXPECT_EQ(middle_node(Mesh({5, 3})), 2u + 5 * 1);
  EXPECT_EQ(middle_node(Hypercube(3)), 7u);
  EXPECT_EQ(middle_node(Kns(32, 2)), 16u + 32 * 16);
}

}  // namespace
}  // namespace flitmend
