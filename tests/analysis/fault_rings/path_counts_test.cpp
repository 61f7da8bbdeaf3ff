// SPDX-License-Identifier: Apache-2.0
#include "analysis/fault_rings/path_counts.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "base/errors.h"
#include "base/random_stream.h"

namespace flitmend {
namespace {

using Node = MeshShape::Node;

struct Published {
  std::vector<std::uint32_t> mesh;
  FaultBox box;
  double p_hit_fault;
  double p_hit_ring;
};
const std::vector<Published> kPublished = {
    {{3, 2, 2}, {{1, 1, 0}, {1, 1, 1}}, .274627, 1.000000},
    {{7, 8, 11}, {{2, 2, 2}, {2, 1, 3}}, .213967, .664474},
    {{5, 13, 9}, {{2, 3, 1}, {1, 7, 2}}, .303936, .806646},
    {{3, 5, 7}, {{0, 0, 1}, {2, 2, 2}}, .315405, .816665},
    {{6, 11, 17}, {{2, 4, 6}, {4, 6, 10}}, .883858, .987087},
    {{3, 7, 8, 9}, {{1, 1, 1, 1}, {1, 5, 6, 8}}, .878107, 1.000000},
    {{2, 3, 4, 2}, {{0, 0, 1, 0}, {1, 1, 2, 1}}, .153582, .975977},
    {{9, 5, 3, 9}, {{2, 3, 1, 3}, {1, 1, 1, 4}}, .094918, .695420},
    {{3, 3, 3, 3, 3}, {{1, 1, 1, 1, 1}, {1, 1, 1, 2, 1}}, .169989, 1.000000},
    {{5, 4, 3, 5, 6}, {{1, 1, 1, 1, 1}, {1, 1, 1, 2, 1}}, .035785, .676935},
    {{5, 4, 3, 5, 6}, {{2, 2, 2, 2, 2}, {2, 2, 1, 1, 3}}, .103759, .818630},
};

/// All minimal paths between healthy nodes, walked one by one.
PathCounts enumerate(const FaultPattern& pattern, FaultRegion region) {
  const MeshShape& mesh = pattern.mesh();
  PathCounts counts;
  std::function<void(Node, Node, bool)> walk = [&](Node at, Node to, bool clear) {
    clear = clear && !pattern.in_region(at, region);
    if (at == to) {
      ++counts.total;
      counts.missing += clear;
      return;
    }
    for (unsigned i = 0; i < mesh.dimensions(); ++i) {
      if (mesh.coordinate(at, i) < mesh.coordinate(to, i)) walk(at + mesh.stride(i), to, clear);
      if (mesh.coordinate(at, i) > mesh.coordinate(to, i)) walk(at - mesh.stride(i), to, clear);
    }
  };
  for (Node a = 0; a < mesh.node_count(); ++a)
    for (Node b = 0; b < mesh.node_count(); ++b)
      if (!pattern.faulty(a) && !pattern.faulty(b)) walk(a, b, true);
  return counts;
}

/// The determinant of any square matrix of integers, by fraction-free elimination.
BigCount determinant(std::vector<std::vector<BigCount>> m) {
  BigCount previous = 1;
  int sign = 1;
  for (std::size_t k = 0; k + 1 < m.size(); ++k) {
    std::size_t pivot = k;
    while (pivot < m.size() && m[pivot][k] == 0) ++pivot;
    if (pivot == m.size()) return 0;
    if (pivot != k) {
      std::swap(m[pivot], m[k]);
      sign = -sign;
    }
    for (std::size_t i = k + 1; i < m.size(); ++i)
      for (std::size_t j = k + 1; j < m.size(); ++j)
        m[i][j] = (m[i][j] * m[k][k] - m[i][k] * m[k][j]) / previous;
    previous = m[k][k];
  }
  return sign * m.back().back();
}

/// Σ over τ of one pass each, modulo a prime: the sweep again, written literally as its formula.
std::uint64_t total_modulo(const FaultPattern& pattern, std::uint64_t prime,
                           const std::function<bool(Node)>& end, const std::function<bool(Node)>& through) {
  const MeshShape& mesh = pattern.mesh();
  const unsigned n = mesh.dimensions();
  std::uint64_t result = 0;
  for (unsigned code = 0, codes = static_cast<unsigned>(std::pow(3, n)); code < codes; ++code) {
    std::vector<int> tau(n);
    unsigned zeros = 0;
    for (unsigned i = 0, c = code; i < n; ++i, c /= 3) {
      tau[i] = static_cast<int>(c % 3) - 1;
      zeros += tau[i] == 0;
    }
    std::vector<std::uint64_t> t(mesh.node_count());
    std::uint64_t sum = 0;
    for (Node step = 0; step < mesh.node_count(); ++step) {
      Node b = 0;
      for (unsigned i = 0; i < n; ++i) {
        const std::uint32_t x = mesh.coordinate(step, i);
        b += (tau[i] < 0 ? mesh.radix(i) - 1 - x : x) * mesh.stride(i);
      }
      if (!through(b)) continue;
      t[b] = end(b);
      for (unsigned i = 0; i < n; ++i)
        if (tau[i] && mesh.coordinate(step, i) > 0)
          t[b] = (t[b] + t[tau[i] > 0 ? b - mesh.stride(i) : b + mesh.stride(i)]) % prime;
      if (end(b)) sum = (sum + t[b]) % prime;
    }
    result = (result + (zeros % 2 ? prime - sum : sum)) % prime;
  }
  return result;
}

std::optional<FaultPattern> random_pattern(RandomStream& random) {
  std::vector<std::uint32_t> radix;
  const unsigned n = 1 + random.below(4);
  constexpr std::uint32_t kLargest[] = {0, 9, 5, 4, 3};
  for (unsigned i = 0; i < n; ++i) radix.push_back(1 + random.below(kLargest[n]));
  const MeshShape mesh(radix);
  std::vector<std::vector<std::uint32_t>> nodes;
  for (unsigned f = 0; f < 1 + random.below(4); ++f)
    nodes.push_back(mesh.coordinates(random.below(mesh.node_count())));
  try {
    return FaultPattern(mesh, {}, nodes);
  } catch (const ConfigurationError&) {
    return std::nullopt;
  }
}

}  // namespace

TEST(SweepMethod, GivesEveryPublishedRow) {
  for (const Published& row : kPublished) {
    const FaultPattern pattern(MeshShape(row.mesh), {row.box});
    EXPECT_NEAR(count_paths_by_sweep(pattern, FaultRegion::fault).p_hit(), row.p_hit_fault, 5e-7)
        << pattern.mesh().description();
    EXPECT_NEAR(count_paths_by_sweep(pattern, FaultRegion::ring).p_hit(), row.p_hit_ring, 5e-7)
        << pattern.mesh().description();
  }
}

TEST(SweepMethod, GivesTheOtherKnownValues) {
  const FaultPattern l(MeshShape({6, 6}), {}, {{1, 1}, {2, 1}, {3, 1}, {3, 2}});
  EXPECT_NEAR(count_paths_by_sweep(l, FaultRegion::fault).p_hit(), .625632, 5e-7);
  EXPECT_NEAR(count_paths_by_sweep(l, FaultRegion::ring).p_hit(), .942110, 5e-7);
  const FaultPattern large(MeshShape({100, 100}), {{{40, 40}, {10, 10}}});
  EXPECT_NEAR(count_paths_by_sweep(large, FaultRegion::fault).p_hit(), .670235, 5e-7);
  // The reference value .760190 is one unit of the last digit above the exact value .7601891956…, which a
  // second program with exact fractions confirms. Both are checked, the former to one unit.
  const double p_hit = count_paths_by_sweep(large, FaultRegion::ring).p_hit();
  EXPECT_NEAR(p_hit, .760190, 1e-6);
  EXPECT_NEAR(p_hit, .7601891956297006, 5e-16);
}

TEST(SweepMethod, CountsTheVeryPathsThatCanBeWalked) {
  RandomStream random(2, RandomPurpose::test);
  for (unsigned tried = 0; tried < 60;) {
    const auto pattern = random_pattern(random);
    if (!pattern) continue;
    ++tried;
    for (FaultRegion region : {FaultRegion::fault, FaultRegion::ring}) {
      const PathCounts walked = enumerate(*pattern, region),
                       swept = count_paths_by_sweep(*pattern, region, 1);
      EXPECT_EQ(swept.total, walked.total) << pattern->mesh().description();
      EXPECT_EQ(swept.missing, walked.missing) << pattern->mesh().description();
      EXPECT_DOUBLE_EQ(swept.p_hit() + swept.p_miss(), 1);
    }
  }
}

TEST(SweepMethod, CarriesThroughAllWords) {
  constexpr std::uint64_t kPrime = 4294967291;
  for (const auto& pattern :
       {FaultPattern(MeshShape({90, 130}), {{{20, 70}, {9, 30}}}),
        FaultPattern(MeshShape({24, 17, 31}), {{{3, 0, 20}, {9, 5, 7}}}),
        FaultPattern(MeshShape({6, 1, 9, 5, 7}), {{{1, 0, 3, 3, 3}, {2, 1, 1, 1, 4}}})}) {
    const PathCounts counts = count_paths_by_sweep(pattern, FaultRegion::ring);
    const auto healthy = [&](Node b) { return !pattern.faulty(b); };
    const auto clear = [&](Node b) { return !pattern.in_region(b, FaultRegion::ring); };
    EXPECT_EQ(counts.total % kPrime, total_modulo(pattern, kPrime, healthy, [](Node) { return true; }));
    EXPECT_EQ(counts.missing % kPrime, total_modulo(pattern, kPrime, clear, clear));
  }
}

TEST(SweepMethod, DoesNotOverflowOnAMillionNodes) {
  const FaultPattern pattern(MeshShape({1000, 1000}), {{{400, 400}, {100, 100}}});
  const PathCounts counts = count_paths_by_sweep(pattern, FaultRegion::fault);
  EXPECT_GT(msb(counts.total), 1990u);
  constexpr std::uint64_t kPrime = 4294967291;
  const auto healthy = [&](Node b) { return !pattern.faulty(b); };
  EXPECT_EQ(counts.total % kPrime, total_modulo(pattern, kPrime, healthy, [](Node) { return true; }));
  EXPECT_EQ(counts.missing % kPrime, total_modulo(pattern, kPrime, healthy, healthy));
  EXPECT_GT(counts.p_hit(), 0.6);
  EXPECT_LT(counts.p_hit(), 0.8);
  EXPECT_DOUBLE_EQ(counts.p_hit() + counts.p_miss(), 1);
}

TEST(SweepMethod, KeepsTheDigitsOfASmallProbability) {
  // The upper left corner of a staircase: paths through (0, 59) run from (0, …) up and then right.
  const FaultPattern pattern(MeshShape({60, 60}), {}, {{0, 59}});
  const PathCounts counts = count_paths_by_sweep(pattern, FaultRegion::fault);
  // Each ordered pair (0, y), (x, 59) with x > 0, y < 59 has one path through the corner, in both directions.
  EXPECT_EQ(counts.total - counts.missing, 2 * 59 * 59);
  EXPECT_GT(counts.p_hit(), 0);
  EXPECT_LT(counts.p_hit(), 1e-28);
}

TEST(SweepMethod, DoesNotDependOnTheNumberOfThreads) {
  const FaultPattern pattern(MeshShape({9, 12, 7}), {{{2, 2, 2}, {3, 3, 2}}});
  const PathCounts one = count_paths_by_sweep(pattern, FaultRegion::ring, 1);
  for (unsigned jobs : {2u, 5u}) {
    const PathCounts many = count_paths_by_sweep(pattern, FaultRegion::ring, jobs);
    EXPECT_EQ(many.total, one.total);
    EXPECT_EQ(many.missing, one.missing);
  }
}

TEST(SweepMethod, RefusesWhatWouldTakeForEver) {
  const FaultPattern cube(MeshShape(std::vector<std::uint32_t>(20, 2)), {},
                          {std::vector<std::uint32_t>(20, 1)});
  try {
    count_paths_by_sweep(cube, FaultRegion::fault);
    FAIL();
  } catch (const ConfigurationError& e) {
    EXPECT_NE(std::string(e.what()).find("would take about 2e+17 steps"), std::string::npos) << e.what();
  }
}

TEST(Determinant, EqualsTheSweepOnEveryPublishedRow) {
  for (const Published& row : kPublished) {
    const FaultPattern pattern(MeshShape(row.mesh), {row.box});
    for (FaultRegion region : {FaultRegion::fault, FaultRegion::ring}) {
      const PathCounts by_determinant = count_paths_by_determinant(pattern, region);
      const PathCounts by_sweep = count_paths_by_sweep(pattern, region);
      EXPECT_EQ(by_determinant.total, by_sweep.total) << pattern.mesh().description();
      EXPECT_EQ(by_determinant.missing, by_sweep.missing) << pattern.mesh().description();
    }
  }
}

TEST(Determinant, EqualsTheSweepForAnyShapeAndNumberOfBits) {
  RandomStream random(3, RandomPurpose::test);
  for (unsigned tried = 0; tried < 60;) {
    const auto pattern = random_pattern(random);
    if (!pattern) continue;
    ++tried;
    for (FaultRegion region : {FaultRegion::fault, FaultRegion::ring}) {
      EXPECT_EQ(count_paths_by_determinant(*pattern, region).missing,
                count_paths_by_sweep(*pattern, region).missing);
    }
  }
  // 72 and 143 bits: more than one word, more than two.
  for (const auto& mesh : {MeshShape({2, 14, 12, 2, 4}), MeshShape({2, 140})})
    for (FaultRegion region : {FaultRegion::fault, FaultRegion::ring}) {
      std::vector<std::uint32_t> node(mesh.dimensions(), 1);
      const FaultPattern pattern(mesh, {}, {node});
      EXPECT_EQ(count_paths_by_determinant(pattern, region).missing,
                count_paths_by_sweep(pattern, region).missing);
    }
}

TEST(Determinant, DoesNotDependOnTheNumberOfThreads) {
  const FaultPattern pattern(MeshShape({6, 5, 7}), {{{2, 2, 2}, {2, 1, 2}}});
  const PathCounts one = count_paths_by_determinant(pattern, FaultRegion::ring, 1);
  for (unsigned jobs : {2u, 5u}) {
    const PathCounts many = count_paths_by_determinant(pattern, FaultRegion::ring, jobs);
    EXPECT_EQ(many.total, one.total);
    EXPECT_EQ(many.missing, one.missing);
  }
}

TEST(Determinant, IsThatOfThePrintedMatrix) {
  const FaultPattern pattern(MeshShape({6, 7, 3}), {{{1, 2, 1}, {2, 2, 1}}, {{4, 4, 0}, {1, 2, 1}}});
  const MeshShape& mesh = pattern.mesh();
  RandomStream random(4, RandomPurpose::test);
  for (unsigned tried = 0; tried < 40;) {
    const Node a = random.below(mesh.node_count()), b = random.below(mesh.node_count());
    if (pattern.faulty(a) || pattern.faulty(b)) continue;
    ++tried;
    auto matrix = path_matrix(pattern, FaultRegion::fault, a, b);
    // The order of C_1 … C_m does not matter: rows and columns are swapped together.
    for (std::size_t i = 2; i < matrix.size(); ++i) {
      const std::size_t j = 1 + random.below(static_cast<std::uint32_t>(i));
      std::swap(matrix[i], matrix[j]);
      for (auto& row : matrix) std::swap(row[i], row[j]);
    }
    std::function<BigCount(Node)> walk = [&](Node at) -> BigCount {
      if (pattern.faulty(at)) return 0;
      if (at == b) return 1;
      BigCount paths = 0;
      for (unsigned i = 0; i < mesh.dimensions(); ++i) {
        if (mesh.coordinate(at, i) < mesh.coordinate(b, i)) paths += walk(at + mesh.stride(i));
        if (mesh.coordinate(at, i) > mesh.coordinate(b, i)) paths += walk(at - mesh.stride(i));
      }
      return paths;
    };
    EXPECT_EQ(determinant(matrix), walk(a));
  }
}

TEST(Determinant, RefusesWhatWouldTakeForEver) {
  const FaultPattern pattern(MeshShape({1000, 1000}), {{{100, 100}, {60, 60}}});
  try {
    count_paths_by_determinant(pattern, FaultRegion::fault);
    FAIL();
  } catch (const ConfigurationError& e) {
    EXPECT_NE(std::string(e.what()).find("use the sweep method, which is also exact"), std::string::npos);
  }
}

}  // namespace flitmend
