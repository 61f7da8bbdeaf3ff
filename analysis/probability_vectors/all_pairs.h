// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "base/detours.h"
#include "protocols/routing/probability_vector_table.h"

namespace flitmend {

/// What becomes of a message of every ordered pair of different healthy nodes, if the vectors alone route it.
struct PvAllPairs {
  std::uint64_t failed = 0;
  std::uint64_t looping = 0;
  Detours delivered;
  std::uint64_t pairs() const { return failed + looping + delivered.count(); }
};

/// Routes them as probability_routing_statistics() does with its defaults. O(N² · hops).
PvAllPairs route_all_pairs(const ProbabilityVectorTable&, std::size_t fault_count);

}  // namespace flitmend
