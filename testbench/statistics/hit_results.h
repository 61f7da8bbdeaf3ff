// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "testbench/statistics/results_visitor.h"

namespace flitmend {

/// Hits, and how their messages ended.
struct HitCounts {
  std::uint64_t hits = 0;
  std::uint64_t delivered = 0;
  std::uint64_t lost = 0;
  std::uint64_t undeliverable = 0;
  std::uint64_t guard_repaired = 0;
  std::uint64_t failed = 0;
  std::uint64_t in_flight = 0;
  HitCounts& operator+=(const HitCounts&);
  friend bool operator==(const HitCounts&, const HitCounts&) = default;
};

/// The hits of one stratum.
struct HitResults : HitCounts {
  std::string fault;     ///< node, link
  std::string duration;  ///< transient, permanent
  std::string phase;     ///< head, body, tail, control, retransmission, absorption
  std::string overlap;   ///< one, at-once, in-sequence
  void visit(ResultsVisitor&) const;
  friend bool operator==(const HitResults&, const HitResults&) = default;
};

}  // namespace flitmend
