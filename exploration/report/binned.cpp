// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/binned.h"

#include <algorithm>
#include <numeric>

namespace flitmend {

BinnedHistogram binned(const std::vector<std::uint64_t>& cycles, const std::vector<std::uint64_t>& messages,
                       std::size_t bins) {
  BinnedHistogram h;
  const std::size_t count = std::min(cycles.size(), messages.size());
  const std::uint64_t all = std::accumulate(messages.begin(), messages.begin() + count, std::uint64_t{0});
  if (all == 0) return h;
  std::size_t last = 0;
  for (std::uint64_t seen = messages[0]; seen < all - all / 1000; seen += messages[++last])
    ;
  // The first width among 1, 2, 5, 10, … with which there are few enough bins; bins start at multiples of it.
  for (std::uint64_t step = 0;; ++step) {
    h.first = cycles[0] / h.width * h.width;
    if ((cycles[last] - h.first) / h.width < bins) break;
    h.width = step % 3 == 1 ? h.width / 2 * 5 : h.width * 2;
  }
  h.messages.assign((cycles[last] - h.first) / h.width + 1, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bin = (cycles[i] - h.first) / h.width;
    (bin < h.messages.size() ? h.messages[bin] : h.beyond) += messages[i];
  }
  return h;
}

}  // namespace flitmend
