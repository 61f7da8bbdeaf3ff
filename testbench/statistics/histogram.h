// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>

namespace flitmend {

/// Counts of whole numbers, for exact percentiles. Values below kExact have a bucket each. Above, each octave
/// has kSubBuckets buckets, so a percentile there is at most 0.1 % (1/kSubBuckets) above the exact value and
/// never below it. All buckets exist from the start, in pages that are not touched until they are used;
/// nothing is allocated afterwards.
class Histogram {
 public:
  static constexpr unsigned kExactBits = 16;
  static constexpr std::uint64_t kExact = std::uint64_t{1} << kExactBits;
  static constexpr unsigned kSubBits = 10;
  static constexpr unsigned kSubBuckets = 1u << kSubBits;
  static constexpr std::uint32_t kBuckets =
      static_cast<std::uint32_t>(kExact) + (64 - kExactBits) * kSubBuckets;

  Histogram();

  void add(std::uint64_t value) {
    ++buckets_[bucket(value)];
    ++count_;
    if (value > max_) max_ = value;
  }

  std::uint64_t count() const { return count_; }
  /// None without observations.
  std::optional<std::uint64_t> max() const { return count_ ? std::optional(max_) : std::nullopt; }
  /// The smallest value that at least `percent` of 100 observations do not exceed (nearest rank); 1 ≤ percent
  /// ≤ 100. None without observations.
  std::optional<std::uint64_t> percentile(unsigned percent) const;

  /// Calls f(lowest value, count) for every bucket in use, lowest first.
  template <class F>
  void for_each(F&& f) const {
    std::uint64_t left = count_;
    for (std::uint32_t b = 0; left != 0; ++b)
      if (buckets_[b]) {
        f(lowest(b), buckets_[b]);
        left -= buckets_[b];
      }
  }

 private:
  static std::uint32_t bucket(std::uint64_t value) {
    if (value < kExact) return static_cast<std::uint32_t>(value);
    const unsigned octave = static_cast<unsigned>(std::bit_width(value)) - 1;
    const auto sub = static_cast<std::uint32_t>(value >> (octave - kSubBits)) & (kSubBuckets - 1);
    return static_cast<std::uint32_t>(kExact) + (octave - kExactBits) * kSubBuckets + sub;
  }
  static std::uint64_t lowest(std::uint32_t bucket);
  static std::uint64_t highest(std::uint32_t bucket);

  struct Free {
    void operator()(std::uint64_t* p) const { std::free(p); }
  };
  std::unique_ptr<std::uint64_t[], Free> buckets_;
  std::uint64_t count_ = 0;
  std::uint64_t max_ = 0;
};

}  // namespace flitmend
