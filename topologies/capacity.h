// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "topologies/topology.h"

namespace flitmend {

/// The load that saturates the bisection under uniform traffic, 2B/N flits per node and cycle: B channels
/// cross the bisection, N nodes send.
double capacity_flits(const Topology&);

}  // namespace flitmend
