// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/grid_routing.h"

namespace flitmend {

RingTies ring_ties(const std::string& word) {
  return word == "random" ? RingTies::random : RingTies::plus;
}

std::vector<std::uint64_t> subsets_of(std::uint64_t bits) {
  std::vector<std::uint64_t> all;
  std::uint64_t subset = 0;
  do {
    all.push_back(subset);
    subset = (subset - bits) & bits;  // the next one: carries run over the bits that are not ours
  } while (subset != 0);
  return all;
}

}  // namespace flitmend
