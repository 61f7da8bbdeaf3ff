// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "protocols/routing/intermediate_nodes/chain.h"

namespace flitmend {

/// What one combination of dead links does to a KNS network, x being the intermediates allowed.
struct KnsOutcome {
  static constexpr unsigned kMaxIntermediates = IntermediateList::kMaxIntermediates;
  static constexpr unsigned kNever = kMaxIntermediates + 1;

  bool connected = true;  ///< every router reaches every other, over whatever path
  unsigned tolerated =
      0;  ///< the fewest intermediates with which every ordered pair is routable; else kNever
  /// Ordered pairs of different nodes that use so many intermediates under the policy, and those that x do
  /// not connect. They add up to N(N − 1).
  std::array<std::uint64_t, kMaxIntermediates + 1> pairs{};
  std::uint64_t unreachable = 0;
};

}  // namespace flitmend
