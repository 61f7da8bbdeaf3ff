// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/node/injection_limit.h"

#include <utility>

#include "rtl_tlm/router/router.h"

namespace flitmend {

InjectionLimit::InjectionLimit(Router& router)
    : router_(router),
      candidates_(router.state().layout().max_candidates),
      useful_(router.state().layout().ports) {}

bool InjectionLimit::admits(const Message& message, unsigned vc) {
  RouterState state = router_.state();  // a handle
  CandidateList list(candidates_.data(), static_cast<unsigned>(candidates_.size()));
  state.layout().context.routing.route(router_.injection_request(message, vc), list);
  bool any = false;
  for (const RouteCandidate& c : list) {
    if (state.arbiter(c.port).faulty) continue;
    if (state.arbiter(c.port).unlimited) any = true;
    useful_[c.port] |= state.class_vcs(c.port, c.vc_class);
  }
  // Ports are taken out of useful_ in the order in which they are first named.
  bool each = true;
  for (const RouteCandidate& c : list) {
    const VcMask useful = std::exchange(useful_[c.port], 0);
    if (useful == 0 || state.arbiter(c.port).unlimited) continue;
    const VcMask free = router_.allocatable_vcs(c.port);
    each = each && (free & useful) != 0;
    any = any || free == low_bits(state.vcs());
  }
  return each || any;
}

}  // namespace flitmend
