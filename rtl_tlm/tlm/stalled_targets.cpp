// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/tlm/stalled_targets.h"

#include "rtl_tlm/fabric/fabric.h"

namespace flitmend {

std::vector<StalledTarget> stalled_targets(const Fabric& fabric) {
  std::vector<StalledTarget> stalled;
  for (NodeId node = 0; node < fabric.node_count(); ++node) {
    const TargetSide& side = fabric.sockets(node).target_side();
    for (unsigned target = 0; target < side.targets(); ++target)
      if (const std::optional<Cycle> since = side.refused_since(target))
        stalled.push_back({{node, target}, *since, side.queue().used()});
  }
  return stalled;
}

std::string describe(const std::vector<StalledTarget>& stalled, const Fabric& fabric) {
  std::string text;
  for (const StalledTarget& at : stalled) {
    const std::string name = fabric.addresses().name(at.target);
    if (!text.empty()) text += "; ";
    text += "the target " + (name.empty() ? "" : name + " ") + "of " +
            fabric.topology().router_name(at.target.node) + " has not accepted a request since cycle " +
            std::to_string(at.since) + ", and " + std::to_string(at.requests) + " requests wait at its node";
  }
  return text;
}

}  // namespace flitmend
