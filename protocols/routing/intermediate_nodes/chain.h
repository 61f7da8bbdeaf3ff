// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>

namespace flitmend {

/// What the head of a message carries (Fig. 2 of the paper): I intermediate nodes, in the order in which they
/// are passed. Segment j, from intermediate j to the next, is a Hybrid-DOR path of its own and uses virtual
/// channel class j.
struct IntermediateList {
  static constexpr unsigned kMaxIntermediates = 8;

  bool reachable = true;   ///< false: no chain with as many intermediates as are allowed
  std::uint8_t count = 0;  ///< I
  std::array<std::uint32_t, kMaxIntermediates> nodes{};

  std::span<const std::uint32_t> intermediates() const { return {nodes.data(), count}; }
  /// The plain path will do: the table at the source needs no entry.
  bool plain() const { return reachable && count == 0; }
  friend bool operator==(const IntermediateList&, const IntermediateList&) = default;
};

/// A list, and the dimensions crossed over it in all, two channels each.
struct IntermediateChain : IntermediateList {
  std::uint8_t hops = 0;
  friend bool operator==(const IntermediateChain&, const IntermediateChain&) = default;
};

}  // namespace flitmend
