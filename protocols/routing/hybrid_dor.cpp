// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/hybrid_dor.h"

namespace flitmend {

void HybridDor::route(const RouteRequest& request, CandidateList& out) const {
  PortId port = 0;
  if (kns_.is_switch(request.here)) {
    port = static_cast<PortId>(kns_.digit(request.destination, kns_.switch_dimension(request.here)));
  } else {
    while (port < kns_.n() && kns_.digit(request.here, port) == kns_.digit(request.destination, port)) ++port;
    if (port == kns_.n()) return consume(request, out);
  }
  if (healthy(request, port)) out.push({request.head_state, port, 0, 0, false});
}

}  // namespace flitmend
