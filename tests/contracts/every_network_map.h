// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "contracts/entry.h"
#include "topologies/registry.h"

namespace flitmend {

/// What a report's picture of every topology must hold to: every channel goes from its sender to its
/// receiver, beside its reverse, and over no router. every_network_map.cpp tests it on the entry's examples
/// and its default size. A test program instantiates this suite for its entries.
class EveryNetworkMap : public testing::TestWithParam<TopologyEntry> {
 protected:
  std::vector<std::unique_ptr<Topology>> networks() const { return make_examples(GetParam()); }
};

}  // namespace flitmend
