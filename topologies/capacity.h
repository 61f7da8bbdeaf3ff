// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "topologies/topology.h"

namespace flitmend {

/// The load that saturates the bisection under uniform traffic, 2B/N flits per node and cycle: B channels
/// cross the bisection, N nodes send. A channel whose link is narrower than a flit of `flit_bits` counts as 1
/// / cycles_per_flit; 0: every channel counts in full.
double capacity_flits(const Topology&, unsigned flit_bits = 0);

}  // namespace flitmend
