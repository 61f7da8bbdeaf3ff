// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "protocols/routing/intermediate_nodes/kns_shape.h"

namespace flitmend {

/// The dead links of one combination with the digits of their routers, each dimension's digits renumbered so
/// that only values that occur count: nothing depends on k or N in size.
class FaultTable {
 public:
  explicit FaultTable(const KnsShape& shape) : shape_(shape), values_(shape.n()) {}

  /// The links must be different. O(f·n + n·f·log f).
  void set(std::span<const KnsLink> links);

  const KnsShape& shape() const { return shape_; }
  unsigned size() const { return static_cast<unsigned>(links_.size()); }
  const KnsLink& link(unsigned fault) const { return links_[fault]; }
  /// The router's number with its digits in reverse order: orders routers by their lowest digit first.
  std::uint32_t mirrored(unsigned fault) const { return mirrored_[fault]; }
  /// Which of the named values of a dimension the router of a fault has there.
  std::uint32_t rank(unsigned fault, unsigned dimension) const {
    return ranks_[std::size_t{fault} * shape_.n() + dimension];
  }
  /// How many values of a dimension occur; the others are "unnamed", rank named(dimension) stands for them.
  std::uint32_t named(unsigned dimension) const {
    return static_cast<std::uint32_t>(values_[dimension].size());
  }
  /// How many digits of a dimension are unnamed.
  std::uint32_t unnamed(unsigned dimension) const { return shape_.k() - named(dimension); }

 private:
  KnsShape shape_;
  std::vector<KnsLink> links_;
  std::vector<std::uint32_t> mirrored_;
  std::vector<std::uint32_t> ranks_;
  std::vector<std::vector<std::uint32_t>> values_;  // of each dimension, in increasing order
};

}  // namespace flitmend
