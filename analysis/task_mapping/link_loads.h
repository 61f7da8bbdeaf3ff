// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/task_mapping/mapping_search.h"
#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {

/// A channel between routers with what it carries, in the unit of the traffic.
struct LinkLoad {
  RouterPort channel;
  double load;
};

/// The load of each channel that carries something, in the order of routers and ports. At each router a
/// message takes every port that the routing function prefers with equal probability, and at the source every
/// initial state: the loads of a deterministic algorithm are exact, those of an adaptive one are those of an
/// idle network.
std::vector<LinkLoad> link_loads(const MappingProblem&, const TaskPlaces&, const RoutingFunction&,
                                 unsigned virtual_channels);

}  // namespace flitmend
