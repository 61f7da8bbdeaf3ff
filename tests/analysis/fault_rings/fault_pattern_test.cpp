// SPDX-License-Identifier: Apache-2.0
#include "analysis/fault_rings/fault_pattern.h"

#include <gtest/gtest.h>

#include "base/errors.h"
#include "base/random_stream.h"

namespace flitmend {
namespace {

std::string refusal(std::vector<std::uint32_t> radix, const std::vector<FaultBox>& boxes,
                    const std::vector<std::vector<std::uint32_t>>& nodes = {}) {
  try {
    FaultPattern(MeshShape(std::move(radix)), boxes, nodes);
  } catch (const ConfigurationError& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST(MeshShape, CountsTheLinks) {
  EXPECT_EQ(MeshShape({5}).link_count(), 4u);
  EXPECT_EQ(MeshShape({3, 4}).link_count(), 17u);
  EXPECT_EQ(MeshShape({2, 2, 2}).link_count(), 12u);
  EXPECT_EQ(MeshShape({7, 8, 11}).link_count(), 6u * 88 + 7u * 77 + 10u * 56);
  EXPECT_EQ(MeshShape({100, 100, 100}).link_count(), 2970000u);
  EXPECT_EQ(MeshShape({1, 1}).link_count(), 0u);
}

TEST(MeshShape, RefusesWhatIsNoMesh) {
  EXPECT_EQ(refusal({}, {}), "mesh: no dimension given; give at least one, like 8x8");
  EXPECT_EQ(refusal({4, 0, 3}, {}), "mesh 4x0x3: dimension 2 has size 0; every size must be at least 1");
  EXPECT_EQ(refusal({100000, 100000}, {}), "mesh 100000x100000: more than 2^26 nodes; make it smaller");
  const std::string twos = "2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2";
  EXPECT_EQ(
      refusal(std::vector<std::uint32_t>(25, 2), {}),
      "mesh " + twos + ": more than 2^28 coordinates of nodes, nodes times dimensions; make it smaller");
  EXPECT_EQ(refusal(std::vector<std::uint32_t>(32, 1), {}),
            "mesh: 32 dimensions; at most 31 can be analysed");
}

TEST(FaultPattern, RefusesWhatIsNoFaultPattern) {
  EXPECT_EQ(refusal({4, 4}, {}), "fault rings: no fault given; give at least one box or node");
  EXPECT_EQ(refusal({4, 4}, {{{3, 1}, {2, 1}}}),
            "fault box 3,1:2x1: outside the 4x4 mesh, whose coordinates in dimension 1 are 0 to 3");
  EXPECT_EQ(
      refusal({4, 4}, {{{4294967295u, 1}, {4294967295u, 1}}}),
      "fault box 4294967295,1:4294967295x1: outside the 4x4 mesh, whose coordinates in dimension 1 are 0 "
      "to 3");
  EXPECT_EQ(refusal({4, 4}, {{{1, 1}, {1, 0}}}),
            "fault box 1,1:1x0: a size is 0; every size must be at least 1");
  EXPECT_EQ(refusal({4, 4}, {{{1, 1, 1}, {1, 1, 1}}}),
            "fault box 1,1,1:1x1x1: it must have the 2 dimensions of the 4x4 mesh");
  EXPECT_EQ(refusal({4, 4}, {}, {{1, 4}}),
            "fault node 1,4: outside the 4x4 mesh, whose coordinates in dimension 2 are 0 to 3");
  EXPECT_EQ(refusal({4, 4}, {}, {{1}}), "fault node 1: it must have the 2 dimensions of the 4x4 mesh");
  EXPECT_EQ(refusal({4}, {}, {{4}}),
            "fault node 4: outside the 4 mesh, whose coordinates in dimension 1 are 0 to 3");
  EXPECT_EQ(refusal({2, 2}, {{{0, 0}, {2, 2}}}),
            "fault rings: every node of the 2x2 mesh is faulty; at least one must be healthy");
  EXPECT_EQ(refusal({3, 3}, {{{1, 0}, {1, 3}}}),
            "fault rings: the faults disconnect the healthy nodes of the 3x3 mesh: there is no path from "
            "node 0,0 to node "
            "2,0; choose faults that leave it connected");
  EXPECT_EQ(refusal({3, 3}, {}, {{0, 1}, {1, 0}}),
            "fault rings: the faults disconnect the healthy nodes of the 3x3 mesh: there is no path from "
            "node 0,0 to node "
            "2,0; choose faults that leave it connected");
}

TEST(FaultPattern, TheRingOfABoxIsTheBoxOneLargerWithoutTheBox) {
  const FaultPattern p(MeshShape({7, 8, 11}), {{{2, 2, 2}, {2, 1, 3}}});
  EXPECT_EQ(p.fault_nodes(), 6u);
  EXPECT_EQ(p.ring_nodes(), 54u);
  EXPECT_EQ(p.healthy_nodes(), 616u - 6u);
  EXPECT_EQ(p.kind(), RingKind::f_ring);
}

TEST(FaultPattern, AFaultAtTheBorderHasAChain) {
  const FaultPattern corner(MeshShape({5, 5}), {{{3, 3}, {2, 2}}});
  EXPECT_EQ(corner.kind(), RingKind::f_chain);
  EXPECT_EQ(corner.ring_nodes(), 5u);
  const FaultPattern one_inside(MeshShape({5, 5}), {{{1, 1}, {1, 1}}, {{0, 3}, {1, 1}}});
  EXPECT_EQ(one_inside.kind(), RingKind::f_chain);
  EXPECT_EQ(FaultPattern(MeshShape({5, 5}), {}, {{1, 1}}).kind(), RingKind::f_ring);
}

// By definition: every healthy node at Chebyshev distance 1 from a faulty one.
TEST(FaultPattern, TheRingOfAnySetIsItsNeighbourhood) {
  RandomStream random(1, RandomPurpose::test);
  unsigned tried = 0;
  while (tried < 60) {
    std::vector<std::uint32_t> radix;
    const unsigned n = 1 + random.below(4);
    for (unsigned i = 0; i < n; ++i) radix.push_back(1 + random.below(n == 4 ? 4 : 6));
    const MeshShape mesh(radix);
    std::vector<std::vector<std::uint32_t>> nodes;
    for (unsigned f = 0; f < 1 + mesh.node_count() / 12; ++f)
      nodes.push_back(mesh.coordinates(random.below(mesh.node_count())));
    std::optional<FaultPattern> pattern;
    try {
      pattern.emplace(mesh, std::vector<FaultBox>{}, nodes);
    } catch (const ConfigurationError&) {
      continue;
    }
    ++tried;
    std::uint32_t ring = 0;
    for (std::uint32_t a = 0; a < mesh.node_count(); ++a) {
      bool near = false;
      for (std::uint32_t b = 0; b < mesh.node_count() && !near; ++b) {
        if (!pattern->faulty(b)) continue;
        near = true;
        for (unsigned i = 0; i < n; ++i) {
          const int d = static_cast<int>(mesh.coordinate(a, i)) - static_cast<int>(mesh.coordinate(b, i));
          near = near && std::abs(d) <= 1;
        }
      }
      EXPECT_EQ(pattern->in_region(a, FaultRegion::ring), near);
      ring += near && !pattern->faulty(a);
    }
    EXPECT_EQ(pattern->ring_nodes(), ring);
  }
}

TEST(FaultPattern, KnowsTheShapesOfRegions) {
  const auto shape = [](const std::vector<FaultBox>& boxes) {
    const auto regions = FaultPattern(MeshShape({12, 12}), boxes).regions();
    EXPECT_EQ(regions.size(), 1u);
    return regions.front().shape;
  };
  EXPECT_EQ(shape({{{2, 2}, {3, 2}}}), RegionShape::block);
  EXPECT_EQ(shape({{{2, 2}, {3, 2}}, {{4, 2}, {2, 2}}}), RegionShape::block);                      // overlap
  EXPECT_EQ(shape({{{2, 2}, {3, 1}}, {{2, 2}, {1, 3}}}), RegionShape::orthogonally_convex);        // L
  EXPECT_EQ(shape({{{2, 4}, {5, 1}}, {{4, 2}, {1, 2}}}), RegionShape::orthogonally_convex);        // T
  EXPECT_EQ(shape({{{2, 4}, {5, 1}}, {{4, 2}, {1, 5}}}), RegionShape::orthogonally_convex);        // plus
  EXPECT_EQ(shape({{{2, 2}, {4, 1}}, {{2, 2}, {1, 3}}, {{5, 2}, {1, 3}}}), RegionShape::concave);  // U
  EXPECT_EQ(shape({{{2, 2}, {1, 5}}, {{5, 2}, {1, 5}}, {{2, 4}, {4, 1}}}), RegionShape::concave);  // H
  EXPECT_EQ(shape({{{2, 2}, {1, 1}}, {{3, 3}, {1, 1}}}), RegionShape::orthogonally_convex);        // diagonal
}

TEST(FaultPattern, SeparatesRegionsThatARingCanPassBetween) {
  const auto regions =
      FaultPattern(MeshShape({9, 9, 3}), {{{1, 1, 1}, {2, 2, 1}}, {{4, 1, 1}, {1, 1, 1}}}).regions();
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_EQ(regions[0].nodes.size(), 4u);
  EXPECT_EQ(regions[1].nodes.size(), 1u);
}

// Few faults in many dimensions are compared pair by pair, many faults in few dimensions by shared cells.
TEST(FaultPattern, FindsTheSameRegionsWithManyDimensions) {
  RandomStream random(9, RandomPurpose::test);
  const auto sizes = [](const FaultPattern& pattern) {
    std::vector<std::size_t> result;
    for (const FaultRegionShape& region : pattern.regions()) result.push_back(region.nodes.size());
    return result;
  };
  for (unsigned tried = 0; tried < 20; ++tried) {
    std::vector<std::vector<std::uint32_t>> plane, deep;
    for (unsigned f = 0; f < 5; ++f) {
      plane.push_back({1 + random.below(8), 1 + random.below(8)});
      deep.push_back(plane.back());
      deep.back().resize(8, 1);
    }
    std::vector<std::uint32_t> radix(8, 2);
    radix[0] = radix[1] = 10;
    EXPECT_EQ(sizes(FaultPattern(MeshShape({10, 10}), {}, plane)),
              sizes(FaultPattern(MeshShape(radix), {}, deep)));
  }
  EXPECT_EQ(FaultPattern(MeshShape(std::vector<std::uint32_t>(12, 2)), {},
                         {std::vector<std::uint32_t>(12, 0), std::vector<std::uint32_t>(12, 1)})
                .regions()
                .size(),
            1u);
}

TEST(FaultPattern, RefusesConcaveRegionsWhereConvexOnesAreAsked) {
  const FaultPattern l(MeshShape({6, 6}), {}, {{1, 1}, {2, 1}, {3, 1}, {3, 2}});
  try {
    l.require_convex();
    FAIL() << "an L is not convex";
  } catch (const ConfigurationError& e) {
    EXPECT_STREQ(e.what(),
                 "fault rings: the fault region at node 1,1 (4 nodes, orthogonally convex) is not convex: it "
                 "does not fill a box; complete the box, or do not ask for convex regions");
  }
  EXPECT_NO_THROW(FaultPattern(MeshShape({6, 6}), {{{1, 1}, {3, 2}}}).require_convex());
}

}  // namespace flitmend
