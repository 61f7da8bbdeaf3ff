// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/bits.h"
#include "protocols/routing/intermediate_nodes/kns_shape.h"
#include "topologies/fault_set.h"
#include "topologies/switched_grid.h"

namespace flitmend {

/// A KNS network with faulty links (static, both directions), and what its Hybrid-DOR paths meet. At most
/// 2^20 routers; a digit table takes 2 bytes per link.
class KnsFaults {
 public:
  explicit KnsFaults(const KnsShape& shape, std::span<const KnsLink> dead_links = {});

  const KnsShape& shape() const { return shape_; }
  /// Throws ConfigurationError if there is no such link. Marking a link twice has no further effect.
  void fail(KnsLink link);
  bool dead(std::uint32_t node, unsigned dimension) const {
    return test_bit(dead_.data(), node * shape_.n() + dimension);
  }
  std::uint32_t digit(std::uint32_t node, unsigned dimension) const {
    return digits_[std::size_t{node} * shape_.n() + dimension];
  }

  /// Dimensions in which two routers differ, which a minimal path crosses; two channels each.
  unsigned hops(std::uint32_t from, std::uint32_t to) const;
  /// Whether the Hybrid-DOR path (dimension 0 first) crosses no faulty link; true for from = to. O(n).
  bool clean(std::uint32_t from, std::uint32_t to) const;

 private:
  KnsShape shape_;
  std::vector<Word> dead_;
  std::vector<std::uint16_t> digits_;  // of router v in dimension i at v·n + i
};

/// The faulty links of a fabric: those with a faulty channel in either direction, all links of a faulty
/// router or switch, and those that faults inside a subnetwork of several stages cut off (SubnetworkRoutes).
/// All radices are equal.
KnsFaults kns_faults_of(const SwitchedGrid& kns, const FaultSet& faults);

}  // namespace flitmend
