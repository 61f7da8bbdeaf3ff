// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/tlm/stalled_targets.h"

#include "rtl_tlm/fabric/fabric.h"

namespace flitmend {

std::vector<StalledTarget> stalled_targets(const Fabric& fabric) {
  std::vector<StalledTarget> stalled;
  for (NodeId node = 0; node < fabric.node_count(); ++node) {
    const TargetSide& target = fabric.sockets(node).target_side();
    if (const sc_core::sc_time* const since = target.refused_since())
      stalled.push_back({node, *since, target.queue().used()});
  }
  return stalled;
}

std::string describe(const std::vector<StalledTarget>& stalled, const Fabric& fabric) {
  std::string text;
  for (const StalledTarget& target : stalled)
    text += "the target of " + fabric.topology().router_name(target.node) +
            " has not accepted a request since " + target.since.to_string() + "; " +
            std::to_string(target.requests) + " requests wait at it\n";
  return text;
}

}  // namespace flitmend
