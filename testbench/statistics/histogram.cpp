// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/histogram.h"

#include <algorithm>
#include <new>

namespace flitmend {

// calloc, not new: the system provides zero pages, which take no memory until one of their buckets is used.
Histogram::Histogram() : buckets_(static_cast<std::uint64_t*>(std::calloc(kBuckets, sizeof(std::uint64_t)))) {
  if (!buckets_) throw std::bad_alloc();
}

std::uint64_t Histogram::lowest(std::uint32_t bucket) {
  if (bucket < kExact) return bucket;
  const std::uint32_t beyond = bucket - static_cast<std::uint32_t>(kExact);
  const unsigned octave = kExactBits + beyond / kSubBuckets;
  const std::uint64_t sub = beyond % kSubBuckets;
  return (std::uint64_t{1} << octave) + (sub << (octave - kSubBits));
}

std::uint64_t Histogram::highest(std::uint32_t bucket) {
  return bucket + 1 == kBuckets ? ~std::uint64_t{0} : lowest(bucket + 1) - 1;
}

std::optional<std::uint64_t> Histogram::percentile(unsigned percent) const {
  if (count_ == 0) return std::nullopt;
  // ⌈count·percent/100⌉ without overflow.
  const std::uint64_t rank = count_ / 100 * percent + (count_ % 100 * percent + 99) / 100;
  std::uint64_t seen = 0;
  for (std::uint32_t b = 0; b < kBuckets; ++b) {
    seen += buckets_[b];
    if (seen >= rank) return std::min(highest(b), max_);
  }
  return max_;
}

}  // namespace flitmend
