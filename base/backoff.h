// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

namespace flitmend {

/// How often the wait before the next try has doubled after `tries` tries without success: with each of the
/// first `first`, and from `many` on with every 16th. Tries at a constant rate can keep each other from
/// succeeding, forever.
inline unsigned backoff_doublings(unsigned tries, unsigned first, unsigned many = 64) {
  constexpr unsigned kPerDoubling = 16, kMost = 30;
  if (tries < many) return std::min(tries, first);
  return std::min({tries, first + 1 + (tries - many) / kPerDoubling, kMost});
}

}  // namespace flitmend
