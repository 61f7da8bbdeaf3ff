// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace flitmend {

/// Bytes that are kept until known cycles.
class ByteExpiry {
 public:
  void add(std::uint64_t cycle, std::uint64_t bytes) { due_.emplace(cycle, bytes); }
  /// Whether some are kept until `now` at the latest.
  bool due(std::uint64_t now) const { return !due_.empty() && due_.top().first <= now; }
  /// The first cycle, and the bytes that are kept until then. Several calls may return the same cycle.
  std::pair<std::uint64_t, std::uint64_t> take() {
    const auto first = due_.top();
    due_.pop();
    return first;
  }

 private:
  using Due = std::pair<std::uint64_t, std::uint64_t>;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
};

/// Bytes that are kept from time to time: their sum over the cycles, and their course over time in slices of
/// equal length. The slices get twice as long whenever a run outgrows them.
class ByteSeries {
 public:
  static constexpr unsigned kSlices = 128;

  /// Later than or at the time of every earlier call.
  void add(std::uint64_t now, std::uint64_t bytes) {
    advance(now);
    bytes_ += bytes;
  }
  void remove(std::uint64_t now, std::uint64_t bytes) {
    advance(now);
    bytes_ -= bytes;
  }
  /// They are kept until that cycle, now or later.
  void remove_at(std::uint64_t cycle, std::uint64_t bytes) { expiry_.add(cycle, bytes); }
  /// Counts all cycles before `now`.
  void advance(std::uint64_t now) {
    while (expiry_.due(now)) {
      const auto [cycle, bytes] = expiry_.take();
      count(cycle);
      bytes_ -= bytes;
    }
    count(now);
  }

  // Of the cycles before the last advance():
  std::uint64_t sum() const { return sum_; }  ///< byte cycles
  std::uint64_t slice_cycles() const { return slice_cycles_; }
  /// Slices that have begun.
  unsigned slices() const { return static_cast<unsigned>((since_ + slice_cycles_ - 1) / slice_cycles_); }
  /// Mean bytes in a slice; the last one may be shorter than the others.
  double mean(unsigned slice) const {
    const std::uint64_t begin = slice * slice_cycles_;
    return static_cast<double>(sums_[slice]) /
           static_cast<double>(std::min(since_, begin + slice_cycles_) - begin);
  }

 private:
  void count(std::uint64_t now) {
    while (now > slice_cycles_ * kSlices) lengthen();
    while (since_ < now) {
      const std::uint64_t slice = since_ / slice_cycles_;
      const std::uint64_t until = std::min(now, (slice + 1) * slice_cycles_);
      sums_[slice] += bytes_ * (until - since_);
      sum_ += bytes_ * (until - since_);
      since_ = until;
    }
  }
  void lengthen() {
    for (unsigned i = 0; i < kSlices; ++i) sums_[i] = 2 * i < kSlices ? sums_[2 * i] + sums_[2 * i + 1] : 0;
    slice_cycles_ *= 2;
  }

  std::array<std::uint64_t, kSlices> sums_{};  ///< byte cycles
  std::uint64_t slice_cycles_ = 1;
  std::uint64_t bytes_ = 0;
  std::uint64_t since_ = 0;
  std::uint64_t sum_ = 0;
  ByteExpiry expiry_;
};

}  // namespace flitmend
