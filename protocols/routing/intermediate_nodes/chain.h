// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>

namespace flitmend {

/// What the head of a message carries [Penaranda17 Fig. 2]: I intermediate nodes, in the order in which they
/// are passed. Segment j, from intermediate j to the next, is a Hybrid-DOR path and uses virtual channel
/// class j.
struct IntermediateList {
  static constexpr unsigned kMaxIntermediates = 8;

  bool reachable = true;   ///< false: there is no chain with the allowed number of intermediates
  std::uint8_t count = 0;  ///< I
  std::array<std::uint32_t, kMaxIntermediates> nodes{};

  std::span<const std::uint32_t> intermediates() const { return {nodes.data(), count}; }
  /// The plain path is enough: the table at the source needs no entry.
  bool plain() const { return reachable && count == 0; }
  friend bool operator==(const IntermediateList&, const IntermediateList&) = default;
};

/// A list, and the total number of dimensions crossed over it; each takes two channels.
struct IntermediateChain : IntermediateList {
  std::uint8_t hops = 0;
  friend bool operator==(const IntermediateChain&, const IntermediateChain&) = default;
};

}  // namespace flitmend
