// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "topologies/fault_set.h"
#include "topologies/kary_cube.h"

namespace flitmend {

/// Faults of a k-ary n-cube: nodes, and links by the node and plus dimension where they start. A link is
/// faulty in both directions.
struct KaryCubeFaults {
  using Node = KaryCube::Node;
  struct Link {
    Node node;
    unsigned dimension;
    friend bool operator==(const Link&, const Link&) = default;
  };
  std::vector<Node> nodes;
  std::vector<Link> links;

  /// f, the number of faults that the loop limit uses.
  std::size_t count() const { return nodes.size() + links.size(); }
};

/// Whether a network is a k-ary n-cube: a torus whose radices are equal, of as many dimensions as KaryCube
/// has.
bool is_kary_cube(const Topology&);
/// Its nodes and ports have the numbers of the network's. Requires is_kary_cube().
KaryCube kary_cube_of(const Topology&);
/// A faulty link counts once, whether one or both of its channels are faulty. It counts also if a node at its
/// end is faulty. Requires is_kary_cube() of the set's network.
KaryCubeFaults kary_cube_faults(const FaultSet&);

}  // namespace flitmend
