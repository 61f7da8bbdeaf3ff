// SPDX-License-Identifier: Apache-2.0
#include "analysis/fault_rings/path_counts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/errors.h"
#include "base/parallel.h"
#include "base/random_stream.h"
#include "base/text.h"

namespace flitmend {
namespace {

using Node = MeshShape::Node;
constexpr std::uint64_t kBlock = 4096;  // samples per random stream
// Pairs drawn per path before healthy pairs count as too rare; a block starts with a few more.
constexpr std::uint64_t kDrawsASample = 1000;
constexpr std::uint64_t kMoreDraws = 100000;
constexpr std::uint64_t kMaxPathNodes = 1'000'000'000'000;  // hours

using Coordinates = std::array<std::uint32_t, MeshShape::kMaxDimensions>;

/// Draws |b − a| of a pair of any nodes, with probability proportional to the number of pairs times the
/// number of paths.
class Displacements {
 public:
  explicit Displacements(const MeshShape& mesh) : mesh_(mesh) {
    std::uint32_t length = 0;
    for (unsigned i = 0; i < mesh.dimensions(); ++i) length += mesh.radix(i) - 1;
    log_factorial_.assign(length + 1, 0);
    for (std::uint32_t i = 1; i <= length; ++i) log_factorial_[i] = log_factorial_[i - 1] + std::log(i);

    cumulative_.resize(mesh.node_count());
    double largest = 0;
    for (Node d = 0; d < mesh.node_count(); ++d) {
      cumulative_[d] = log_weight(d);
      largest = std::max(largest, cumulative_[d]);
    }
    double sum = 0;
    for (double& c : cumulative_) c = sum += std::exp(c - largest);
  }

  Node draw(RandomStream& random) const {
    const double at = random.uniform() * cumulative_.back();
    const auto entry = std::upper_bound(cumulative_.begin(), cumulative_.end(), at);
    return static_cast<Node>(std::min<std::ptrdiff_t>(entry - cumulative_.begin(),
                                                      static_cast<std::ptrdiff_t>(cumulative_.size()) - 1));
  }

 private:
  /// ln(pairs at that displacement · LT(d)).
  double log_weight(Node displacement) const {
    double weight = 0;
    std::uint32_t length = 0;
    for (unsigned i = 0; i < mesh_.dimensions(); ++i) {
      const std::uint32_t d = mesh_.coordinate(displacement, i);
      weight += std::log((d ? 2.0 : 1.0) * (mesh_.radix(i) - d)) - log_factorial_[d];
      length += d;
    }
    return weight + log_factorial_[length];
  }

  const MeshShape& mesh_;
  std::vector<double> log_factorial_;
  std::vector<double> cumulative_;
};

class Sampler {
 public:
  Sampler(const FaultPattern& pattern, FaultRegion region, const Displacements& displacements,
          std::uint64_t samples)
      : pattern_(pattern),
        mesh_(pattern.mesh()),
        region_(region),
        displacements_(displacements),
        draws_left_(samples * kDrawsASample + kMoreDraws) {}

  /// Draws one path and returns whether it meets X.
  bool hit(RandomStream& random) {
    draw_pair(random);
    Node node = source_;
    std::uint32_t left = 0;
    for (unsigned i = 0; i < mesh_.dimensions(); ++i) left += left_[i];
    for (;;) {
      if (pattern_.in_region(node, region_)) return true;
      if (left == 0) return false;
      // Of the remaining paths, a share left_i / left has its next step in dimension i.
      std::uint32_t pick = random.below(left--);
      unsigned i = 0;
      while (pick >= left_[i]) pick -= left_[i++];
      --left_[i];
      node += step_[i];
    }
  }

 private:
  void draw_pair(RandomStream& random) {
    for (; draws_left_ > 0; --draws_left_) {
      const Node displacement = displacements_.draw(random);
      Node destination = source_ = 0;
      for (unsigned i = 0; i < mesh_.dimensions(); ++i) {
        const std::uint32_t d = left_[i] = mesh_.coordinate(displacement, i);
        const std::uint32_t low = random.below(mesh_.radix(i) - d);
        const bool backwards = d && (random.bits() & 1);
        step_[i] = backwards ? -mesh_.stride(i) : mesh_.stride(i);
        source_ += (backwards ? low + d : low) * mesh_.stride(i);
        destination += (backwards ? low : low + d) * mesh_.stride(i);
      }
      if (!pattern_.faulty(source_) && !pattern_.faulty(destination)) return;
    }
    throw ConfigurationError(
        "fault rings: too few of all paths are between healthy nodes to draw them at random; use "
        "the exact methods");
  }

  const FaultPattern& pattern_;
  const MeshShape& mesh_;
  FaultRegion region_;
  const Displacements& displacements_;
  std::uint64_t draws_left_;
  Node source_ = 0;
  Coordinates left_{};
  std::array<Node, MeshShape::kMaxDimensions> step_{};
};

}  // namespace

HitEstimate estimate_p_hit(const FaultPattern& pattern, FaultRegion region, std::uint64_t samples,
                           std::uint64_t seed, unsigned jobs, SurveyListener* listener) {
  if (samples == 0) throw ConfigurationError("fault rings: 0 samples requested; draw at least one path");
  std::uint64_t steps = 1;  // nodes of the longest path
  for (unsigned i = 0; i < pattern.mesh().dimensions(); ++i) steps += pattern.mesh().radix(i) - 1;
  if (samples > kMaxPathNodes / steps)
    throw ConfigurationError(
        formatted("fault rings: %1% samples would take hours; at most %2% paths can be drawn in the %3% mesh",
                  samples, kMaxPathNodes / steps, pattern.mesh().description()));
  const Displacements displacements(pattern.mesh());
  const std::uint64_t blocks = (samples + kBlock - 1) / kBlock;
  std::atomic<std::uint64_t> hits{0};
  SurveyProgress progress(listener, samples);
  parallel_for(jobs, blocks, [&](std::size_t block) {
    RandomStream random(seed, RandomPurpose::analysis, static_cast<std::uint32_t>(block));
    const std::uint64_t count = std::min(kBlock, samples - block * kBlock);
    Sampler sampler(pattern, region, displacements, count);
    std::uint64_t found = 0;
    for (std::uint64_t s = 0; s < count; ++s) found += sampler.hit(random);
    hits += found;
    progress.add(count);
  });

  HitEstimate estimate;
  estimate.samples = samples;
  estimate.hits = hits;
  estimate.p_hit = static_cast<double>(estimate.hits) / static_cast<double>(samples);
  estimate.within = share_interval(estimate.hits, samples, .95);
  return estimate;
}

}  // namespace flitmend
