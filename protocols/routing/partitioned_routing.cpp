// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/partitioned_routing.h"

#include "base/bits.h"

namespace flitmend {

std::vector<VcMask> spread_evenly(unsigned vcs, unsigned classes) {
  std::vector<VcMask> masks;
  unsigned first = 0;
  for (unsigned c = 0; c < classes; ++c) {
    const unsigned share = vcs / classes + (c < vcs % classes);
    masks.push_back(low_bits(share) << first);
    first += share;
  }
  return masks;
}

std::vector<VcMask> singles_then_rest(unsigned vcs, unsigned singles) {
  std::vector<VcMask> masks;
  for (unsigned c = 0; c < singles; ++c) masks.push_back(VcMask{1} << c);
  masks.push_back(low_bits(vcs) & ~low_bits(singles));
  return masks;
}

}  // namespace flitmend
