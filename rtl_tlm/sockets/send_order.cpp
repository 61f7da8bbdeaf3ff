// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/sockets/send_order.h"

#include <algorithm>

namespace flitmend {

SendOrder::Flow& SendOrder::flow_of(const NetworkTransaction& t) {
  if (flows_.empty()) flows_.resize(addresses_.all_targets());
  std::unique_ptr<Flow>& flow = flows_[addresses_.index(t.destination, t.target)];
  if (!flow) flow = std::make_unique<Flow>();
  return *flow;
}

bool SendOrder::conflict(const NetworkTransaction& a, const NetworkTransaction& b) {
  if (!a.writes() && !b.writes()) return false;
  return a.address < b.address + b.extent && b.address < a.address + a.extent;
}

bool SendOrder::begin(NetworkTransaction& t) {
  if (ordering_ == Ordering::none) return true;
  if (ordering_ == Ordering::per_initiator) line_up(t);
  Flow& flow = flow_of(t);
  if (numbers_requests(ordering_)) {
    if (flow.waiting.empty() && flow.unanswered.size() < depth_) {
      number(flow, t);
      return true;
    }
    flow.waiting.push(&t);
    ++waiting_;
    return false;
  }
  const auto overlaps = [&](const NetworkTransaction* other) { return conflict(t, *other); };
  if (std::ranges::none_of(flow.conflicting, overlaps) &&
      std::ranges::none_of(flow.waiting_conflicts, overlaps)) {
    flow.conflicting.push_back(&t);
    return true;
  }
  flow.waiting_conflicts.push_back(&t);
  ++waiting_;
  return false;
}

NetworkTransaction* SendOrder::take_free(Flow& flow) {
  auto& waiting = flow.waiting_conflicts;
  for (auto i = waiting.begin(); i != waiting.end(); ++i) {
    NetworkTransaction* const t = *i;
    const auto overlaps = [&](const NetworkTransaction* other) { return conflict(*t, *other); };
    if (std::ranges::any_of(flow.conflicting, overlaps) || std::any_of(waiting.begin(), i, overlaps))
      continue;
    waiting.erase(i);
    --waiting_;
    flow.conflicting.push_back(t);
    return t;
  }
  return nullptr;
}

}  // namespace flitmend
