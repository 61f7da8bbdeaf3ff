// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <set>
#include <utility>

#include "rtl_tlm/signals/cut_message.h"

namespace flitmend {

/// The messages about which a request was lost permanently: the node or switch that had to make it has died,
/// or has no route to their source. Without a guard nobody sends them again. For those who judge a run; no
/// protocol reads it.
class LostRequests {
 public:
  void add(const CutMessage& cut) { messages_.emplace(cut.source, cut.id); }
  bool has(NodeId source, std::uint32_t id) const { return messages_.contains({source, id}); }

 private:
  std::set<std::pair<NodeId, std::uint32_t>> messages_;
};

}  // namespace flitmend
