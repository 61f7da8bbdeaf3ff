// SPDX-License-Identifier: Apache-2.0
// The sweep method: exact path counts with one pass over the mesh per sign vector.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "analysis/fault_rings/path_counts.h"
#include "base/errors.h"
#include "base/parallel.h"
#include "base/text.h"

namespace flitmend {
namespace {

using Node = MeshShape::Node;
using Limb = std::uint64_t;
// Up to 32 limbs (predecessors and one) are added before a carry; 33·2^58 < 2^64.
constexpr unsigned kLimbBits = 58;
constexpr Limb kLimbMask = (Limb{1} << kLimbBits) - 1;
constexpr std::uint64_t kNodesAReport = 4096;
constexpr double kMaxLimbSteps = 1e12;  // about a quarter of an hour on one core

/// The mesh as the sweep needs it: without dimensions of size 1, the longest dimension last (outermost), so
/// that the slab of the other dimensions is as small as possible. Node = Σ coordinate·stride still holds.
struct Axes {
  explicit Axes(const MeshShape& mesh) : node_count(mesh.node_count()) {
    for (unsigned i = 0; i < mesh.dimensions(); ++i)
      if (mesh.radix(i) > 1) axes.push_back({mesh.radix(i), mesh.stride(i)});
    while (axes.size() < 2) axes.push_back({1, 1});  // an innermost and an outermost axis
    std::stable_sort(axes.begin(), axes.end(),
                     [](const Axis& a, const Axis& b) { return a.radix < b.radix; });
    slab = node_count / axes.back().radix;
    set_limbs();
  }
  struct Axis {
    std::uint32_t radix;
    Node stride;
  };
  std::vector<Axis> axes;
  Node node_count;
  Node slab;

  unsigned count() const { return static_cast<unsigned>(axes.size()); }
  /// Limbs needed for Σ over all a of the paths a → b, for every b at most `steps` from the first corner.
  unsigned limbs(std::size_t steps) const { return limbs_[steps]; }
  unsigned max_limbs() const { return limbs_.back(); }

 private:
  /// From each of the N nodes there are at most n^steps paths, and at most the multinomial of the whole mesh.
  void set_limbs() {
    double whole_bits = 0, length = 0;
    for (const Axis& a : axes) {
      whole_bits -= std::lgamma(a.radix) / std::log(2.0);
      length += a.radix - 1;
    }
    whole_bits += std::lgamma(length + 1) / std::log(2.0);
    const auto most_steps = static_cast<std::uint64_t>(length);
    for (std::uint64_t steps = 0; steps <= most_steps; ++steps) {
      const double bits =
          std::min(static_cast<double>(steps) * std::log2(static_cast<double>(axes.size())), whole_bits);
      const double slack = 2 + 1e-9 * whole_bits;  // lgamma is not exact
      limbs_.push_back(static_cast<unsigned>((bits + std::log2(node_count) + slack) / kLimbBits) + 1);
    }
  }
  std::vector<unsigned> limbs_;
};

/// Adds counts with a fixed number of limbs without carrying: 2^64 counts fit.
class WideSum {
 public:
  explicit WideSum(unsigned limbs) : sum_(limbs, 0) {}
  void add(const Limb* count, unsigned limbs) {
    for (unsigned l = 0; l < limbs; ++l) sum_[l] += count[l];
  }
  BigCount value() const {
    BigCount result = 0;
    for (std::size_t l = sum_.size(); l-- > 0;) {
      result <<= kLimbBits;
      result += BigCount(static_cast<std::uint64_t>(sum_[l] >> 64)) << 64;
      result += static_cast<std::uint64_t>(sum_[l]);
    }
    return result;
  }

 private:
  std::vector<unsigned __int128> sum_;
};

/// to = one + Σ predecessors; `to` may be one of the predecessors. kPredecessors < 0: any number.
template <int kPredecessors>
void add_predecessors(Limb* to, Limb one, const Limb* const* from, unsigned count, unsigned limbs) {
  const unsigned n = kPredecessors < 0 ? count : static_cast<unsigned>(kPredecessors);
  Limb carry = one;
  for (unsigned l = 0; l < limbs; ++l) {
    Limb sum = carry;
    for (unsigned p = 0; p < n; ++p) sum += from[p][l];
    to[l] = sum & kLimbMask;
    carry = sum >> kLimbBits;
  }
}

void add_predecessors(Limb* to, Limb one, const Limb* const* from, unsigned count, unsigned limbs) {
  switch (count) {
    case 0:
      return add_predecessors<0>(to, one, from, count, limbs);
    case 1:
      return add_predecessors<1>(to, one, from, count, limbs);
    case 2:
      return add_predecessors<2>(to, one, from, count, limbs);
    case 3:
      return add_predecessors<3>(to, one, from, count, limbs);
    case 4:
      return add_predecessors<4>(to, one, from, count, limbs);
    default:
      return add_predecessors<-1>(to, one, from, count, limbs);
  }
}

/// Which nodes a path may use: `total` counts paths between healthy nodes that may run through anything,
/// `missing` counts paths that meet no node of X.
enum class Count { total, missing };

/// One pass for a sign vector. Coordinates are taken along the signs (0 is where paths start), so that every
/// predecessor comes earlier. The slab holds T for the previous value of the outermost coordinate and is
/// overwritten in place.
class Pass {
 public:
  Pass(const FaultPattern& pattern, FaultRegion region, Count count, const Axes& axes,
       const std::vector<int>& signs)
      : pattern_(pattern),
        region_(region),
        count_(count),
        axes_(axes),
        signs_(signs),
        width_(axes.max_limbs()),
        slab_(std::size_t{axes.slab} * width_, 0),
        sum_(width_) {
    Node stride = 1;
    for (const Axes::Axis& a : axes.axes) {
      slab_stride_.push_back(std::size_t{stride} * width_);
      stride *= a.radix;
    }
  }

  BigCount run(SurveyProgress& progress) {
    const unsigned n = axes_.count();
    // Counts through all axes but the innermost; at[i] is along the sign.
    std::vector<std::uint32_t> at(n, 0);
    std::uint64_t unreported = 0;
    for (;;) {
      row(at);
      if ((unreported += axes_.axes[0].radix) >= kNodesAReport) progress.add(std::exchange(unreported, 0));
      unsigned i = 1;
      while (i < n && ++at[i] == axes_.axes[i].radix) at[i++] = 0;
      if (i < n) continue;
      progress.add(unreported);
      return sum_.value();
    }
  }

 private:
  void row(const std::vector<std::uint32_t>& at) {
    const unsigned n = axes_.count();
    Limb* cell = slab_.data();
    Node node = 0;
    std::uint32_t steps = axes_.axes[0].radix - 1;
    std::array<const Limb*, MeshShape::kMaxDimensions + 1> from;
    unsigned predecessors = 0;
    for (unsigned i = 1; i < n; ++i) {
      node += (signs_[i] < 0 ? axes_.axes[i].radix - 1 - at[i] : at[i]) * axes_.axes[i].stride;
      if (i + 1 < n) cell += at[i] * slab_stride_[i];
      steps += at[i];
    }
    for (unsigned i = 1; i < n; ++i)
      if (signs_[i] && at[i] > 0) from[predecessors++] = i + 1 < n ? cell - slab_stride_[i] : cell;
    if (signs_[0] < 0) node += (axes_.axes[0].radix - 1) * axes_.axes[0].stride;

    const unsigned limbs = axes_.limbs(steps);
    const Node step = signs_[0] < 0 ? -axes_.axes[0].stride : axes_.axes[0].stride;
    for (std::uint32_t x = 0; x < axes_.axes[0].radix; ++x) {
      visit(node, cell, from.data(), predecessors, limbs);
      node += step;
      cell += width_;
      for (unsigned p = 0; p < predecessors; ++p) from[p] += width_;
      if (x == 0 && signs_[0]) from[predecessors++] = cell - width_;
    }
  }

  void visit(Node node, Limb* cell, const Limb* const* from, unsigned predecessors, unsigned limbs) {
    if (count_ == Count::missing) {
      if (pattern_.in_region(node, region_)) {
        std::fill_n(cell, limbs, 0);
        return;
      }
      add_predecessors(cell, 1, from, predecessors, limbs);
      sum_.add(cell, limbs);
    } else {
      const bool healthy = !pattern_.faulty(node);
      add_predecessors(cell, healthy, from, predecessors, limbs);
      if (healthy) sum_.add(cell, limbs);
    }
  }

  const FaultPattern& pattern_;
  FaultRegion region_;
  Count count_;
  const Axes& axes_;
  const std::vector<int>& signs_;
  unsigned width_;
  std::vector<Limb> slab_;
  std::vector<std::size_t> slab_stride_;
  WideSum sum_;
};

/// Sign vectors up to reversal, heaviest first: a pass for −τ counts the same paths backwards.
std::vector<std::vector<int>> half_of_the_sign_vectors(unsigned n) {
  std::vector<std::vector<int>> result;
  std::vector<int> signs(n, 0);
  for (;;) {
    const auto first = std::find_if(signs.begin(), signs.end(), [](int s) { return s != 0; });
    if (first == signs.end() || *first > 0) result.push_back(signs);
    unsigned i = 0;
    while (i < n && signs[i] == -1) signs[i++] = 0;
    if (i == n) break;
    signs[i] = signs[i] == 0 ? 1 : -1;
  }
  const auto weight = [](const std::vector<int>& s) { return std::count(s.begin(), s.end(), 0); };
  std::stable_sort(result.begin(), result.end(),
                   [&](const auto& a, const auto& b) { return weight(a) < weight(b); });
  return result;
}

void check_work(const MeshShape& mesh, const Axes& axes) {
  const double steps = std::pow(3.0, axes.count()) * axes.node_count * (axes.count() + 2) * axes.max_limbs();
  if (steps > kMaxLimbSteps)
    throw ConfigurationError(
        formatted("fault rings: exact counts of the %s mesh would take about %.0e steps (sweep method, "
                  "3^n·n·N·words), more than the limit of %.0e; make the mesh smaller",
                  mesh.description(), steps, kMaxLimbSteps));
}

}  // namespace

PathCounts count_paths_by_sweep(const FaultPattern& pattern, FaultRegion region, unsigned jobs,
                                SurveyListener* listener) {
  const Axes axes(pattern.mesh());
  check_work(pattern.mesh(), axes);
  const auto signs = half_of_the_sign_vectors(axes.count());
  std::vector<BigCount> sums(2 * signs.size());
  SurveyProgress progress(listener, sums.size() * axes.node_count);
  parallel_for(jobs, sums.size(), [&](std::size_t i) {
    sums[i] = Pass(pattern, region, i % 2 ? Count::missing : Count::total, axes, signs[i / 2]).run(progress);
  });
  PathCounts counts;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto zeros = std::count(signs[i / 2].begin(), signs[i / 2].end(), 0);
    BigCount sum = zeros == static_cast<std::ptrdiff_t>(axes.count()) ? sums[i] : 2 * sums[i];
    if (zeros % 2) sum = -sum;
    (i % 2 ? counts.missing : counts.total) += sum;
  }
  return counts;
}

}  // namespace flitmend
