// SPDX-License-Identifier: Apache-2.0
#include "analysis/fault_rings/random_patterns.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "analysis/fault_rings/path_counts.h"
#include "analysis/fault_rings/pattern_survey.h"
#include "support/message_of.h"

namespace flitmend {
namespace {

using Node = MeshShape::Node;
using Nodes = std::vector<Node>;

Nodes faults_of(const FaultPattern& pattern) {
  Nodes nodes;
  for (Node node = 0; node < pattern.mesh().node_count(); ++node)
    if (pattern.faulty(node)) nodes.push_back(node);
  return nodes;
}

/// How often each pattern was drawn.
std::map<Nodes, unsigned> drawn(const RandomPatterns& patterns, unsigned draws) {
  std::map<Nodes, unsigned> found;
  RandomStream random(1, RandomPurpose::test);
  std::uint64_t rejected = 0;
  for (unsigned i = 0; i < draws; ++i) ++found[faults_of(patterns.draw(random, rejected))];
  return found;
}

/// All sets of `count` nodes that leave the mesh connected.
std::vector<Nodes> all_sets(const MeshShape& mesh, unsigned count) {
  std::vector<Nodes> sets;
  Nodes nodes;
  const auto add = [&](auto&& self, Node first) -> void {
    if (nodes.size() == count) {
      if (FaultPattern::leaves_connected(mesh, nodes)) sets.push_back(nodes);
      return;
    }
    for (Node node = first; node < mesh.node_count(); ++node) {
      nodes.push_back(node);
      self(self, node + 1);
      nodes.pop_back();
    }
  };
  add(add, 0);
  return sets;
}

/// Whether hops along axes join all of them.
bool joined_along_axes(const MeshShape& mesh, const Nodes& nodes) {
  std::set<Node> left(nodes.begin(), nodes.end());
  Nodes todo = {nodes.front()};
  left.erase(nodes.front());
  while (!todo.empty()) {
    const Node here = todo.back();
    todo.pop_back();
    for (const Node node : nodes) {
      unsigned distance = 0;
      for (unsigned i = 0; i < mesh.dimensions(); ++i) {
        const std::uint32_t a = mesh.coordinate(here, i), b = mesh.coordinate(node, i);
        distance += a < b ? b - a : a - b;
      }
      if (distance == 1 && left.erase(node)) todo.push_back(node);
    }
  }
  return left.empty();
}

std::set<Nodes> regions_of(const MeshShape& mesh, unsigned count, RegionShape shape) {
  std::set<Nodes> found;
  for (const Nodes& nodes : all_sets(mesh, count)) {
    const auto regions = FaultPattern::of_nodes(mesh, nodes).regions();
    if (regions.size() == 1 && regions[0].shape == shape && joined_along_axes(mesh, nodes))
      found.insert(nodes);
  }
  return found;
}

std::set<Nodes> keys(const std::map<Nodes, unsigned>& found) {
  std::set<Nodes> all;
  for (const auto& [nodes, count] : found) all.insert(nodes);
  return all;
}

void expect_uniform(const std::map<Nodes, unsigned>& found, double each) {
  for (const auto& [nodes, count] : found) EXPECT_NEAR(count, each, 5 * std::sqrt(each));
}

}  // namespace

TEST(RandomPatterns, DrawEveryBoxEquallyOften) {
  const MeshShape mesh({4, 3});
  const auto found = drawn(RandomPatterns(mesh, 2, PatternShape::block), 17 * 400);
  EXPECT_EQ(found.size(), 17u) << "nine boxes of 2x1, eight of 1x2";
  EXPECT_EQ(keys(found), regions_of(mesh, 2, RegionShape::block));
  expect_uniform(found, 400);
  // No box is as long as the mesh: four nodes are 2x2 only.
  EXPECT_EQ(drawn(RandomPatterns(mesh, 4, PatternShape::block), 600).size(), 6u);
}

TEST(RandomPatterns, DrawEverySetOfNodesEquallyOften) {
  const MeshShape mesh({3, 3});
  const std::vector<Nodes> sets = all_sets(mesh, 3);
  EXPECT_LT(sets.size(), 84u) << "some cut off a corner";
  const auto found =
      drawn(RandomPatterns(mesh, 3, PatternShape::any), static_cast<unsigned>(400 * sets.size()));
  EXPECT_EQ(keys(found), std::set<Nodes>(sets.begin(), sets.end()));
  expect_uniform(found, 400);
}

TEST(RandomPatterns, GrowEveryRegionOfTheShape) {
  for (const auto& [size, nodes, shape, region] :
       {std::tuple{std::vector<std::uint32_t>{4, 4}, 5u, PatternShape::concave, RegionShape::concave},
        {{5, 4}, 4u, PatternShape::orthogonally_convex, RegionShape::orthogonally_convex},
        {{3, 2, 3}, 5u, PatternShape::concave, RegionShape::concave},
        {{3, 3, 2}, 4u, PatternShape::orthogonally_convex, RegionShape::orthogonally_convex}}) {
    const MeshShape mesh(size);
    EXPECT_EQ(keys(drawn(RandomPatterns(mesh, nodes, shape), 10'000)), regions_of(mesh, nodes, region))
        << mesh.description();
  }
}

TEST(RandomPatterns, HaveSeparateRegionsOfOneShapeEach) {
  RandomStream random(1, RandomPurpose::test);
  std::uint64_t rejected = 0;
  for (const auto& [shape, region] : {std::pair{PatternShape::block, RegionShape::block},
                                      {PatternShape::orthogonally_convex, RegionShape::orthogonally_convex},
                                      {PatternShape::concave, RegionShape::concave}}) {
    const RandomPatterns patterns(MeshShape({12, 12}), 20, shape, 3);
    std::set<std::size_t> sizes;
    for (unsigned i = 0; i < 200; ++i) {
      const FaultPattern pattern = patterns.draw(random, rejected);
      EXPECT_EQ(pattern.fault_nodes(), 20u);
      const auto regions = pattern.regions();
      ASSERT_EQ(regions.size(), 3u);
      for (const FaultRegionShape& r : regions) {
        EXPECT_EQ(r.shape, region);
        sizes.insert(r.nodes.size());
      }
    }
    EXPECT_GT(sizes.size(), 4u) << "the nodes are divided at random";
  }
  EXPECT_GT(rejected, 0u);
}

TEST(RandomPatterns, RefusesWhatDoesNotExist) {
  const auto refusal = [](std::uint32_t nodes, PatternShape shape, std::uint32_t regions = 1) {
    return test::message_of([&] { RandomPatterns(MeshShape({4, 4}), nodes, shape, regions); });
  };
  EXPECT_EQ(refusal(0, PatternShape::any),
            "fault rings: 0 faulty nodes of shape any in 1 region of the 4x4 mesh: at least one node must be "
            "faulty");
  EXPECT_NE(refusal(16, PatternShape::any).find("at least one node must be healthy"), std::string::npos);
  EXPECT_NE(refusal(3, PatternShape::any, 2).find("do not give their number"), std::string::npos);
  EXPECT_NE(refusal(3, PatternShape::block, 0).find("at least one region is needed"), std::string::npos);
  EXPECT_NE(refusal(4, PatternShape::concave).find("each region needs at least 5 nodes"), std::string::npos);
  EXPECT_NE(refusal(5, PatternShape::orthogonally_convex, 2).find("at least 3 nodes"), std::string::npos);
  EXPECT_EQ(
      refusal(5, PatternShape::block),
      "fault rings: 5 faulty nodes of shape block in 1 region of the 4x4 mesh: no box of that many nodes is "
      "shorter than the mesh in every dimension; use another number, or more regions");
  EXPECT_EQ(refusal(5, PatternShape::block, 2), "") << "3 and 2 nodes, for example";
  // It cannot be seen beforehand that nothing fits.
  const RandomPatterns full(MeshShape({4, 4}), 9, PatternShape::block, 6);
  RandomStream random(1, RandomPurpose::test);
  std::uint64_t rejected = 0;
  EXPECT_EQ(
      test::message_of([&] { full.draw(random, rejected); }),
      "fault rings: of 20000 random regions no 6 make a pattern of 9 faulty nodes of shape block that leaves "
      "the 4x4 mesh connected; use fewer faulty nodes or regions, another shape, or a larger mesh");
  EXPECT_GE(rejected, 20000u / 6);
}

TEST(PatternSurvey, FindsTheMeanOverAllBoxes) {
  for (const auto& [size, of_pattern] : {std::pair{std::vector<std::uint32_t>{6, 5}, 4u}, {{4, 3, 5}, 1u}}) {
    const std::uint32_t nodes = of_pattern;
    const MeshShape mesh(size);
    double p_hit = 0, of_pairs = 0, f_rings = 0, rings = 0;
    const auto boxes = [&] {  // by size and place, as the paper has them
      std::vector<FaultBox> all;
      const auto add = [&](auto&& self, const FaultBox& box) -> void {
        const auto i = static_cast<unsigned>(box.size.size());
        if (i == mesh.dimensions()) {
          std::uint32_t volume = 1;
          for (const std::uint32_t l : box.size) volume *= l;
          if (volume == nodes) all.push_back(box);
          return;
        }
        for (std::uint32_t l = 1; l < mesh.radix(i); ++l)
          for (std::uint32_t x = 0; x + l <= mesh.radix(i); ++x) {
            FaultBox longer = box;
            longer.size.push_back(l);
            longer.origin.push_back(x);
            self(self, longer);
          }
      };
      add(add, {});
      return all;
    }();
    for (const FaultBox& box : boxes) {
      const FaultPattern pattern(mesh, {box});
      p_hit += count_paths_by_sweep(pattern, FaultRegion::ring).p_hit();
      of_pairs += survey_pairs(pattern, FaultRegion::ring).mean();
      f_rings += pattern.kind() == RingKind::f_ring;
      rings += pattern.ring_nodes();
    }
    const auto count = static_cast<double>(boxes.size());
    const PatternResult found =
        survey_patterns({.mesh = mesh, .faulty_nodes = {nodes}, .patterns = 3000}, 1).front();
    const ShareInterval paths = found.of_paths.within.value(), pairs = found.of_pairs.within.value();
    EXPECT_NEAR(found.of_paths.mean, p_hit / count, 2 * paths.reach(found.of_paths.mean));
    EXPECT_NEAR(found.of_pairs.mean, of_pairs / count, 2 * pairs.reach(found.of_pairs.mean));
    EXPECT_LT(paths.high - paths.low, .03);
    EXPECT_NEAR(found.of_pairs.mean, found.pairs.mean(), 1e-12) << "all patterns have as many pairs";
    EXPECT_NEAR(static_cast<double>(found.f_rings) / 3000, f_rings / count, .05);
    EXPECT_NEAR(found.ring_nodes, rings / count, .5);
    EXPECT_LE(found.of_paths.least, found.of_paths.mean);
    EXPECT_GE(found.of_paths.most, found.of_paths.mean);
  }
}

TEST(PatternSurvey, DependsNeitherOnThreadsNorOnTheOtherNumbers) {
  const PatternSurvey survey{.mesh = MeshShape({8, 8}),
                             .faulty_nodes = {5, 9},
                             .shape = PatternShape::concave,
                             .patterns = 60,
                             .region = FaultRegion::fault};
  const auto one = survey_patterns(survey, 3, 1);
  ASSERT_EQ(one.size(), 2u);
  EXPECT_LT(one[0].of_paths.mean, one[1].of_paths.mean) << "more faults are met by more paths";
  const auto three = survey_patterns(survey, 3, 3);
  PatternSurvey alone = survey;
  alone.faulty_nodes = {9};
  const auto nine = survey_patterns(alone, 3, 2);
  for (const PatternResult* same : {&three[1], &nine[0]}) {
    EXPECT_EQ(same->of_paths.mean, one[1].of_paths.mean);
    EXPECT_EQ(same->pairs.sum, one[1].pairs.sum);
    EXPECT_EQ(same->rejected, one[1].rejected);
  }
  EXPECT_NE(survey_patterns(survey, 4, 1)[0].of_paths.mean, one[0].of_paths.mean);
  alone.patterns = 1;
  EXPECT_EQ(survey_patterns(alone, 3)[0].of_paths.within, std::nullopt);
}

TEST(PatternSurvey, RefusesWhatItCannotSurvey) {
  const auto refusal = [](PatternSurvey survey) {
    return test::message_of([&] { survey_patterns(survey, 1, 1); });
  };
  const MeshShape mesh({4, 4});
  EXPECT_EQ(refusal({.mesh = mesh, .faulty_nodes = {1}, .patterns = 0}),
            "fault rings: 0 patterns requested; draw at least one");
  EXPECT_EQ(refusal({.mesh = mesh, .faulty_nodes = {}}),
            "fault rings: no number of faulty nodes given; give at least one");
  EXPECT_EQ(refusal({.mesh = mesh, .faulty_nodes = {2, 1, 2}}),
            "fault rings: 2 faulty nodes are given twice; give each number once");
  EXPECT_EQ(refusal({.mesh = MeshShape({200, 200}), .faulty_nodes = {1, 2}, .patterns = 1000}),
            "fault rings: 1000 patterns for each of 2 numbers of faulty nodes in the 200x200 mesh would take "
            "hours; draw fewer");
  EXPECT_NE(refusal({.mesh = mesh, .faulty_nodes = {2, 16}}).find("at least one node must be healthy"),
            std::string::npos);
}

}  // namespace flitmend
