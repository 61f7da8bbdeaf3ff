// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/partitioned_routing.h"
#include "topologies/kns.h"

namespace flitmend {

/// Hybrid-DOR of KNS networks [Penaranda12]: crosses the dimensions in increasing order, each through its
/// switch. One class; the channel dependency graph has no cycle.
class HybridDor : public PartitionedRouting {
 public:
  HybridDor(const Kns& kns, std::vector<VcMask> masks)
      : PartitionedRouting(kns, std::move(masks)), kns_(kns) {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return 1; }

 private:
  const Kns& kns_;
};

}  // namespace flitmend
