// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/west_first.h"

namespace flitmend {

void WestFirst::route(const RouteRequest& request, CandidateList& out) const {
  if (request.here == request.destination) return consume(request, out);
  const bool west = grid_.offset(request.here, request.destination, 0) < 0;
  for_each_productive(request.here, request.destination, [&](PortId port, unsigned dimension) {
    if ((!west || dimension == 0) && healthy(request, port))
      out.push({request.head_state, port, 0, 0, false});
  });
}

}  // namespace flitmend
