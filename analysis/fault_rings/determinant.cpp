// SPDX-License-Identifier: Apache-2.0
// The paper's method: one determinant per pair of nodes [Safaei11 Theorem 2].
#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/fault_rings/path_counts.h"
#include "base/errors.h"
#include "base/parallel.h"
#include "base/random_stream.h"
#include "base/text.h"

namespace flitmend {
namespace {

using Node = MeshShape::Node;
constexpr double kMaxProducts = 1e12;  // about a quarter of an hour on one core

/// The numbers of minimal paths LT(d) = (Σ d_i)! / Π d_i! [Safaei11 eq. 2] for every displacement of the
/// mesh, by LT(d) = Σ_i LT(d − e_i). In unsigned integers of too few bits the result is exact modulo 2^bits.
template <class Integer>
std::vector<Integer> multinomials(const MeshShape& mesh) {
  std::vector<Integer> table(mesh.node_count(), Integer{0});
  table[0] = 1;
  for (Node d = 1; d < mesh.node_count(); ++d)
    for (unsigned i = 0; i < mesh.dimensions(); ++i)
      if (mesh.coordinate(d, i) > 0) table[d] += table[d - mesh.stride(i)];
  return table;
}

/// Coordinates of all nodes, one row per node.
class NodeCoordinates {
 public:
  explicit NodeCoordinates(const MeshShape& mesh) : n_(mesh.dimensions()) {
    values_.reserve(std::size_t{mesh.node_count()} * n_);
    for (Node node = 0; node < mesh.node_count(); ++node)
      for (unsigned i = 0; i < n_; ++i)
        values_.push_back(static_cast<std::int32_t>(mesh.coordinate(node, i)));
  }
  const std::int32_t* operator[](Node node) const { return values_.data() + std::size_t{node} * n_; }

 private:
  unsigned n_;
  std::vector<std::int32_t> values_;
};

/// The determinants of [Safaei11 eq. 13] for all pairs of a source a with the nodes b of one of its orthants.
///
/// Order C_1 … C_m such that no path runs backwards. Then rows and columns 1 … m of the matrix form a
/// triangular matrix L with ones on its diagonal, bordered by the column c of the paths from a and the row r
/// of the paths to b. So det = LT(a, b) − r·L⁻¹·c by forward substitution, without a division. The
/// determinant is a number of paths, between 0 and LT(a, b), so arithmetic modulo 2^bits is exact if LT(a, b)
/// < 2^bits. Entries against the direction are 0, so nodes of X outside box(a, b) do not matter. L⁻¹·c holds
/// the paths from a whose first node of X is C_k; it is the same for all b of the orthant.
template <class Integer>
class OrthantDeterminants {
 public:
  OrthantDeterminants(const MeshShape& mesh, const NodeCoordinates& at, const std::vector<Integer>& paths,
                      const std::vector<Node>& region)
      : mesh_(mesh), at_(at), paths_(paths), region_(region), sign_(mesh.dimensions()) {}

  /// The orthant of a that contains b: bit i is set unless b is on the negative side of a in dimension i.
  std::uint32_t orthant(Node a, Node b) const {
    std::uint32_t mask = 0;
    for (unsigned i = 0; i < mesh_.dimensions(); ++i) mask |= std::uint32_t{at_[b][i] >= at_[a][i]} << i;
    return mask;
  }
  /// Selects the orthant that entry(), ahead() and solve() use.
  void turn_to(std::uint32_t orthant) {
    for (unsigned i = 0; i < mesh_.dimensions(); ++i) sign_[i] = orthant >> i & 1 ? 1 : -1;
  }
  /// Solves L·y = c for a source a outside X.
  void solve(Node a) {
    ahead_.clear();
    for (Node c : region_)
      if (ahead(a, c)) ahead_.push_back(c);
    // Nodes are numbered with dimension 0 fastest. Ordering by the signed coordinates, last dimension first,
    // orders them along every path.
    std::sort(ahead_.begin(), ahead_.end(), [&](Node p, Node q) {
      for (unsigned i = mesh_.dimensions(); i-- > 0;)
        if (at_[p][i] != at_[q][i]) return (at_[p][i] < at_[q][i]) == (sign_[i] > 0);
      return false;
    });
    first_hits_.clear();
    for (Node to : ahead_) {
      Integer y = entry(a, to);
      for (std::size_t l = 0; l < first_hits_.size(); ++l) y -= entry(ahead_[l], to) * first_hits_[l];
      first_hits_.push_back(std::move(y));
    }
  }
  /// The determinant for the solved source and a node b of the orthant outside X.
  Integer determinant(Node a, Node b) const {
    Integer result = entry(a, b);
    for (std::size_t l = 0; l < ahead_.size(); ++l) result -= entry(ahead_[l], b) * first_hits_[l];
    return result;
  }

  /// LM(from, to) of [Safaei11 eq. 10, 11]: 0 against the direction of the orthant.
  Integer entry(Node from, Node to) const {
    Node displacement = 0;
    for (unsigned i = 0; i < mesh_.dimensions(); ++i) {
      const std::int32_t d = (at_[to][i] - at_[from][i]) * sign_[i];
      if (d < 0) return Integer{0};
      displacement += static_cast<Node>(d) * mesh_.stride(i);
    }
    return paths_[displacement];
  }
  bool ahead(Node from, Node to) const {
    for (unsigned i = 0; i < mesh_.dimensions(); ++i)
      if ((at_[to][i] - at_[from][i]) * sign_[i] < 0) return false;
    return true;
  }

 private:
  const MeshShape& mesh_;
  const NodeCoordinates& at_;
  const std::vector<Integer>& paths_;
  const std::vector<Node>& region_;
  std::vector<std::int32_t> sign_;
  std::vector<Node> ahead_;          // C_1 … C_m of the orthant
  std::vector<Integer> first_hits_;  // L⁻¹·c
};

std::vector<Node> region_nodes(const FaultPattern& pattern, FaultRegion region) {
  std::vector<Node> nodes;
  for (Node node = 0; node < pattern.mesh().node_count(); ++node)
    if (pattern.in_region(node, region)) nodes.push_back(node);
  return nodes;
}

BigCount to_big(const BigCount& value) {
  return value;
}
BigCount to_big(std::uint64_t value) {
  return value;
}
BigCount to_big(unsigned __int128 value) {
  return (BigCount(static_cast<std::uint64_t>(value >> 64)) << 64) + static_cast<std::uint64_t>(value);
}

template <class Integer>
PathCounts count(const FaultPattern& pattern, FaultRegion region, unsigned jobs, SurveyListener* listener) {
  const MeshShape& mesh = pattern.mesh();
  const NodeCoordinates at(mesh);
  const std::vector<Integer> paths = multinomials<Integer>(mesh);
  const std::vector<Node> blocked = region_nodes(pattern, region);
  std::vector<PathCounts> by_source(mesh.node_count());
  SurveyProgress progress(listener, mesh.node_count());
  parallel_for(jobs, mesh.node_count(), [&](std::size_t source) {
    progress.add(1);
    const Node a = static_cast<Node>(source);
    if (pattern.faulty(a)) return;
    PathCounts& counts = by_source[a];
    OrthantDeterminants<Integer> orthant(mesh, at, paths, blocked);
    // A pair and its reverse have the same paths.
    std::map<std::uint32_t, std::vector<Node>> by_orthant;
    for (Node b = a; b < mesh.node_count(); ++b)
      if (!pattern.faulty(b)) by_orthant[orthant.orthant(a, b)].push_back(b);
    for (const auto& [mask, destinations] : by_orthant) {
      orthant.turn_to(mask);
      const bool clear = !pattern.in_region(a, region);
      if (clear) orthant.solve(a);
      for (Node b : destinations) {
        const unsigned times = a == b ? 1 : 2;
        counts.total += times * to_big(orthant.entry(a, b));
        if (clear && !pattern.in_region(b, region))
          counts.missing += times * to_big(orthant.determinant(a, b));
      }
    }
  });
  PathCounts sum;
  for (const PathCounts& c : by_source) {
    sum.total += c.total;
    sum.missing += c.missing;
  }
  return sum;
}

/// Products that all determinants need together, estimated from a sample of the pairs: m²/2 per source and
/// orthant, m per pair, with m nodes of X in the orthant.
double estimated_products(const FaultPattern& pattern, FaultRegion region) {
  const MeshShape& mesh = pattern.mesh();
  const double nodes = mesh.node_count();
  const double pairs = nodes * nodes / 2 * mesh.dimensions();
  if (pairs > kMaxProducts) return pairs;  // for any X
  const std::vector<Node> blocked = region_nodes(pattern, region);
  RandomStream random(1, RandomPurpose::analysis);
  constexpr unsigned kSamples = 100;
  double by_source = 0, by_pair = 0;
  for (unsigned s = 0; s < kSamples; ++s) {
    const Node a = random.below(mesh.node_count()), b = random.below(mesh.node_count());
    double m = 0;
    for (Node c : blocked) {
      bool inside = true;
      for (unsigned i = 0; i < mesh.dimensions() && inside; ++i) {
        const std::uint32_t from = mesh.coordinate(a, i), at = mesh.coordinate(c, i);
        inside = mesh.coordinate(b, i) >= from ? at >= from : at <= from;
      }
      m += inside;
    }
    by_source += std::exp2(mesh.dimensions()) * m * m / 2 + static_cast<double>(blocked.size());
    by_pair += m + 1;
  }
  return (nodes * by_source + nodes * nodes / 2 * by_pair) / kSamples * mesh.dimensions();
}

void check_work(const FaultPattern& pattern, FaultRegion region, double cost_of_a_product) {
  const double products = estimated_products(pattern, region) * cost_of_a_product;
  if (products > kMaxProducts)
    throw ConfigurationError(
        formatted("fault rings: the determinants of all pairs of the %s mesh would take about %.0e products, "
                  "more than the limit of %.0e; use the sweep method, which is also exact",
                  pattern.mesh().description(), products, kMaxProducts));
}

}  // namespace

PathCounts count_paths_by_determinant(const FaultPattern& pattern, FaultRegion region, unsigned jobs,
                                      SurveyListener* listener) {
  const MeshShape& mesh = pattern.mesh();
  double log_paths = 0, length = 0;
  for (unsigned i = 0; i < mesh.dimensions(); ++i) {
    log_paths -= std::lgamma(mesh.radix(i));
    length += mesh.radix(i) - 1;
  }
  const double bits = (log_paths + std::lgamma(length + 1)) / std::log(2.0) + 1;
  check_work(pattern, region, bits < 128 ? 1 : 50);
  if (bits < 64) return count<std::uint64_t>(pattern, region, jobs, listener);
  if (bits < 128) return count<unsigned __int128>(pattern, region, jobs, listener);
  return count<BigCount>(pattern, region, jobs, listener);
}

std::vector<std::vector<BigCount>> path_matrix(const FaultPattern& pattern, FaultRegion region, Node a,
                                               Node b) {
  const MeshShape& mesh = pattern.mesh();
  const NodeCoordinates at(mesh);
  const std::vector<BigCount> paths = multinomials<BigCount>(mesh);
  const std::vector<Node> blocked = region_nodes(pattern, region);
  OrthantDeterminants<BigCount> pair(mesh, at, paths, blocked);
  pair.turn_to(pair.orthant(a, b));
  std::vector<Node> from = {a}, to = {b};
  for (Node c : blocked)
    if (pair.ahead(a, c) && pair.ahead(c, b)) {
      from.push_back(c);
      to.push_back(c);
    }
  std::vector<std::vector<BigCount>> matrix;
  for (Node target : to) {
    matrix.emplace_back();
    for (Node source : from) matrix.back().push_back(pair.entry(source, target));
  }
  return matrix;
}

}  // namespace flitmend
