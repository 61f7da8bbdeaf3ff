// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>

#include "topologies/topology.h"

namespace flitmend {

/// The fewest channels whose removal ends all ways from the nodes 0 … first − 1 to the other nodes, or, if
/// these are fewer, all ways back: the maximum flow between the two [Dinitz70]. Without one-way links both
/// are the same. Switches may be on either side.
std::uint64_t least_cut(const Topology&, NodeId first);

/// The same if links differ: the least sum of what `rate` gives for their ports, above 0.
double least_cut(const Topology&, NodeId first, const std::function<double(RouterId, PortId)>& rate);

/// The load that saturates the bisection under uniform traffic, 2B/N flits per node and cycle: B channels
/// cross the bisection, N nodes send. A channel whose link is narrower than a flit of `flit_bits` counts as 1
/// / cycles_per_flit; 0: every channel counts in full.
double capacity_flits(const Topology&, unsigned flit_bits = 0);

}  // namespace flitmend
