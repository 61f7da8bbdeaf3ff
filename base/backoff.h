// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

namespace flitmend {

/// Exponential backoff: how many times the first wait has doubled after `tries` failed tries. Each of the
/// first `early` tries doubles it; from try `late` on, every 16th does. At most 30. Without the late ones,
/// tries at a constant rate can keep each other from succeeding forever.
inline unsigned backoff_doublings(unsigned tries, unsigned early, unsigned late = 64) {
  constexpr unsigned kPerDoubling = 16, kMost = 30;
  if (tries < late) return std::min(tries, early);
  return std::min({tries, early + 1 + (tries - late) / kPerDoubling, kMost});
}

}  // namespace flitmend
