// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/dally_aoki_dynamic.h"

#include "base/bits.h"
#include "protocols/routing/registry.h"
#include "protocols/routing/vc_classes.h"

namespace flitmend {
namespace {

constexpr std::uint64_t kReversalBits = 0xff;
constexpr unsigned kLastShift = 8;
constexpr std::uint64_t kMostReversals = 15;
constexpr std::uint64_t kDeterministic = std::uint64_t{1} << 63;

std::uint64_t after_adaptive_hop(std::uint64_t h, unsigned dimension) {
  const std::uint64_t last = h >> kLastShift & 0xff;
  const std::uint64_t reversals = (h & kReversalBits) + (dimension < last);
  return std::min(reversals, kMostReversals) | std::uint64_t{dimension} << kLastShift;
}

}  // namespace

void DallyAokiDynamic::route(const RouteRequest& request, CandidateList& out) const {
  if (request.here == request.destination) return consume(request, out);
  if (request.head_state & kDeterministic) return push_deterministic(request, out);
  if (!request.outputs) {
    push_adaptive(request, false, out);
    push_deterministic(request, out);
  } else if (stays_adaptive(request)) {
    push_adaptive(request, true, out);
  } else {
    push_deterministic(request, out);
    if (out.empty()) push_adaptive(request, false, out);  // a fault has taken the deterministic channel
  }
}

bool DallyAokiDynamic::stays_adaptive(const RouteRequest& request) const {
  const std::uint64_t own = request.head_state & kReversalBits;
  bool stays = false;
  for_each_productive(request.here, request.destination, [&](PortId port, unsigned) {
    if (stays || !healthy(request, port)) return;
    const VcMask adaptive = class_vcs(request.here, port, adaptive_);
    if (request.outputs->free_vcs(port) & adaptive) {
      stays = true;
      return;
    }
    for (VcMask rest = adaptive; rest && !stays; rest &= rest - 1)
      stays = (request.outputs->holder_state(port, static_cast<unsigned>(std::countr_zero(rest))) &
               kReversalBits) > own;
  });
  return stays;
}

void DallyAokiDynamic::push_adaptive(const RouteRequest& request, bool safe, CandidateList& out) const {
  for_each_productive(request.here, request.destination, [&](PortId port, unsigned dimension) {
    if (healthy(request, port))
      // Without outputs there are no labels to compare, so one state stands for all of them.
      out.push({.head_state = request.outputs ? after_adaptive_hop(request.head_state, dimension) : 0,
                .port = port,
                .vc_class = adaptive_,
                .escape = safe});
  });
}

void DallyAokiDynamic::push_deterministic(const RouteRequest& request, CandidateList& out) const {
  unsigned i = 0;
  std::int32_t left = 0;
  while ((left = grid_.offset(request.here, request.destination, i)) == 0) ++i;
  const bool plus = left > 0;
  const PortId port = grid_.port(i, plus);
  if (!healthy(request, port)) return;
  out.push({.head_state = kDeterministic,
            .port = port,
            .vc_class = grid_.wraps()
                            ? strict_dateline_class(grid_, request.here, request.destination, i, plus)
                            : std::uint8_t{0},
            .preference = 1,
            .escape = true});
}

RoutingEntry dally_aoki_dynamic_routing() {
  return {
      .name = "dally-aoki-dynamic",
      .description =
          "adaptive minimal until a head would wait for messages with as few dimension reversals, "
          "then dimension order",
      .reference = "[Dally93]",
      .structure = is_grid,
      .default_selection = "most-free-vcs",
      .properties = [](const Topology& t, const RoutingSettings&) -> RoutingProperties {
        RoutingProperties p{.adaptivity = Adaptivity::partial,
                            .proof = DeadlockProof::escape_channels,
                            .vc_classes = {"deterministic", "adaptive"},
                            .virtual_channels = 2,
                            .atomic_vc_reallocation = true};
        if (has_rings(t)) {
          p.vc_classes = {"deterministic before the dateline", "deterministic after the dateline",
                          "adaptive"};
          p.virtual_channels = 3;
        }
        return p;
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings&) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<DallyAokiDynamic>(t, singles_then_rest(vcs, has_rings(t) ? 2 : 1));
      },
  };
}

}  // namespace flitmend
