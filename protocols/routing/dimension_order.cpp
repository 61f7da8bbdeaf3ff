// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/dimension_order.h"

namespace flitmend {
namespace {
constexpr std::uint64_t kDrawnClass = 1;
constexpr std::uint64_t kCrossed = 2;
constexpr std::uint8_t kAnyClass = 2;
}  // namespace

void DimensionOrder::route(const RouteRequest& request, CandidateList& out) const {
  for (unsigned i = 0; i < grid_.dimensions(); ++i) {
    const std::int32_t left = grid_.offset(request.here, request.destination, i);
    if (left == 0) continue;
    const bool plus = left > 0;
    const PortId port = grid_.port(i, plus);
    if (!healthy(request, port)) return;
    RouteCandidate c{request.head_state, port, 0, 0, false};
    if (dateline_ != Dateline::none)
      c.vc_class = strict_dateline_class(grid_, request.here, request.destination, i, plus);
    if (dateline_ == Dateline::balanced || dateline_ == Dateline::halves) {
      const bool crossed = request.head_state & kCrossed;
      const bool never_crosses = c.vc_class == 1 && !crossed;
      const std::uint32_t last = plus ? grid_.radix(i) - 1 : 0;
      const bool crosses = grid_.coordinate(request.here, i) == last;
      const bool arrives = left == 1 || left == -1;
      c.head_state = (request.head_state & kDrawnClass) | (!arrives && (crossed || crosses) ? kCrossed : 0);
      if (dateline_ == Dateline::halves) {
        if (never_crosses) out.push({c.head_state, port, kAnyClass, 0, false});
        c.preference = never_crosses;
        c.escape = true;
      } else if (never_crosses) {
        c.vc_class = request.head_state & kDrawnClass;
      }
    }
    out.push(c);
    return;
  }
  consume(request, out);
}

std::uint64_t DimensionOrder::initial_state(NodeId, NodeId, RandomStream& random) const {
  return dateline_ == Dateline::balanced ? random.bits() & kDrawnClass : 0;
}

std::vector<std::uint64_t> DimensionOrder::initial_states(NodeId, NodeId) const {
  return dateline_ == Dateline::balanced ? std::vector<std::uint64_t>{0, kDrawnClass}
                                         : std::vector<std::uint64_t>{0};
}

}  // namespace flitmend
