// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "testbench/traffic/pattern.h"

namespace flitmend {

/// Each node sends to one other node. A node that is mapped to itself, or whose partner is faulty, sends
/// nothing.
class PermutationPattern : public DestinationPattern {
 public:
  /// partner[node]: no two nodes are mapped to the same other node.
  PermutationPattern(std::vector<NodeId> partner, const Participants& participants)
      : partner_(std::move(partner)), participants_(participants) {}

  bool sends(NodeId source) const override {
    const NodeId partner = partner_[source];
    return partner != source && participants_.contains(source) && participants_.contains(partner);
  }
  NodeId destination(NodeId source, RandomStream&) const override { return partner_[source]; }
  void add_rates(NodeId source, double rate, std::vector<double>& to) const override {
    to[partner_[source]] += rate;
  }
  const std::vector<NodeId>& partners() const { return partner_; }

 private:
  std::vector<NodeId> partner_;
  const Participants& participants_;
};

/// A pattern from a function of the network that gives every node's partner.
template <std::vector<NodeId> (*partners)(const Topology&)>
std::unique_ptr<DestinationPattern> make_permutation(const PatternContext& c) {
  return std::make_unique<PermutationPattern>(partners(c.topology), c.participants);
}

/// Permutations of the bits of a node's number, for N = 2^b nodes; source s = s_{b−1} … s_0, destination d.
std::vector<NodeId> bit_reversal(const Topology&);     ///< d_i = s_{b−1−i}
std::vector<NodeId> perfect_shuffle(const Topology&);  ///< d_i = s_{i−1 mod b}: rotated left by one
std::vector<NodeId> butterfly(const Topology&);        ///< highest and lowest bit swapped

/// Permutations of a node's coordinates x_0 … x_{n−1}, radix k_i in dimension i.
/// The matrix transpose, see Topology::transposition: (x_{n−1}, …, x_0), if k_i = k_{n−1−i}.
std::vector<NodeId> transpose(const Topology&);
std::vector<NodeId> complement(const Topology&);  ///< k_i − 1 − x_i; with 2^b nodes, every bit inverted
std::vector<NodeId> tornado(const Topology&);     ///< x_i + ⌈k_i/2⌉ − 1 mod k_i in every dimension
std::vector<NodeId> neighbour(const Topology&);   ///< x_i + 1 mod k_i in every dimension

/// permutation_file, the option of pattern permutation.
extern const OptionKey kPermutationFileOption;

/// A permutation in a text file (see kPermutationFileOption). Sources that are not listed are
/// mapped to themselves. Throws ConfigurationError with file and line.
std::vector<NodeId> permutation_of_file(const std::string& path, const Topology&);

}  // namespace flitmend
