// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Random123/philox.h>

#include <cmath>
#include <cstdint>

#include "base/language.h"

namespace flitmend {

/// What a stream of random numbers is for. A stream is identified by (seed, purpose, index, group), so what
/// one node draws never depends on when or how often others draw.
enum class RandomPurpose : std::uint32_t {
  injection = 1,
  destination,
  message_length,
  payload,
  routing,
  selection,
  arbitration,
  static_faults,
  node_faults,
  link_faults,
  recovery,
  analysis,
  test,
  aimed_faults,
  contribution,
};

/// Counter-based random numbers: Philox4x32-10 [Salmon11] of Random123. 2^64 blocks of 128 bits per stream;
/// the only state is a counter.
class RandomStream {
 public:
  RandomStream() = default;
  /// group: below 2^24.
  RandomStream(std::uint64_t seed, RandomPurpose purpose, std::uint32_t index = 0, std::uint32_t group = 0)
      : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}},
        counter_{{0, 0, static_cast<std::uint32_t>(purpose) | group << 8, index}} {}

  /// 32 uniform bits.
  std::uint32_t bits() {
    if (used_ == 4) refill();
    return block_.v[used_++];
  }
  /// 64 uniform bits.
  std::uint64_t bits64() {
    const std::uint64_t high = bits();
    return high << 32 | bits();
  }
  /// Uniform in [0, 1), 53 bits.
  double uniform() { return static_cast<double>(bits64() >> 11) * 0x1.0p-53; }
  /// Uniform in 0 … bound − 1, exact (rejection method [Lemire19]); bound ≥ 1.
  std::uint32_t below(std::uint32_t bound) {
    std::uint64_t product = std::uint64_t{bits()} * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint32_t threshold = -bound % bound;
      while (static_cast<std::uint32_t>(product) < threshold) product = std::uint64_t{bits()} * bound;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }
  /// Number of Bernoulli(p) trials up to and including the first success, at least 1; 0 < p ≤ 1. Saturates at
  /// 2^62 if p is so small that the gap cannot be represented.
  std::uint64_t geometric(double p) {
    if (p >= 1.0) return 1;
    const double gap = std::floor(std::log1p(-uniform()) / std::log1p(-p));
    return gap < 0x1.0p62 ? 1 + static_cast<std::uint64_t>(gap) : std::uint64_t{1} << 62;
  }

 private:
  void refill() {
    block_ = r123::Philox4x32()(counter_, key_);
    if (++counter_.v[0] == 0) ++counter_.v[1];
    used_ = 0;
  }

  r123::Philox4x32::key_type key_{};
  r123::Philox4x32::ctr_type counter_{};
  r123::Philox4x32::ctr_type block_{};
  unsigned used_ = 4;
};

}  // namespace flitmend
