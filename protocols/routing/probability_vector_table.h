// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "protocols/routing/probability_vectors.h"
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

/// The vectors of all nodes of a k-ary n-cube with static faults: the final state of the distributed
/// exchange.
class ProbabilityVectorTable {
 public:
  using Node = KaryCube::Node;
  using PortMask = KaryCube::PortMask;
  static constexpr std::size_t kMaxElements = std::size_t{1} << 27;  ///< 1 GiB

  /// Throws ConfigurationError if the vectors have more than kMaxElements elements, N·(D + 1). O(n·D·N).
  ProbabilityVectorTable(const KaryCube&, PvArithmetic, const KaryCubeFaults&);

  /// Replaces the faults on the same network; keeps the memory.
  void set_faults(const KaryCubeFaults&);
  /// After a loop, the node that detected it adds the destination to its faulty set, and the exchange runs
  /// again [AlSadi03 section 3]; not if the destination is a neighbour that it can reach. O(n·D·N).
  void add_unreachable(Node detector, Node destination);

  const KaryCube& cube() const { return cube_; }
  const ProbabilityVectorRule& rule() const { return rule_; }
  bool faulty(Node node) const { return faulty_[node] != 0; }
  /// Ports of a healthy node that lead to a healthy neighbour over a healthy link.
  PortMask usable_ports(Node node) const { return usable_[node]; }
  /// Whether the node has learnt that it cannot reach the destination.
  bool known_unreachable(Node node, Node destination) const;
  /// Element l is at index l − 1, as the rule stores it; meaningless for a faulty node.
  const double* vector(Node node) const { return vectors_.data() + std::size_t{node} * rule_.elements(); }

  /// The output port of a message at `here`; `forbidden`: ports that its memory rules out. −1: none.
  int next_hop(Node here, const PvRequest& request, PvTies ties, RandomStream* random) const {
    return probability_vector_next_hop(
        request, [&](unsigned port) { return vector(cube_.neighbour(here, port)); }, ties, random);
  }

 private:
  void exchange();

  const KaryCube& cube_;
  ProbabilityVectorRule rule_;
  std::vector<std::uint8_t> faulty_;
  std::vector<PortMask> usable_;
  std::vector<double> vectors_;
  std::vector<std::pair<Node, Node>> unreachable_;  ///< (detector, destination), sorted
};

}  // namespace flitmend
