// SPDX-License-Identifier: Apache-2.0
#include "analysis/kns_tolerance/fault_table.h"

#include <algorithm>

namespace flitmend {

void FaultTable::set(std::span<const KnsLink> links) {
  links_.assign(links.begin(), links.end());
  const unsigned n = shape_.n();
  ranks_.resize(std::size_t{size()} * n);
  mirrored_.resize(size());
  for (unsigned e = 0; e < size(); ++e) {
    std::uint32_t rest = links_[e].node;
    std::uint32_t mirrored = 0;
    for (unsigned i = 0; i < n; ++i, rest /= shape_.k()) {
      const std::uint32_t digit = rest % shape_.k();
      ranks_[std::size_t{e} * n + i] = digit;
      mirrored = mirrored * shape_.k() + digit;
    }
    mirrored_[e] = mirrored;
  }
  for (unsigned i = 0; i < n; ++i) {
    std::vector<std::uint32_t>& values = values_[i];
    values.clear();
    for (unsigned e = 0; e < size(); ++e) values.push_back(rank(e, i));
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    for (unsigned e = 0; e < size(); ++e) {
      std::uint32_t& digit = ranks_[std::size_t{e} * n + i];
      digit =
          static_cast<std::uint32_t>(std::lower_bound(values.begin(), values.end(), digit) - values.begin());
    }
  }
}

}  // namespace flitmend
