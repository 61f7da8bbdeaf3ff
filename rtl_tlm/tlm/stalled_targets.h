// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <systemc>
#include <vector>

#include "topologies/topology.h"

namespace flitmend {

class Fabric;

/// A target that has not accepted the last request.
struct StalledTarget {
  NodeId node = 0;
  sc_core::sc_time since;  ///< time of its BEGIN_REQ
  unsigned requests = 0;   ///< places taken in its queue
};

/// Those of a fabric, by node.
std::vector<StalledTarget> stalled_targets(const Fabric&);

/// A line about each.
std::string describe(const std::vector<StalledTarget>&, const Fabric&);

}  // namespace flitmend
