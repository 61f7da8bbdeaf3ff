// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/fabric/stalled_elements.h"

#include <algorithm>

#include "base/text.h"
#include "rtl_tlm/fabric/fabric.h"

namespace flitmend {
namespace {

constexpr std::size_t kNamed = 8;  ///< elements that a text names

std::string described(const StalledElement& at, const Fabric& fabric) {
  const std::string router = fabric.topology().router_name(at.node);
  if (at.stall == Stall::response_not_accepted) {
    const bool several = fabric.sockets(at.node).initiator_side().initiators() > 1;
    return formatted("%1% of %2% has not accepted a response (END_RESP) since cycle %3%",
                     several ? formatted("initiator %1%", at.number) : "the initiator", router, at.since);
  }
  const std::string name = fabric.addresses().name({at.node, at.number});
  const char* const what = at.stall == Stall::request_not_accepted ? "accepted" : "answered";
  return formatted("the target %1%of %2% has not %3% a request since cycle %4% (%5% %6% at it)",
                   name.empty() ? "" : name + " ", router, what, at.since, counted(at.requests, "request"),
                   at.requests == 1 ? "is" : "are");
}

}  // namespace

std::vector<StalledElement> stalled_elements(const Fabric& fabric) {
  std::vector<StalledElement> stalled;
  for (NodeId node = 0; node < fabric.node_count(); ++node) {
    const TargetSide& targets = fabric.sockets(node).target_side();
    for (unsigned target = 0; target < targets.targets(); ++target) {
      const auto refused = targets.refused_since(target);
      const auto unanswered = targets.unanswered_since(target);
      if (refused)
        stalled.push_back({Stall::request_not_accepted, node, target, *refused, targets.requests(target)});
      if (unanswered && unanswered != refused)
        stalled.push_back({Stall::request_not_answered, node, target, *unanswered, targets.requests(target)});
    }
    const InitiatorSide& initiators = fabric.sockets(node).initiator_side();
    for (unsigned initiator = 0; initiator < initiators.initiators(); ++initiator)
      if (const auto refused = initiators.refused_since(initiator))
        stalled.push_back({Stall::response_not_accepted, node, initiator, *refused});
  }
  return stalled;
}

std::string describe(const std::vector<StalledElement>& stalled, const Fabric& fabric) {
  std::string text;
  for (std::size_t i = 0; i < std::min(stalled.size(), kNamed); ++i)
    text += (i == 0 ? "" : "; ") + described(stalled[i], fabric);
  if (stalled.size() > kNamed) text += formatted("; and %1% more", stalled.size() - kNamed);
  return text;
}

}  // namespace flitmend
