// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/selection/first.h"

namespace flitmend {

unsigned FirstFree::select(const RouteRequest&, const RouteCandidate*, const VcMask* available,
                           unsigned count, const OutputStatus&) const {
  unsigned i = 0;
  while (i + 1 < count && !available[i]) ++i;
  return i;
}

}  // namespace flitmend
