// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

#include "rtl_tlm/signals/message.h"

namespace flitmend {

/// What the exchange of probability vectors has cost, all phases of the run.
struct VectorCounters {
  std::uint64_t exchanges = 0;  ///< times that routers began to exchange elements while none did
  std::uint64_t cycles = 0;     ///< in which some router did
  std::uint64_t longest = 0;    ///< the longest of these exchanges, in cycles
  std::uint64_t rounds = 0;     ///< of all routers: elements sent, to all healthy neighbours at once
  std::uint64_t elements = 0;   ///< sent over links
  std::uint64_t bits = 0;       ///< the bits of these

  /// A router begins a round in cycle t, which ends before cycle `end`. Rounds are equally long, so the order
  /// of the routers does not matter.
  void round(Cycle t, Cycle end) {
    ++rounds;
    if (exchanges == 0 || t > until_) {
      ++exchanges;
      began_ = until_ = t;
    }
    if (end <= until_) return;
    cycles += end - until_;
    until_ = end;
    longest = std::max<std::uint64_t>(longest, until_ - began_);
  }
  /// Whether an exchange is going on in cycle t.
  bool exchanging(Cycle t) const { return exchanges > 0 && t < until_; }

 private:
  Cycle began_ = 0;
  Cycle until_ = 0;  ///< the last exchange ends before this cycle
};

}  // namespace flitmend
