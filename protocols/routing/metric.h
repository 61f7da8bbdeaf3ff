// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "base/options.h"
#include "topologies/topology.h"

namespace flitmend {

struct RoutingSettings;

/// What a hop takes at zero load, apart from what is a link's own.
struct HopCycles {
  unsigned stages = 4;        ///< of a router
  unsigned link_latency = 1;  ///< of a link without one of its own
  unsigned flit_bits = 64;
};

/// routing.metric: what makes a path short.
extern const OptionKey kMetricOption;

/// The length of a hop under routing.metric: 1, or the cycles that a head takes at zero load through a router
/// and over its link.
class Metric {
 public:
  /// Hops.
  Metric() = default;
  explicit Metric(const RoutingSettings&);

  bool is_hops() const { return hops_; }
  std::uint32_t length(const Topology&, RouterId, PortId) const;

 private:
  bool hops_ = true;
  HopCycles cycles_;
};

}  // namespace flitmend
