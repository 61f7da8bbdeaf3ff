// SPDX-License-Identifier: Apache-2.0
#include "analysis/probability_vectors/bounds.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {
namespace {

constexpr double kMaxBoundNodes = 0x1p52;
constexpr std::uint64_t kMaxDistances = 1 << 20;
constexpr double kMaxCells = 1 << 20, kMaxRecurrenceSteps = 1e11;  // a few minutes

/// k^n, checked together with the number of faults.
double checked_nodes(std::uint32_t k, std::uint32_t n, std::uint64_t faults) {
  if (k < 2) throw ConfigurationError(formatted("probability bounds: k is %1%; it must be at least 2", k));
  if (n < 1 || n > 16)
    throw ConfigurationError(formatted("probability bounds: n is %1%; it must be 1 to 16", n));
  const double nodes = std::pow(k, n);
  if (nodes > kMaxBoundNodes)
    throw ConfigurationError(
        formatted("probability bounds: a %1%-ary %2%-cube has more than 2^52 nodes", k, n));
  if (static_cast<double>(faults) > nodes - 2)
    throw ConfigurationError(
        formatted("probability bounds: %1% leave fewer than two of the %2% nodes healthy",
                  counted(faults, "faulty node"), static_cast<std::uint64_t>(nodes)));
  return nodes;
}

/// The recurrence of [AlSadi03 Lemma 3], one layer of s after the other.
class Lemma3 {
 public:
  Lemma3(std::uint32_t k, std::uint32_t n, double p) : m_(k / 2), n_(n), p_(p) {
    std::size_t cells = 1;
    for (unsigned i = 0; i < n; ++i) {
      stride_.push_back(cells);
      cells *= m_ + 1;
    }
    length_.resize(cells);
    nodes_.resize(cells);
    for (std::size_t c = 0; c < cells; ++c) {
      double nodes = 1;
      for (unsigned i = 0; i < n; ++i) {
        const std::uint32_t l = component(c, i);
        length_[c] += l;
        // Two nodes, one in each direction; one if both directions end at the same node.
        if (l > 0 && 2 * l != k) nodes *= 2;
      }
      nodes_[c] = nodes;
    }
    by_length_.resize(cells - 1);
    std::iota(by_length_.begin(), by_length_.end(), std::size_t{1});  // without c = 0
    std::stable_sort(by_length_.begin(), by_length_.end(),
                     [&](std::size_t a, std::size_t b) { return length_[a] < length_[b]; });
  }

  std::vector<double> average_distances(std::uint64_t faults) {
    const std::size_t cells = length_.size();
    const double longest = n_ * static_cast<double>(m_);
    std::vector<double> layer(cells, 0), previous(cells, 0), distance(cells, 0);
    for (std::uint64_t s = 0; s <= faults; ++s) {
      previous.swap(layer);
      double greatest = 0;
      for (std::size_t c : by_length_) {
        layer[c] = probability(c, s, layer, previous);
        distance[c] += (length_[c] + 2.0 * static_cast<double>(s)) * layer[c];
        greatest = std::max(greatest, layer[c]);
      }
      // No later layer has a greater element, because the weights of the moves add up to at most 1.
      const double rest = static_cast<double>(faults - s);
      if (rest * (longest + 2.0 * static_cast<double>(faults)) * greatest < 1e-17) break;
    }
    std::vector<double> sum(n_ * m_, 0), nodes(n_ * m_, 0);
    for (std::size_t c : by_length_) {
      sum[length_[c] - 1] += distance[c] * nodes_[c];
      nodes[length_[c] - 1] += nodes_[c];
    }
    for (std::size_t l = 0; l < sum.size(); ++l) sum[l] /= nodes[l];
    return sum;
  }

 private:
  std::uint32_t component(std::size_t c, unsigned i) const {
    return static_cast<std::uint32_t>(c / stride_[i] % (m_ + 1));
  }
  double probability(std::size_t c, std::uint64_t s, const std::vector<double>& layer,
                     const std::vector<double>& previous) const {
    if (length_[c] == 1) return s == 0 ? 1 : 0;
    double sum = 0, reached = 1 - p_;
    for (unsigned i = 0; i < n_; ++i)
      if (component(c, i) > 0) {
        sum += reached * layer[c - stride_[i]];
        reached *= p_;
      }
    if (s > 0)
      for (unsigned i = 0; i < n_; ++i)
        if (component(c, i) < m_) {
          sum += reached * previous[c + stride_[i]];
          reached *= p_;
        }
    return sum;
  }

  std::uint32_t m_;
  unsigned n_;
  double p_;
  std::vector<std::size_t> stride_;
  std::vector<std::uint32_t> length_;
  std::vector<double> nodes_;
  std::vector<std::size_t> by_length_;
};

}  // namespace

double theorem1_bound(std::uint32_t k, std::uint32_t n, std::uint64_t faults, std::uint32_t lee,
                      std::uint32_t hamming) {
  const double q = static_cast<double>(faults) / checked_nodes(k, n, faults);
  if (hamming < 1 || hamming > n || lee < hamming || lee > hamming * (k / 2))
    throw ConfigurationError(
        formatted("probability bounds: no two nodes of a %1%-ary %2%-cube are at Lee distance %3% and "
                  "Hamming distance %4%",
                  k, n, lee, hamming));
  const auto all_faulty = [&](std::uint32_t length, std::uint32_t paths) {
    return std::pow(1 - std::pow(1 - q, length), paths);
  };
  return 1 -
         all_faulty(lee, hamming) * all_faulty(lee + 2, 2 * n - 2 * hamming) * all_faulty(lee + 4, hamming);
}

std::vector<PvLowerBound> theorem1_bounds(std::uint32_t k, std::uint32_t n, std::uint64_t faults) {
  checked_nodes(k, n, faults);
  if (std::uint64_t{n} * n * (k / 2) > kMaxDistances)
    throw ConfigurationError(
        formatted("probability bounds: the nodes of a %1%-ary %2%-cube are at more than 2^20 different "
                  "distances; make k or n smaller",
                  k, n));
  std::vector<PvLowerBound> bounds;
  for (std::uint32_t lee = 1; lee <= n * (k / 2); ++lee)
    for (std::uint32_t hamming = 1; hamming <= std::min(n, lee); ++hamming)
      if (lee <= hamming * (k / 2))
        bounds.push_back({lee, hamming, theorem1_bound(k, n, faults, lee, hamming)});
  return bounds;
}

std::vector<double> theorem2_average_distances(std::uint32_t k, std::uint32_t n, std::uint64_t faults) {
  const double nodes = checked_nodes(k, n, faults);
  const std::uint32_t hops = k / 2;  // at most, per dimension
  const double cells = std::pow(hops + 1, n);
  // Beyond some multiple of the diameter, every layer has less than 3/5 of the weight of the previous one.
  const double layers = std::min(static_cast<double>(faults), 4.0 * n * hops + 200) + 1;
  if (cells > kMaxCells || cells * layers * 2 * n > kMaxRecurrenceSteps)
    throw ConfigurationError(
        formatted("probability bounds: the recurrence for a %1%-ary %2%-cube with %3% has too many states; "
                  "make k or n smaller",
                  k, n, counted(faults, "faulty node")));
  return Lemma3(k, n, static_cast<double>(faults) / nodes).average_distances(faults);
}

}  // namespace flitmend
