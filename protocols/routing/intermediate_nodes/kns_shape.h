// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/bits.h"
#include "topologies/fault_set.h"
#include "topologies/switched_grid.h"

namespace flitmend {

/// A link of a KNS network, between a router and its switch of a dimension; both directions.
struct KnsLink {
  std::uint32_t node;
  std::uint32_t dimension;
  friend bool operator==(const KnsLink&, const KnsLink&) = default;
};

/// The arithmetic of KNS(k, n), s = 1, without the graph: N = k^n routers, router v = Σ c_i·k^i, L = n·N
/// links (v, i), numbered v·n + i. Everything is O(1); no stored size grows with N.
class KnsShape {
 public:
  /// The largest number of links: the limit of 32-bit link numbers and of exact 64-bit counts of pairs.
  static constexpr std::uint64_t kMaxLinks = std::uint64_t{1} << 31;
  static constexpr unsigned kMaxDimensions = 26;  // 26·2^26 links still fit

  /// k ≥ 2, n ≥ 1, n·k^n ≤ 2^31. Throws ConfigurationError.
  KnsShape(std::int64_t k, std::int64_t n);

  std::uint32_t k() const { return k_; }
  unsigned n() const { return n_; }
  std::uint32_t node_count() const { return node_count_; }
  std::uint32_t link_count() const { return node_count_ * n_; }
  /// Ordered pairs of different nodes, N(N − 1).
  std::uint64_t pair_count() const { return std::uint64_t{node_count_} * (node_count_ - 1); }

  std::uint32_t power(unsigned dimension) const { return power_[dimension]; }
  std::uint32_t digit(std::uint32_t node, unsigned dimension) const { return node / power_[dimension] % k_; }
  /// The router that differs from `node` in only one digit.
  std::uint32_t with_digit(std::uint32_t node, unsigned dimension, std::uint32_t value) const {
    return node - digit(node, dimension) * power_[dimension] + value * power_[dimension];
  }

  std::uint32_t number_of(KnsLink link) const { return link.node * n_ + link.dimension; }
  KnsLink link(std::uint32_t number) const { return {number / n_, number % n_}; }
  /// Throws ConfigurationError if there is no such link.
  void check(KnsLink link) const;

  /// "KNS(32, 2)"
  std::string description() const;

 private:
  std::uint32_t k_;
  unsigned n_;
  std::uint32_t node_count_ = 1;
  std::array<std::uint32_t, kMaxDimensions> power_{};
};

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
