// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/tfar.h"

namespace flitmend {

void Tfar::route(const RouteRequest& request, CandidateList& out) const {
  if (request.here == request.destination) return consume(request, out);
  for_each_productive(request.here, request.destination, [&](PortId port, unsigned) {
    if (healthy(request, port)) out.push({request.head_state, port, 0, 0, false});
  });
}

}  // namespace flitmend
