// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace flitmend {

/// A histogram for display: bins of equal width, 1, 2 or 5 times a power of ten. Bin i holds latencies from
/// first + i·width to first + (i + 1)·width − 1.
struct BinnedHistogram {
  std::uint64_t first = 0;
  std::uint64_t width = 1;
  std::vector<std::uint64_t> messages;
  std::uint64_t beyond = 0;  ///< messages that took longer than the last bin
};

/// From parallel lists, cycles ascending: at most `bins` bins, which hold at least 99.9 % of all messages, so
/// that a few stragglers do not squeeze the rest into one bar.
BinnedHistogram binned(const std::vector<std::uint64_t>& cycles, const std::vector<std::uint64_t>& messages,
                       std::size_t bins);

}  // namespace flitmend
