// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "protocols/routing/intermediate_nodes/chain.h"

namespace flitmend {

/// The effect of one combination of faulty links on a KNS network; x is the number of intermediates allowed.
struct KnsOutcome {
  static constexpr unsigned kMaxIntermediates = IntermediateList::kMaxIntermediates;
  static constexpr unsigned kNever = kMaxIntermediates + 1;

  bool connected = true;  ///< every router reaches every other over some path
  unsigned tolerated =
      0;  ///< the fewest intermediates with which every ordered pair is routable; else kNever
  /// Ordered pairs of different nodes by the number of intermediates that they use under the policy, and
  /// those that x does not connect. They add up to N(N − 1).
  std::array<std::uint64_t, kMaxIntermediates + 1> pairs{};
  std::uint64_t unreachable = 0;
};

}  // namespace flitmend
