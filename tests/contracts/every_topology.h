// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "contracts/entry.h"
#include "topologies/registry.h"

namespace flitmend {

/// What every topology must hold to, whatever it is: every_topology.cpp tests it on the entry's examples. A
/// test program instantiates this suite for its entries.
class EveryTopology : public testing::TestWithParam<TopologyEntry> {
 protected:
  std::vector<std::unique_ptr<Topology>> examples() const { return make_examples(GetParam()); }
};

}  // namespace flitmend
