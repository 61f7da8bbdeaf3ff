// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/duato.h"

namespace flitmend {

void Duato::route(const RouteRequest& request, CandidateList& out) const {
  if (request.here == request.destination) return consume(request, out);
  const bool torus = grid_.kind() == Grid::Kind::torus;
  const auto adaptive = static_cast<std::uint8_t>(torus ? 2 : 1);
  for_each_productive(request.here, request.destination, [&](PortId port, unsigned) {
    if (healthy(request, port)) out.push({request.head_state, port, adaptive, 0, false});
  });
  unsigned i = 0;
  std::int32_t left = 0;
  while ((left = grid_.offset(request.here, request.destination, i)) == 0) ++i;
  const PortId port = grid_.port(i, left > 0);
  if (!healthy(request, port)) return;
  const std::uint8_t escape =
      torus ? strict_dateline_class(grid_, request.here, request.destination, i, left > 0) : 0;
  out.push({request.head_state, port, escape, 1, true});
}

}  // namespace flitmend
