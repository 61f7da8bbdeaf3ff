// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

namespace flitmend {

/// How often the wait before the next try has doubled after `tries` tries without success: with each of the
/// first `first`, and from the 64th on with every 16th. Tries at a constant rate can keep each other from
/// succeeding, forever.
inline unsigned backoff_doublings(unsigned tries, unsigned first) {
  constexpr unsigned kMany = 64, kPerDoubling = 16, kMost = 30;
  if (tries < kMany) return std::min(tries, first);
  return std::min(first + 1 + (tries - kMany) / kPerDoubling, kMost);
}

}  // namespace flitmend
